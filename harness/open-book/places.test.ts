import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../chain/testing.ts";
import { stands } from "../exam/stands.ts";
import { betweenPoints, excerptOf, findPlaces } from "./places.ts";

const texts = (...all: string[]) => all.map((text) => ({ text }));

describe("findPlaces", () => {
  it("puts places where the text stands as a whole before those where it is a part, each in the given order", () => {
    const where = texts("PR #7021", "see PR #702 now", "pr #702 in small", "PR #702");
    expect(findPlaces(where, "PR #702", 9).map(({ where: { text }, at }) => [text, at])).toEqual([
      ["see PR #702 now", 4],
      ["PR #702", 0],
      ["PR #7021", 0],
      ["pr #702 in small", 0],
    ]);
  });

  it("finds a whole place that comes after a partial one in the same text", () => {
    expect(findPlaces(texts("ver_a1b ver_a1"), "ver_a1", 1)[0]?.at).toBe(8);
  });

  it("takes the text literally", () => {
    expect(findPlaces(texts("a.b+c", "aXb+c"), "a.b+c", 9)).toHaveLength(1);
    expect(findPlaces(texts("[x](y) {z} \\d ^$ | a/b-c"), "[x](y) {z} \\d ^$ | a/b-c", 9)).toHaveLength(1);
  });

  it("finds every text that a value stands in, whatever the text, and never more than the limit", () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 6 }), fc.string({ minLength: 1 }), fc.nat(4), (all, wanted, limit) => {
        const where = texts(...all, wanted, `x ${wanted} y`);
        const found = findPlaces(where, wanted, 99).map((place) => place.where);
        expect(found).toEqual(expect.arrayContaining(where.filter(({ text }) => stands(text, wanted))));
        expect(findPlaces(where, wanted, limit).length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});

describe("excerptOf", () => {
  it("shows the match with what is around it, and dots where the text goes on", () => {
    expect(excerptOf("0123456789", 4, 2, 2)).toBe("…234567…");
    expect(excerptOf("0123", 1, 2, 5)).toBe("0123");
  });

  it("never cuts a code point, at any place of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(40), fc.nat(5), fc.nat(5), (text, at, chars, side) => {
        const start = Math.min(at, text.length);
        const excerpt = excerptOf(text, start, Math.min(chars, text.length - start), side);
        expect(excerpt.isWellFormed()).toBe(true);
        expect(text).toContain(excerpt.replaceAll("…", ""));
      }),
    );
  });
});

describe("betweenPoints", () => {
  it("moves off the middle of a surrogate pair and stays everywhere else", () => {
    expect([0, 1, 2, 3, 4].map((index) => betweenPoints("a😀b", index))).toEqual([0, 1, 1, 3, 4]);
  });
});
