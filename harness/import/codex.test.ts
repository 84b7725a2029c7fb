import { describe, expect, it } from "vitest";
import { importFixture, importText, jsonLinesOf, linesOf } from "./testing.ts";

const meta = { type: "session_meta", payload: { id: "s", cli_version: "0.155.0" } };
const item = (payload: object) => ({ type: "response_item", payload });
const said = (role: string, text: string) => item({ type: "message", role, content: [{ type: "input_text", text }] });
const event = (payload: object) => ({ type: "event_msg", payload });
const call = (call_id: string) => item({ type: "function_call", name: "read", arguments: "{}", call_id });
const output = (call_id: string, text: unknown) => item({ type: "function_call_output", call_id, output: text });

describe("a Codex rollout", () => {
  it("gives its messages, calls of every kind and outputs, in order", () => {
    expect(linesOf(importFixture("codex.jsonl"))).toEqual([
      "user: <environment_context>\n  <cwd>/home/mirabel/tally</cwd>\n</environment_context>",
      "user: The tally of src/ledger/sum.ts is off by 12.5 MiB, see PR #318.",
      "assistant: I read the file and its log first.",
      'call call_a shell {"command":["cat","src/ledger/sum.ts"]}',
      'call call_b shell {"command":["tail","ledger.log"]}',
      "result call_a: export const sum = (rows) => rows.length; // 9f3c01ab",
      "error call_b: tail: ledger.log: no such file",
      'call call_c apply_patch {"input":"*** Begin Patch\\n*** Update File: src/ledger/sum.ts\\n*** End Patch"}',
      'result call_c: {"output":"Success","metadata":{"exit_code":0}}',
      'call call_d local_shell {"type":"exec","command":["npm","test"],"timeout_ms":60000}',
      "result call_d: 14 tests passed, trace_51d2c07a",
      'call L21 web_search {"type":"search","query":"integer sums"}',
      "result call_orphan: nobody asked",
      "assistant: Fixed: the sum now adds `row_bytes`.",
      "user: Now count the rows too.",
      "assistant: Counting rows in src/ledger/rows.ts.",
      'call call_e shell {"input":"{\\"command\\":[\\"wc\\",\\"-l\\""}',
    ]);
  });

  it("is not imported twice where events repeat the response items", () => {
    const { report } = importFixture("codex.jsonl");
    expect(report.entries.skipped["event that repeats a response item"]).toBe(3);
    expect(report.kinds["user text"].records).toBe(3);
  });

  it("reports what it holds besides: images, encrypted reasoning, orphans, compactions, models and the last total usage", () => {
    const { report } = importFixture("codex.jsonl");
    expect(report).toMatchObject({
      format: "codex",
      versions: ["0.155.0"],
      images: 2,
      opaque: { pieces: 1, characters: 11 },
      orphans: { calls: 2, results: 1, callsWithoutId: 1 },
      earlierCompactions: [{ place: "L24", kind: "readable", summaryCharacters: 48 }],
      models: { "gpt-5-codex": 6 },
      usage: { replies: 2, freshInputTokens: 1200, cacheReadTokens: 1400, cacheWriteTokens: null, outputTokens: 150 },
    });
    expect(report.pieces.leftOut["instructions (developer message)"]).toEqual({ pieces: 1, characters: 23 });
  });

  it("joins text and calls of one reply, which a token count or an output ends", () => {
    const tokens = event({ type: "token_count", info: null });
    const { chain } = importText(
      jsonLinesOf(
        meta,
        said("assistant", "a"),
        call("1"),
        output("1", "x"),
        said("assistant", "b"),
        tokens,
        said("assistant", "c"),
      ),
    );
    const positions = chain.records.map(({ position }) => position);
    expect(positions[0]).toBe(positions[1]);
    expect(new Set(positions).size).toBe(4);
  });

  it("has what a compaction replaced in a raw history, and the replacement alone in a live one", () => {
    expect(linesOf(importFixture("codex.jsonl")).join()).not.toContain("Summary");
    expect(linesOf(importFixture("codex.jsonl", "live")).slice(0, 3)).toEqual([
      "user: The tally of src/ledger/sum.ts is off by 12.5 MiB, see PR #318.",
      "user: Summary: the sum of src/ledger/sum.ts was fixed.",
      "user: Now count the rows too.",
    ]);
  });

  it("leaves out the reply that became a compaction's summary, which real rollouts hold too", () => {
    const compacted = { type: "compacted", payload: { message: "Header.\nthe summary", replacement_history: [] } };
    const imported = importText(
      jsonLinesOf(
        meta,
        said("user", "a"),
        said("assistant", "b"),
        said("assistant", "the summary"),
        event({ type: "token_count" }),
        compacted,
        said("user", "c"),
      ),
    );
    expect(linesOf(imported)).toEqual(["user: a", "assistant: b", "user: c"]);
    expect(imported.report.entries.skipped["summary of a compaction, as a reply"]).toBe(1);
  });

  it("of release 0.155.0, as the program wrote it, gives texts, calls and outputs once, with failures and usage by reply", () => {
    const imported = importFixture("codex-0.155.0.jsonl");
    expect(linesOf(imported).map((one) => one.split("\n")[0])).toEqual([
      "user: What is in this folder?",
      "assistant: I look at the folder first.",
      String.raw`call call_resp_mock_1 exec_command {"cmd":"printf \"ledger.csv 9f3c01ab\\n\""}`,
      "result call_resp_mock_1: Chunk ID: f745e3",
      "assistant: It holds ledger.csv, see `row_count`.",
      "user: And in /no/such/place?",
      'call call_resp_mock_3 exec_command {"cmd":"ls /no/such/place"}',
      "error call_resp_mock_3: Chunk ID: 8e69d6",
      "assistant: That place does not exist.",
    ]);
    expect(imported.report).toMatchObject({
      models: { "mock-model": 4 },
      usage: { replies: 4, freshInputTokens: 4000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 40 },
    });
  });

  it("has the replacement in a raw history where the file begins with it", () => {
    const compacted = {
      type: "compacted",
      payload: { message: "", replacement_history: [said("user", "kept").payload] },
    };
    expect(linesOf(importText(jsonLinesOf(meta, compacted, said("assistant", "on"))))).toEqual([
      "user: kept",
      "assistant: on",
    ]);
  });

  it("lives on with the user's texts and the summary after a compaction of an old release", () => {
    expect(linesOf(importFixture("codex-legacy-compaction.jsonl", "live"))).toEqual([
      "user: First wish.",
      "user: Summary of the first wish.",
      "user: Second wish.",
      "assistant: Second answer.",
    ]);
  });

  it("says that an encrypted compaction is opaque, and keeps the developer's packet out of the history", () => {
    const imported = importFixture("codex-opaque.jsonl", "live");
    expect(linesOf(imported)[0]).toBe("user: Rename the cache module.");
    expect(imported.report.earlierCompactions).toEqual([{ place: "L5", kind: "opaque", summaryCharacters: 0 }]);
    expect(imported.report.notes).toContain(
      "What survived the last compaction is opaque: only the provider that encrypted it can read it.",
    );
    expect(imported.report.pieces.leftOut["instructions (developer message)"]?.characters).toBe(32 * 60);
    expect(imported.report.orphans.calls).toBe(5);
  });

  it.each([
    ["a text", "plain", "plain"],
    [
      "content parts",
      [
        { type: "input_text", text: "a" },
        { type: "input_text", text: "b" },
      ],
      "a\nb",
    ],
    ["an object with content", { content: "held", success: true }, "held"],
    ["any other object", { exit: 0 }, '{"exit":0}'],
    ["nothing", null, ""],
  ])("takes an output that is %s", (_what, value, text) => {
    expect(linesOf(importText(jsonLinesOf(meta, call("1"), output("1", value))))[1]).toBe(`result 1: ${text}`);
  });
});
