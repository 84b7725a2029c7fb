import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChainRecord } from "../chain/record.ts";
import type { Sheet } from "../exam/question.ts";
import { compositionOf, compositionSum, targetPlaces, toolShare } from "./composition.ts";

const result = (text: string): ChainRecord => ({ id: "r", kind: "tool_result", role: "tool", call: "c", text });
const records: readonly ChainRecord[] = [
  { id: "u", kind: "text", role: "user", text: "改为 512" },
  { id: "a", kind: "text", role: "assistant", text: "done 😕" },
  { id: "c", kind: "tool_call", role: "assistant", call: "c", tool: "read", args: { path: "a very long path" } },
  result("x".repeat(87)),
];

describe("compositionOf", () => {
  it("counts records and code points by kind, and no text for a call", () => {
    expect(compositionOf({ name: "alder", records })).toEqual({
      chain: "alder",
      records: 4,
      characters: 99,
      toolResult: { records: 1, characters: 87 },
      assistantText: { records: 1, characters: 6 },
      userText: { records: 1, characters: 6 },
      toolCall: { records: 1 },
    });
  });

  it("counts the code points of any text, also of a broken one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 0, max: 40 }), (text, cut) => {
        const torn = text.slice(cut);
        const { characters } = compositionOf({ name: "alder", records: [result(torn)] });
        expect(characters).toBe(Array.from(torn).length);
      }),
    );
  });
});

describe("compositionSum", () => {
  it("adds chains up, so that a share of the sum is weighted by size", () => {
    const small = compositionOf({ name: "alder", records });
    const large = compositionOf({ name: "birch", records: [result("y".repeat(901))] });
    const sum = compositionSum("all", [small, large]);
    expect(sum).toMatchObject({ records: 5, characters: 1000, toolResult: { records: 2, characters: 988 } });
    expect(toolShare(sum)).toBeCloseTo(0.988, 9);
  });
});

describe("targetPlaces", () => {
  it("counts targets by pool, by last place and by every place, and no decoy", () => {
    const place = { record: "r", kind: "tool_result", age: 0 } as const;
    const sheet: Sheet = {
      chain: "alder",
      stage: 0,
      end: 4,
      redrawn: 0,
      questions: [
        {
          kind: "target",
          value: "a",
          source: "assistant",
          pattern: "path",
          place: { ...place, source: "tool", alsoIn: ["assistant"] },
        },
        { kind: "target", value: "b", source: "user", pattern: "num", place: { ...place, source: "user", alsoIn: [] } },
        { kind: "decoy", value: "c", pattern: "hex" },
      ],
    };
    expect(targetPlaces([sheet])).toEqual({
      targets: 2,
      drawnFrom: { assistant: 1, user: 1, tool: 0 },
      standLastIn: { assistant: 0, user: 1, tool: 1 },
      standIn: { assistant: 1, user: 1, tool: 1 },
    });
  });
});
