import { readdirSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeChain } from "../chain/digest.ts";
import { anyRecords } from "../chain/testing.ts";
import { histories } from "./entry.ts";
import { reportLines } from "./report.ts";
import { fixture, importFixture, importText, jsonLinesOf } from "./testing.ts";
import { writers } from "./writers/index.ts";

/** Every session file, and the storage folder. */
const fixtures = readdirSync(fixture("")).flatMap((name) =>
  name === "README.md" ? [] : name === "opencode-storage" ? [`${name}/storage`] : [name],
);
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

describe("the report of an import", () => {
  it.each(fixtures.flatMap((name) => histories.map((history) => [name, history] as const)))(
    "of %s (%s) leaves nothing uncounted",
    (name, history) => {
      const { chain, report } = importFixture(name, history);
      expect(report.entries.read).toBe(report.entries.used + sum(Object.values(report.entries.skipped)));
      expect(report.pieces.read).toBe(
        report.pieces.records + sum(Object.values(report.pieces.leftOut).map(({ pieces }) => pieces)),
      );
      expect(report.pieces.records).toBe(chain.records.length);
    },
  );

  it("gives the size that every table of a run gives for the chain", () => {
    fc.assert(
      fc.property(anyRecords, fc.constantFrom("codex", "claude", "pi", "records"), (records, format) => {
        const { chain, report } = importText(writers[format](records));
        expect(report.estimatedTokens).toBe(describeChain(chain).estimatedTokens);
      }),
    );
  });

  it("counts what it cannot understand, blank and torn lines too", () => {
    const user = { type: "user", uuid: "1", sessionId: "s", message: { role: "user", content: "hi" } };
    const text = `${jsonLinesOf(user, "", "[1]", "{oops", { ...user, type: "oracle", uuid: "2" })}{"type":"us`;
    expect(importText(text).report.entries).toEqual({
      unit: "line",
      read: 6,
      used: 1,
      skipped: { "blank line": 1, 'line of type "oracle"': 1, "not JSON": 1, "not an object": 1, "torn last line": 1 },
    });
  });

  it("stays short whatever a file makes up", () => {
    const user = { type: "user", uuid: "u", sessionId: "s", message: { role: "user", content: "hi" } };
    const odd = Array.from({ length: 300 }, (_, index) => ({
      type: `type ${index} ${"x".repeat(100)}`,
      sessionId: "s",
    }));
    const { report } = importText(jsonLinesOf(user, ...odd));
    expect(Object.keys(report.entries.skipped).length).toBe(101);
    expect(report.entries.skipped["another reason"]).toBe(200);
    expect(Math.max(...reportLines(report).map((line) => line.length))).toBeLessThan(120);
  });

  it("counts bytes that are not UTF-8, and characters that were lost before", () => {
    const item = (text: string) =>
      `{"type":"response_item","payload":{"type":"message","role":"user","content":"${text}"}}\n`;
    const { report } = importText(Buffer.concat([Buffer.from(item("a\ufffd")), Buffer.from(item("b\xff"), "latin1")]));
    expect([report.notUtf8, report.replacementCharacters]).toEqual([1, 2]);
  });

  it("says in words what a person wants to know", () => {
    expect(reportLines(importFixture("codex.jsonl").report)).toEqual(
      expect.arrayContaining([
        "lines read 31 = used 17 + skipped 14",
        "  skipped 3: event that repeats a response item",
        "  6 tool calls, 288 characters",
        "  left out 1: encrypted reasoning, 11 characters",
        "2 calls never answered, 1 result of no call, 1 call without an id, 2 images left out, 1 piece encrypted (opaque)",
        "1 earlier compaction (history: raw)",
        "models: gpt-5-codex (6)",
        "usage of 2 replies: fresh input 1,200, cache read 1,400, cache write unknown, output 150 tokens",
      ]),
    );
  });
});
