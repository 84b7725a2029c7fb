import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "./message.ts";
import { anyText } from "./testing.ts";
import { messagesTokens, messageTokens, quarterTokens, textTokens } from "./tokens.ts";

const ranges = [
  [0x3400, 0x9fff],
  [0x3040, 0x30ff],
  [0xac00, 0xd7af],
  [0xf900, 0xfaff],
  [0x20000, 0x2a6df],
] as const;

/** The rule as it is written down: one weight a code point. */
const quartersByCodePoint = (text: string): number =>
  Array.from(text).reduce((sum, character) => {
    const point = character.codePointAt(0) ?? 0;
    if (point < 128) return sum + 1;
    return sum + (ranges.some(([first, last]) => point >= first && point <= last) ? 6 : 2);
  }, 0);

describe("the estimate of a text", () => {
  it("is the sum of the weights of its code points, rounded up to whole tokens", () => {
    const unicode = fc.string({
      unit: fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)),
    });
    fc.assert(
      fc.property(fc.oneof(anyText, unicode), (text) => {
        expect(quarterTokens(text)).toBe(quartersByCodePoint(text));
        expect(textTokens(text)).toBe(Math.ceil(quartersByCodePoint(text) / 4));
      }),
    );
  });

  it("has its weights at both ends of every range", () => {
    for (const point of ranges.flatMap(([first, last]) => [first - 1, first, last, last + 1])) {
      const text = String.fromCodePoint(point);
      expect([point.toString(16), quarterTokens(text)]).toEqual([point.toString(16), quartersByCodePoint(text)]);
    }
  });

  it.each([
    ["", 0],
    ["a", 1],
    ["abcd", 1],
    ["abcde", 2],
    ["é", 1],
    ["中", 2],
    ["中文", 3],
    ["😀", 1],
    ["\ud800", 1],
    ["\u007f", 1],
  ])("of %j is %i", (text, tokens) => {
    expect(textTokens(text)).toBe(tokens);
  });

  it("adds up in quarters where texts are joined between characters", () => {
    const whole = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(whole, whole, (first, second) => {
        expect(quarterTokens(first + second)).toBe(quarterTokens(first) + quarterTokens(second));
      }),
    );
  });
});

describe("the estimate of a message", () => {
  const message: Message = {
    id: "a",
    role: "assistant",
    blocks: [
      { kind: "text", text: "abcde" },
      { kind: "call", call: "a very long call id that costs nothing", tool: "shell", args: { command: "中" } },
      { kind: "reasoning", text: "abc" },
      { kind: "image", mediaType: "image/png", data: "A".repeat(10_000) },
    ],
  };

  it("rounds every block up on its own and adds 6 for the frame and 2,048 for an image", () => {
    const call = textTokens("shell") + textTokens('{"command":"中"}');
    expect(messageTokens(message)).toBe(6 + 2 + call + 1 + 2048);
  });

  it("does not count the call id, the role or the error flag of a result", () => {
    const result = (call: string, error: boolean): Message => ({
      id: "r",
      role: "tool",
      blocks: [{ kind: "result", call, text: "abcd", error }],
    });
    expect(messageTokens(result("k", false))).toBe(7);
    expect(messageTokens(result("k".repeat(100), true))).toBe(7);
  });

  it("is the same when it is asked again, and adds up over a history", () => {
    expect(messageTokens(message)).toBe(messageTokens(message));
    expect(messagesTokens([message, message])).toBe(2 * messageTokens(message));
    expect(messagesTokens([])).toBe(0);
  });
});
