import { describe, expect, it } from "vitest";
import { importFixture, importText, jsonLinesOf, linesOf } from "./testing.ts";

const line = (uuid: string, parentUuid: string | null, rest: object) => ({ sessionId: "s", uuid, parentUuid, ...rest });
const user = (uuid: string, parent: string | null, content: unknown, rest: object = {}) =>
  line(uuid, parent, { type: "user", message: { role: "user", content }, ...rest });
const reply = (uuid: string, parent: string | null, id: string, block: object, rest: object = {}) =>
  line(uuid, parent, { type: "assistant", message: { id, role: "assistant", model: "m", content: [block] }, ...rest });
const text = (value: string) => ({ type: "text", text: value });
const use = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });
const answer = (id: string) => [{ type: "tool_result", tool_use_id: id, content: `of ${id}` }];

describe("a Claude Code session", () => {
  it("gives the branch that ends last, with split messages joined and what was queued meanwhile", () => {
    expect(linesOf(importFixture("claude.jsonl"))).toEqual([
      "user: Port src/store/disk.ts to 64 MiB pages.",
      "assistant: I look at `page_table` first.",
      'call toolu_a Read {"file_path":"/home/mirabel/tally/src/store/disk.ts"}',
      'call toolu_b Bash {"command":"npm test"}',
      "result toolu_a: 1\tconst pageBytes = 4096; // 51d2c07a",
      "error toolu_b: Exit code 1",
      "assistant: One test fails; I mend it.",
      'call L14 Edit {"path":"src/store/disk.ts"}',
      "result L14: edited",
      "user: Go on with the pages, see PR #477.",
      "assistant: Pages are 64 MiB now.",
      "user: Also tell me the page count.",
      "assistant: There are 2048 pages.",
      "user: Now write the changelog.",
      "assistant: The changelog names PR #477.",
      'call toolu_c Write {"file_path":"CHANGELOG.md","content":"64 MiB pages"}',
    ]);
  });

  it("counts each kind of line that became no record under its name", () => {
    expect(importFixture("claude.jsonl").report.entries).toEqual({
      unit: "line",
      read: 33,
      used: 16,
      skipped: {
        "attachment (todo_reminder)": 1,
        "compact summary (what it replaced is imported)": 1,
        compact_boundary: 1,
        'line of type "ai-title"': 1,
        'line of type "file-history-snapshot"': 1,
        'line of type "last-prompt"': 1,
        'line of type "progress"': 1,
        'line of type "queue-operation"': 1,
        "meta (written by the agent, not by the user)": 1,
        "only redacted thinking": 1,
        "only thinking": 1,
        "other branch": 2,
        "sidechain (a subagent's)": 2,
        "synthetic (not from a model)": 1,
        'system line "informational"': 1,
      },
    });
  });

  it("adds up the last usage of each message, and counts the lines merged into one", () => {
    const { report } = importFixture("claude.jsonl");
    expect(report.merged).toBe(6);
    expect(report.usage).toEqual({
      replies: 5,
      freshInputTokens: 10 + 20 + 30 + 31 + 40,
      cacheReadTokens: 0 + 900 + 1000 + 1000 + 500,
      cacheWriteTokens: 900 + 100 + 50 + 0 + 20,
      outputTokens: 75 + 45 + 12 + 9 + 25,
    });
    expect(report.models).toEqual({ "claude-sonnet-4-5": 5 });
  });

  it("starts at the last boundary in a live history, with its summary", () => {
    const imported = importFixture("claude.jsonl", "live");
    expect(linesOf(imported).slice(0, 2)).toEqual([
      "user: The session so far: pages were ported to 64 MiB.",
      "user: Now write the changelog.",
    ]);
    expect(imported.report.earlierCompactions).toEqual([{ place: "L25", kind: "readable", summaryCharacters: 48 }]);
  });

  it("keeps a summary in a raw history where the file does not have what it replaced", () => {
    const imported = importText(
      jsonLinesOf(user("1", null, "so far", { isCompactSummary: true }), user("2", "1", "go on")),
    );
    expect(linesOf(imported)).toEqual(["user: so far", "user: go on"]);
  });

  it("goes on over a boundary that names no line before it", () => {
    const boundary = line("2", null, { type: "system", subtype: "compact_boundary" });
    expect(linesOf(importText(jsonLinesOf(user("1", null, "old"), boundary, user("3", "2", "new"))))).toEqual([
      "user: old",
      "user: new",
    ]);
  });

  it("finds the results of parallel calls, which hang beside each other", () => {
    const imported = importText(
      jsonLinesOf(
        user("1", null, "go"),
        reply("2", "1", "m1", use("a")),
        reply("3", "2", "m1", use("b")),
        user("4", "2", answer("a")),
        user("5", "3", answer("b")),
        reply("6", "5", "m2", text("done")),
      ),
    );
    expect(linesOf(imported)).toEqual([
      "user: go",
      "call a read {}",
      "call b read {}",
      "result a: of a",
      "result b: of b",
      "assistant: done",
    ]);
    expect(imported.report.orphans).toEqual({ calls: 0, results: 0, callsWithoutId: 0 });
  });

  it("puts results that came between the lines of one message after it", () => {
    const imported = importText(
      jsonLinesOf(
        user("1", null, "go"),
        reply("2", "1", "m1", use("a")),
        user("3", "2", answer("a")),
        reply("4", "3", "m1", use("b")),
        user("5", "4", answer("b")),
      ),
    );
    expect(linesOf(imported)).toEqual([
      "user: go",
      "call a read {}",
      "call b read {}",
      "result a: of a",
      "result b: of b",
    ]);
  });

  it("does not join lines of one message id across a user's text", () => {
    const imported = importText(
      jsonLinesOf(reply("1", null, "m1", text("a")), user("2", "1", "u"), reply("3", "2", "m1", text("b"))),
    );
    expect(linesOf(imported)).toEqual(["assistant: a", "user: u", "assistant: b"]);
    expect(imported.report.merged).toBe(0);
  });

  it("is a subagent's own session where all lines are its sidechain", () => {
    const imported = importText(jsonLinesOf(user("1", null, "task", { isSidechain: true })));
    expect(linesOf(imported)).toEqual(["user: task"]);
  });

  it("takes a line that is there twice once, and ends where its tree runs in a circle", () => {
    const twice = importText(jsonLinesOf(user("1", null, "a"), user("1", null, "a"), user("2", "1", "b")));
    expect(linesOf(twice)).toEqual(["user: a", "user: b"]);
    expect(twice.report.entries.skipped["repeated line"]).toBe(1);
    const circle = importText(jsonLinesOf(user("1", "2", "a"), user("2", "1", "b")));
    expect(linesOf(circle)).toEqual(["user: a", "user: b"]);
    expect(circle.report.notes[0]).toContain("circle");
  });

  it("goes on with the line before where a parent is not in the file, and says so", () => {
    const imported = importText(jsonLinesOf(user("1", null, "a"), user("3", "2", "b")));
    expect(linesOf(imported)).toEqual(["user: a", "user: b"]);
    expect(imported.report.notes[0]).toContain("not in the file");
  });
});
