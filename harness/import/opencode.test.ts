import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { importChain } from "./import.ts";
import { importFixture, importText, linesOf } from "./testing.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));
const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "import-"));
  folders.push(folder);
  return folder;
};

const raw = [
  "user: Why is lib/cache/evict.py slow? It takes 40 MB.",
  "assistant: I profile `evict_all`.",
  'call call_1 bash {"command":"python -m cProfile"}',
  'call call_2 bash {"command":"perf"}',
  "result call_1: evict_all 2.1 s, trace_77aa01bc",
  "error call_2: perf: not found",
  "assistant: The console wrote \ufffd\ufffd\ufffd where umlauts were.",
  "user: Keep only 12 MB.",
  "assistant: Set in PR #204.",
  "user: Carry on.",
  'call call_3 read {"filePath":"lib/cache/evict.py"}',
  "result call_3: def evict_all(): ...",
  "assistant: Still reading.",
  'call call_4 bash {"command":"pytest"}',
  "call call_5 bash {}",
];

describe("an OpenCode session", () => {
  it("gives its messages step by step, results after the calls of their step", () => {
    expect(linesOf(importFixture("opencode.json"))).toEqual(raw);
  });

  it.each([
    "opencode-storage/storage",
    "opencode-storage/storage/session/global/ses_fixture000000000000000001.json",
    "opencode-storage/storage/message/ses_fixture000000000000000001",
  ])("is the same out of %s as exported", (path) => {
    expect(importFixture(path)).toEqual(importFixture("opencode.json"));
  });

  it("is found in the folders of older releases too", () => {
    const root = join(temporary(), "storage/session");
    const put = (path: string, value: object): void => {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), JSON.stringify(value));
    };
    put("info/ses_a.json", { id: "ses_a", version: "0.3.1" });
    put("message/ses_a/msg_1.json", { id: "msg_1", role: "user" });
    put("part/ses_a/msg_1/prt_1.json", { type: "text", text: "old" });
    const imported = importChain(join(root, "info/ses_a.json"), { format: "auto", history: "raw", name: "x" });
    expect(linesOf(imported)).toEqual(["user: old"]);
    expect(imported.report.versions).toEqual(["0.3.1"]);
  });

  it("names the file to give where a storage folder has several sessions", () => {
    const root = temporary();
    for (const session of ["ses_a", "ses_b"]) mkdirSync(join(root, "message", session), { recursive: true });
    expect(() => importChain(root, { format: "auto", history: "raw", name: "x" })).toThrow(
      "is OpenCode's storage of 2 sessions. Give the file of one session",
    );
  });

  it("reports two models, usage, marks and pictures left out, running calls and lost characters", () => {
    const { report } = importFixture("opencode.json");
    expect(report).toMatchObject({
      images: 1,
      replacementCharacters: 3,
      orphans: { calls: 2, results: 0 },
      models: { "glm-4": 3, "kimi-k2": 1 },
      earlierCompactions: [{ place: "M7", kind: "readable", summaryCharacters: 31 }],
      usage: { replies: 4, freshInputTokens: 1900, outputTokens: 48 },
    });
    expect(report.entries).toEqual({
      unit: "message",
      read: 9,
      used: 7,
      skipped: { "mark of a compaction": 1, "summary of a compaction": 1 },
    });
  });

  it("begins with the last mark, its summary and what it kept in a live history", () => {
    expect(linesOf(importFixture("opencode.json", "live")).slice(0, 5)).toEqual([
      "user: (compaction)",
      "assistant: So far: evict_all was profiled.",
      "user: Keep only 12 MB.",
      "assistant: Set in PR #204.",
      "user: Carry on.",
    ]);
  });

  it("of release 1.18.31, as the program exported it after a compaction, has everything raw and the program's own order live", () => {
    const raw = linesOf(importFixture("opencode-1.18.31.json")).map((one) => one.slice(0, 30));
    expect(raw).toEqual([
      "user: Why is lib/cache/evict.p",
      "assistant: I profile `evict_al",
      'call c1 bash {"command":"pytho',
      'call c2 bash {"command":"perf"',
      "result c1: evict_all 2.1 s, tr",
      "error c2: perf: not found",
      "assistant: It sorts twice.",
      "user: Keep only 12 MB. Mind th",
      "assistant: Set in PR #204.",
      "user: Now the tests.",
      "assistant: MOCK REPLY 1",
    ]);
    const live = linesOf(importFixture("opencode-1.18.31.json", "live")).map((one) => one.slice(0, 30));
    expect(live).toEqual([
      "user: (compaction)",
      "assistant: MOCK SUMMARY 1: ## ",
      raw[6],
      raw[7],
      raw[8],
      raw[9],
      raw[10],
    ]);
  });

  it("has an output that the agent cleared in a raw history, and a note in its place in a live one", () => {
    const part = {
      type: "tool",
      tool: "read",
      callID: "c",
      state: { status: "completed", input: {}, output: "long", time: { compacted: 1 } },
    };
    const session = JSON.stringify({
      info: { id: "ses_a" },
      messages: [{ info: { id: "m", role: "assistant" }, parts: [part] }],
    });
    expect(linesOf(importText(session))[1]).toBe("result c: long");
    expect(linesOf(importText(session, "live"))[1]).toBe("result c: (output cleared by the agent)");
  });

  it("leaves out what the user took back", () => {
    const message = (id: string, text: string) => ({ info: { id, role: "user" }, parts: [{ type: "text", text }] });
    const session = {
      info: { id: "ses_a", revert: { messageID: "m2" } },
      messages: [message("m1", "a"), message("m2", "b")],
    };
    const imported = importText(JSON.stringify(session));
    expect(linesOf(imported)).toEqual(["user: a"]);
    expect(imported.report.entries.skipped).toEqual({ "taken back by the user": 1 });
  });

  it("is refused where the export was cut short", () => {
    expect(() =>
      importText(JSON.stringify({ info: {}, messages: [{ info: { id: "m", role: "user" }, parts: [] }] }).slice(0, -3)),
    ).toThrow("session: ends in the middle of its JSON: it was cut short. Export it again.");
  });
});
