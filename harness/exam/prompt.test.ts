import { describe, expect, it } from "vitest";
import { sheetInstructions, sheetOpening, sheetText } from "./prompt.ts";
import type { Question } from "./question.ts";

const question = (value: string): Question => ({ kind: "decoy", pattern: "hex", value });

describe("the text of a sheet", () => {
  const text = sheetText({ questions: [question("PR #12"), question("src/a.ts"), question("100 项测试")] });

  it("opens with its opening line, which stands in it once and is one line", () => {
    expect(text.split("\n")[0]).toBe(sheetOpening);
    expect(text.split(sheetOpening)).toHaveLength(2);
  });

  it("ends with the values, one line each, after the line that announces them", () => {
    expect(text.split("\n").slice(-4)).toEqual(["Values:", "- PR #12", "- src/a.ts", "- 100 项测试"]);
    expect(text.split("\n").filter((line) => line === "Values:")).toHaveLength(1);
  });

  it("says nothing that depends on the questions before the values", () => {
    expect(text.startsWith(`${sheetInstructions}\n`)).toBe(true);
    expect(sheetInstructions).toContain('{"appeared":[...]}');
  });
});
