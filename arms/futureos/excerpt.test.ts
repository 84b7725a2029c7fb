import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareBytes, headOf, isLonger, tailOf } from "./excerpt.ts";

const texts = fc.string({ unit: "binary", maxLength: 40 });
const counts = fc.nat({ max: 50 });

describe("excerpts", () => {
  it("are the first and the last code points of a text", () => {
    fc.assert(
      fc.property(texts, counts, (text, count) => {
        const points = Array.from(text);
        expect(headOf(text, count)).toBe(points.slice(0, count).join(""));
        expect(tailOf(text, count)).toBe(count === 0 ? "" : points.slice(-count).join(""));
        expect(isLonger(text, count)).toBe(points.length > count);
      }),
    );
  });

  it("never cut an emoji in two", () => {
    expect(headOf("ab😀cd", 3)).toBe("ab😀");
    expect(tailOf("ab😀cd", 3)).toBe("😀cd");
  });

  it("count a lone surrogate as one", () => {
    expect(headOf("\ud83d\ud83d\ude00x", 2)).toBe("\ud83d\ud83d\ude00");
    expect(tailOf("\ude00\ude00", 1)).toBe("\ude00");
  });
});

it("orders texts as their UTF-8 bytes are ordered", () => {
  const sign = (order: number): number => Math.sign(order);
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
  expect(compareBytes("metrics-10.log", "metrics-3.log")).toBeLessThan(0);
  expect(compareBytes("\u{1f600}", "\uffee")).toBeGreaterThan(0);
});
