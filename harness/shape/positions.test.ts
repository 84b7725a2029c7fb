import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../chain/testing.ts";
import { quarterTokens, textTokens } from "../chain/tokens.ts";
import { positionsOf } from "./positions.ts";

const grainTokens = 8;
const block = (text: string, head = "text") => ({ by: "user", head, text, tokens: textTokens(text) + 3 });
const longText = fc.array(anyText, { maxLength: 12 }).map((texts) => texts.join("").toWellFormed());

describe("positions", () => {
  it("stand at every block end, and with a grain at its multiples inside a text", () => {
    const blocks = [block("a".repeat(40)), block("b".repeat(100))];
    expect(positionsOf(blocks).map(({ tokens }) => tokens)).toEqual([13, 41]);
    // Inside the texts: 8 of 0 to 10, and 16 to 32 of 13 to 38; 40 lies in what a block costs beyond its text.
    expect(positionsOf(blocks, grainTokens).map(({ tokens }) => tokens)).toEqual([8, 13, 16, 24, 32, 41]);
  });

  it("ascend, end at the total, and have the same block ends with and without a grain", () => {
    fc.assert(
      fc.property(fc.array(longText, { maxLength: 4 }), (texts) => {
        const blocks = texts.map((text) => block(text));
        const fine = positionsOf(blocks, grainTokens).map(({ tokens }) => tokens);
        const coarse = positionsOf(blocks).map(({ tokens }) => tokens);
        expect(fine).toEqual([...fine].sort((a, b) => a - b));
        expect(fine.at(-1)).toBe(coarse.at(-1));
        expect(fine).toEqual(expect.arrayContaining(coarse));
      }),
    );
  });

  it("share keys exactly as far as the texts are equal, and never beyond", () => {
    fc.assert(
      fc.property(longText, longText, longText, (shared, left, right) => {
        const [one, other] = [left, right].map((end) => positionsOf([block(shared + end)], grainTokens));
        const keys = new Set(other?.map(({ key }) => key));
        const common = (one ?? []).filter(({ key }) => keys.has(key));
        const length = commonLength(shared + left, shared + right);
        const sharedTokens = quarterTokens((shared + left).slice(0, length)) / 4;
        // A cut lies between code points, so it may come up to a code point early, and never late.
        const most = left === right ? Infinity : sharedTokens + 2;
        for (const { tokens } of common) expect(tokens).toBeLessThanOrEqual(most);
        const expected = left === right ? (one ?? []).length : Math.floor(sharedTokens / grainTokens) - 1;
        expect(common.length).toBeGreaterThanOrEqual(expected);
      }),
    );
  });

  it("differ where a block's head, side or place does", () => {
    const last = (...blocks: ReturnType<typeof block>[]) => positionsOf(blocks).at(-1)?.key;
    const keys = [
      last(block("ab")),
      last(block("ab", "result c1")),
      last({ ...block("ab"), by: "assistant" }),
      last(block("a"), block("b")),
      last(block(""), block("ab")),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

function commonLength(left: string, right: string): number {
  let length = 0;
  while (length < Math.min(left.length, right.length) && left[length] === right[length]) length++;
  return length;
}
