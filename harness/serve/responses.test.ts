import { describe, expect, it } from "vitest";
import { responsesWire } from "./responses.ts";
import { ask, askStream, type Json, plain, rightAnswer, serve } from "./testing.ts";
import type { Refusal } from "./wire.ts";

const read = (input: unknown, more: object = {}) => responsesWire.decode({ model: "m", input, ...more });
const call = (id: string) => ({ type: "function_call", call_id: id, name: "shell", arguments: '{"command":"ls"}' });
const output = (id: string, text: unknown = "a.ts") => ({ type: "function_call_output", call_id: id, output: text });
const said = (role: string, type: string, text: string) => ({ type: "message", role, content: [{ type, text }] });

describe("a response's request", () => {
  it("is read as coding agents send it: instructions, developer and context messages, items", () => {
    const decoded = read(
      [
        said("developer", "input_text", "Mind the sandbox."),
        said("user", "input_text", "Look."),
        { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "x" },
        said("assistant", "output_text", "Looking."),
        call("c1"),
        { type: "custom_tool_call", call_id: "c2", name: "patch", input: "*** Begin" },
        output("c1", [{ type: "input_text", text: "a.ts" }]),
        { type: "custom_tool_call_output", call_id: "c2", output: "done" },
        { role: "user", content: "Go on." },
        { type: "song", title: "unknown" },
      ],
      {
        instructions: "You are an agent.",
        tools: [
          { type: "function", name: "shell", description: "", parameters: { type: "object" }, strict: false },
          { type: "web_search" },
        ],
      },
    );
    expect(decoded.system.map(({ text }) => text)).toEqual(["You are an agent.", "Mind the sandbox."]);
    expect(decoded.tools.map(({ name }) => name)).toEqual(["shell", "web_search"]);
    expect(decoded.messages.map(({ role, blocks }) => ({ role, blocks }))).toEqual([
      { role: "user", blocks: [{ kind: "text", text: "Look." }] },
      {
        role: "assistant",
        blocks: [
          { kind: "reasoning", text: "hm" },
          { kind: "text", text: "Looking." },
          { kind: "call", call: "c1", tool: "shell", args: { command: "ls" } },
          { kind: "call", call: "c2", tool: "patch", args: { input: "*** Begin" } },
        ],
      },
      { role: "tool", blocks: [{ kind: "result", call: "c1", text: "a.ts", error: false }] },
      { role: "tool", blocks: [{ kind: "result", call: "c2", text: "done", error: false }] },
      { role: "user", blocks: [{ kind: "text", text: "Go on." }] },
      { role: "user", blocks: [{ kind: "text", text: '{"type":"song","title":"unknown"}' }] },
    ]);
  });

  it.each([
    ["an empty input", [], "input"],
    ["an item without its fields", [{ type: "function_call", name: "x" }], "input[0].call_id"],
    ["an output without a call", [output("c9")], "input"],
    ["a call without an output", [call("c1")], "input"],
  ])("is refused with %s, naming the place", (_what, input, param) => {
    expect(() => read(input)).toThrow(expect.objectContaining({ status: 400, param }) as Refusal);
  });
});

describe("a response", () => {
  it("has the reply and its usage", async () => {
    const { body } = await ask(await serve(), "responses");
    expect(body).toMatchObject({
      object: "response",
      status: "completed",
      output: [{ type: "message", content: [{ type: "output_text", text: rightAnswer }] }],
      usage: { input_tokens_details: { cached_tokens: 0 }, output_tokens: 6 },
    });
  });

  it("streams from created to completed, each item added and done, numbered throughout", async () => {
    const { events } = await askStream(await serve(), "responses");
    const all = events as Json[];
    expect(all.map(({ type }) => plain(type))).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(all.map(({ sequence_number }) => Number(sequence_number))).toEqual(all.map((_, at) => at));
    expect(all.at(-2)).toMatchObject({ item: { type: "message", content: [{ text: rightAnswer }] } });
    expect(all.at(-1)).toMatchObject({ response: { status: "completed", usage: { output_tokens: 6 } } });
  });

  it("ends as incomplete when its output limit is reached", async () => {
    const { events } = await askStream(await serve(), "responses", { max_output_tokens: 2 });
    expect(events.at(-1)).toMatchObject({
      type: "response.incomplete",
      response: { incomplete_details: { reason: "max_output_tokens" } },
    });
  });

  it("fails inside the stream where a streamed request does not fit, and with a 400 otherwise", async () => {
    const server = await serve({ windowTokens: 600 });
    const { status, events } = await askStream(server, "responses");
    expect(status).toBe(200);
    expect(events.at(-1)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "context_length_exceeded" } },
    });
    const whole = await ask(server, "responses");
    expect(whole).toMatchObject({ status: 400, body: { error: { code: "context_length_exceeded" } } });
    expect(server.log.map(({ answered, billed }) => ({ answered, billed }))).toEqual(
      Array.from({ length: 2 }, () => ({ answered: false, billed: null })),
    );
  });
});
