import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomStream } from "../../../random.ts";
import { codePoints, filler, shares } from "./exact.ts";

describe("filler", () => {
  const words = filler([
    [" Kept", " Left", " Checked"],
    [" the", " every", " each 提交"],
    [" file.", " line 👍.", " test again."],
    ["", "!", "!!", " So."],
  ]);

  it("fills every length from its least on, exactly, without cutting an emoji", () => {
    fc.assert(
      fc.property(fc.integer({ min: words.minChars, max: 400 }), fc.integer(), (chars, seed) => {
        const text = words.fill(randomStream(seed, "fill"), chars);
        expect(codePoints(text)).toBe(chars);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });

  it("refuses a length that nothing has", () => {
    expect(() => words.fill(randomStream(1, "fill"), words.minChars - 1)).toThrow(RangeError);
  });

  it("refuses parts that leave gaps", () => {
    expect(() => filler([[" one sentence"], [" and no other"]])).toThrow(/leave gaps/);
  });
});

describe("codePoints", () => {
  it("counts what a string iterator gives", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(codePoints(text)).toBe(Array.from(text).length);
      }),
    );
  });
});

describe("shares", () => {
  it("add up to the total, each within one of its exact share", () => {
    const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.nat({ max: 1000 }), weights, (total, weights) => {
        const sum = weights.reduce((left, right) => left + right, 0);
        const split = shares(total, weights);
        expect(split.reduce((left, right) => left + right, 0)).toBe(total);
        for (const [index, share] of split.entries())
          expect(Math.abs(share - (total * (weights[index] ?? 0)) / sum)).toBeLessThan(1);
      }),
    );
  });
});
