import { describe, expect, it } from "vitest";
import { importFixture, importText, linesOf } from "./testing.ts";

describe("chat messages", () => {
  it("of OpenAI give texts, calls of both generations and results", () => {
    const imported = importFixture("openai.json");
    expect(linesOf(imported)).toEqual([
      "user: What is in src/queue/drain.rs?",
      'call call_1 read {"path":"src/queue/drain.rs"}',
      'call call_2 grep {"input":"drain"}',
      "result call_1: fn drain() {} // 0a1b2c3d",
      "result call_2: 3 hits",
      "assistant: A function `drain_queue`.",
      "call M6.2 list {}",
      "result M6.2: drain.rs",
      "assistant: ",
      "assistant: I cannot list more.",
    ]);
    expect(imported.report).toMatchObject({ format: "openai", images: 1, models: { "gpt-5": 3 }, usage: null });
    expect(imported.report.pieces.leftOut["instructions (system message)"]).toEqual({ pieces: 1, characters: 15 });
  });

  it("of Anthropic give texts, calls and results of one message in order", () => {
    const imported = importFixture("anthropic.json");
    expect(linesOf(imported)).toEqual([
      "user: What is in src/queue/drain.rs?",
      "assistant: Reading.",
      'call toolu_1 read {"path":"src/queue/drain.rs"}',
      'call toolu_2 grep {"pattern":"drain"}',
      "result toolu_1: fn drain() {} // 0a1b2c3d",
      "error toolu_2: grep: bad pattern",
      "user: Hurry.",
      "assistant: A function `drain_queue`.",
    ]);
    expect(imported.report).toMatchObject({ format: "anthropic", reasoning: { pieces: 1, characters: 8 } });
  });

  it("are read as a list alone, and counted where they are malformed", () => {
    const imported = importText(JSON.stringify([{ role: "user", content: "hi" }, { role: "oracle" }, 7]));
    expect(linesOf(imported)).toEqual(["user: hi"]);
    expect(imported.report.entries).toEqual({
      unit: "message",
      read: 3,
      used: 1,
      skipped: { 'malformed message of role "oracle"': 1, "not an object": 1 },
    });
  });
});
