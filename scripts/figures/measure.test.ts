import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coveredText, isCovered, shortened, textWidth, wrapped } from "./measure.ts";

describe("textWidth", () => {
  it("is wider for a bolder weight and for more characters", () => {
    expect(textWidth("Recall", 11, 600)).toBeGreaterThan(textWidth("Recall", 11));
    expect(textWidth("MMMM", 11)).toBeGreaterThan(textWidth("iiii", 11));
    expect(textWidth("", 11)).toBe(0);
  });
});

describe("wrapped", () => {
  it("keeps every word in order, and no line of several words is too wide", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }),
        fc.integer({ min: 30, max: 300 }),
        (words, width) => {
          const lines = wrapped(words.join(" "), width, 11);
          expect(lines.join(" ")).toBe(words.join(" "));
          for (const line of lines) if (line.includes(" ")) expect(textWidth(line, 11)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe("shortened", () => {
  it("fits any text into the width, without cutting a character in two", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 20, max: 200 }), (text, width) => {
        const short = shortened(text, width, 11);
        expect(textWidth(short, 11)).toBeLessThanOrEqual(Math.max(width, 0));
        if (text.isWellFormed()) expect(short.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("coveredText", () => {
  it("leaves only characters that the font draws, whatever comes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(Array.from(coveredText(text)).every(isCovered)).toBe(true);
      }),
    );
  });

  it("marks what it left out: Chinese and emoji become one dot a run", () => {
    expect(coveredText("改为 512\n秒 😕 done")).toBe("· 512 · · done");
    expect(coveredText("naïve – 90 %")).toBe("naïve – 90 %");
  });
});
