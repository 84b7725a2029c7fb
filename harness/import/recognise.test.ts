import { describe, expect, it } from "vitest";
import { formatNames } from "./formats.ts";
import { recognise } from "./recognise.ts";
import { bytesSource } from "./source.ts";
import { fixture, importText, jsonLinesOf } from "./testing.ts";

const formatOf = (content: string | Uint8Array) => recognise("session", bytesSource("session", content));

/** The message for a file that is refused. */
function refusal(content: string | Uint8Array): string {
  try {
    formatOf(content);
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "not refused";
}

describe("recognising a file", () => {
  it.each([
    ["codex.jsonl", "codex", "lines"],
    ["codex-opaque.jsonl", "codex", "lines"],
    ["codex-0.155.0.jsonl", "codex", "lines"],
    ["opencode-1.18.31.json", "opencode", "document"],
    ["claude.jsonl", "claude", "lines"],
    ["opencode.json", "opencode", "document"],
    ["opencode-storage/storage", "opencode", "storage"],
    ["pi-index.jsonl", "pi", "lines"],
    ["pi-id.jsonl", "pi", "lines"],
    ["openai.json", "openai", "document"],
    ["anthropic.json", "anthropic", "document"],
    ["records.jsonl", "records", "lines"],
  ])("takes %s for %s", (name, format, layout) => {
    expect(recognise(fixture(name))).toEqual({ format, layout });
  });

  it("looks at content alone: a session of one line, with a byte order mark, after a torn line, or after 300 progress records", () => {
    const codex = { type: "response_item", payload: { type: "message", role: "user", content: "hi" } };
    expect(formatOf(JSON.stringify(codex)).format).toBe("codex");
    expect(formatOf(`\ufeff${jsonLinesOf(codex, codex)}`).format).toBe("codex");
    expect(formatOf(jsonLinesOf('{"type":"session_meta","payl', codex, codex)).format).toBe("codex");
    const progress = { type: "progress", uuid: "1", sessionId: "s" };
    const user = { type: "user", uuid: "2", sessionId: "s", message: { role: "user", content: "hi" } };
    expect(formatOf(jsonLinesOf(...Array.from({ length: 300 }, () => progress), user)).format).toBe("claude");
    expect(
      formatOf(JSON.stringify({ records: [{ id: "1", kind: "text", role: "user", text: "hi" }], cuts: [1] })),
    ).toEqual({
      format: "records",
      layout: "document",
    });
  });

  it.each([
    [
      "Codex's history of prompts",
      jsonLinesOf({ session_id: "s", ts: 1, text: "hi" }, { session_id: "s", ts: 2, text: "ho" }),
    ],
    [
      "Claude Code's history of prompts",
      jsonLinesOf({ display: "hi", project: "/w" }, { display: "ho", project: "/w" }),
    ],
    ["the output of codex exec --json", jsonLinesOf({ type: "thread.started" }, { type: "item.completed", item: {} })],
    [
      "Claude Code's stream-json output",
      jsonLinesOf(
        { type: "system", subtype: "init", session_id: "s" },
        { type: "assistant", message: {}, session_id: "s" },
      ),
    ],
    [
      "a Codex rollout of an early release",
      jsonLinesOf({ id: "1", timestamp: "t", instructions: null }, { type: "message", role: "user", content: [] }),
    ],
    ["several conversations, one a line", jsonLinesOf({ messages: [] }, { messages: [] })],
    [
      "lines like Codex's, but without a payload",
      jsonLinesOf({ type: "response_item", role: "user" }, { type: "response_item", role: "user" }),
    ],
    [
      "lines like Claude Code's, but without uuid and sessionId",
      jsonLinesOf({ type: "user", message: "hi" }, { type: "assistant", message: "ho" }),
    ],
    [
      "lines like pi's, but without the session header",
      jsonLinesOf({ type: "message", message: {} }, { type: "message", message: {} }),
    ],
    ["chat messages, one a line", jsonLinesOf({ role: "user", content: "hi" }, { role: "assistant", content: "ho" })],
    [
      'lines of JSON with the keys "step", "thought"',
      jsonLinesOf({ step: 1, thought: "a" }, { step: 2, thought: "b" }),
    ],
    ["a ChatGPT conversation export", JSON.stringify({ title: "t", mapping: {} })],
    ["a Gemini conversation", JSON.stringify({ contents: [{ role: "user", parts: [] }] })],
    ["the messages of an OpenCode session", JSON.stringify([{ info: {}, parts: [] }])],
    ["a request of OpenAI's Responses API", JSON.stringify({ model: "m", input: [] })],
    ['a JSON document with the keys "messages"', JSON.stringify({ messages: [{ from: "human", value: "hi" }] })],
    ["a JSON list", "[1, 2]"],
    ["text that is no JSON", "# Session\n\nuser: hi\n"],
    ["white space", "  \n\n "],
    ["an SQLite database. Newer OpenCode releases", "SQLite format 3\0 and more"],
    ["a gzip file. Unpack it first", Buffer.from([0x1f, 0x8b, 8, 0])],
    ["UTF-16 text. Save it as UTF-8", Buffer.from("\ufeff{}", "utf16le")],
    ["binary data", Buffer.from([1, 2, 0, 3])],
  ])("refuses what seems to be %s, in one line", (kind, content) => {
    const message = refusal(content);
    expect(message).toContain(`session: seems to be ${kind}`);
    expect(message).toContain(`Formats that can be imported: ${formatNames.join(", ")}.`);
    expect(message).not.toContain("\n");
    expect(message.length).toBeLessThan(400);
  });

  it("refuses what is empty, missing or broken, in one line", () => {
    expect(() => formatOf("")).toThrow("session: is empty. Give a session file.");
    expect(() => recognise("/no/such/file.jsonl")).toThrow("/no/such/file.jsonl: does not exist. Give a session file.");
    expect(refusal('{"info": {"id": "ses_1"}, "messages" [}')).toBe(
      "session: is not JSON at byte 38. Give a file as the agent wrote it.",
    );
  });

  it("reads a file as the format that was asked for, and says so where nothing in it is of that format", () => {
    const text = jsonLinesOf({ role: "user", content: "hi" });
    expect(() => importText(text, "raw", "codex")).toThrow(
      "session: holds no text, call or result that can be imported as a Codex rollout. Choose another file or --format.",
    );
  });
});
