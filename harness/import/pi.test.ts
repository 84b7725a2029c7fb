import { describe, expect, it } from "vitest";
import { importFixture, importText, jsonLinesOf, linesOf } from "./testing.ts";

const header = { type: "session", id: "s", timestamp: "t", cwd: "/w" };
const message = (content: object, rest: object = {}) => ({
  type: "message",
  timestamp: "t",
  message: content,
  ...rest,
});

describe("a pi session", () => {
  it("gives everything as if never compacted, and counts both compactions", () => {
    const imported = importFixture("pi-index.jsonl");
    expect(linesOf(imported)).toEqual([
      "user: List the ledgers.",
      "assistant: Listing.",
      'call tc_1 bash {"command":"ls ledgers"}',
      "result tc_1: a.csv b.csv ver_1f2e3d4c",
      "assistant: Two ledgers.",
      "user: Sum a.csv.",
      "user: $ wc -l a.csv\n310 a.csv",
      "assistant: a.csv has 310 rows.",
      "user: Thanks, now b.csv.",
      "assistant: b.csv has 12 rows.",
    ]);
    expect(imported.report.earlierCompactions.map(({ place }) => place)).toEqual(["L6", "L11"]);
    expect(imported.report.usage).toMatchObject({
      replies: 4,
      freshInputTokens: 40,
      cacheReadTokens: 12,
      cacheWriteTokens: 0,
    });
  });

  it("begins a live history with the last summary, then what it kept, counted by index", () => {
    expect(linesOf(importFixture("pi-index.jsonl", "live"))).toEqual([
      "user: Ledgers listed, a.csv counted.",
      "user: $ wc -l a.csv\n310 a.csv",
      "assistant: a.csv has 310 rows.",
      "user: Thanks, now b.csv.",
      "assistant: b.csv has 12 rows.",
    ]);
  });

  it("keeps to the branch that ends last, and finds what a compaction kept by its id", () => {
    expect(linesOf(importFixture("pi-id.jsonl"))).toEqual([
      "user: Draw the ledger.",
      "assistant: Drawn to out/ledger.html.",
      "user: In green.",
      "assistant: Green it is.",
      'call tc_9 write {"path":"out/ledger.html"}',
      "error tc_9: disk full",
      "user: Free some space.",
      "assistant: Freed 3 GB.",
    ]);
    expect(importFixture("pi-id.jsonl").report.entries.skipped["other branch"]).toBe(2);
    expect(linesOf(importFixture("pi-id.jsonl", "live")).slice(0, 2)).toEqual([
      "user: A green ledger was drawn.",
      "assistant: Green it is.",
    ]);
  });

  it("leaves out a command that the user kept out of the context", () => {
    const secret = { role: "bashExecution", command: "env", output: "X=1", excludeFromContext: true };
    const imported = importText(jsonLinesOf(header, message({ role: "user", content: "hi" }), message(secret)));
    expect(linesOf(imported)).toEqual(["user: hi"]);
    expect(imported.report.entries.skipped["only command that the user kept out of the context"]).toBe(1);
  });

  it("counts a message that it cannot read under its role", () => {
    const imported = importText(
      jsonLinesOf(header, message({ role: "user", content: "hi" }), message({ role: "oracle" })),
    );
    expect(imported.report.entries.skipped['malformed message of role "oracle"']).toBe(1);
  });
});
