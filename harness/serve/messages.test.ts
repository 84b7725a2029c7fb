import { describe, expect, it } from "vitest";
import { messagesWire } from "./messages.ts";
import { ask, askStream, fact, type Json, plain, rightAnswer, serve, sheet } from "./testing.ts";
import type { Refusal } from "./wire.ts";

const read = (messages: readonly object[], more: object = {}) =>
  messagesWire.decode({ model: "m", max_tokens: 10, messages, ...more });
const hi = [{ role: "user", content: "hi" }];
const tools = [{ name: "read", description: "Read a file.", input_schema: { type: "object" } }];
const use = (id: string) => ({ type: "tool_use", id, name: "read", input: { path: "a.ts" } });
const result = (id: string, more: object = {}) => ({ type: "tool_result", tool_use_id: id, content: "x", ...more });
const text = (words: string, more: object = {}) => ({ type: "text", text: words, ...more });
const mark = { cache_control: { type: "ephemeral" } };
const hour = { cache_control: { type: "ephemeral", ttl: "1h" } };

describe("an Anthropic message's request", () => {
  it("is read into neutral messages, merged ones taken apart", () => {
    const decoded = read(
      [
        { role: "user", content: "Look." },
        {
          role: "assistant",
          content: [{ type: "thinking", thinking: "hm", signature: "s" }, text("Looking."), use("t1"), use("t2")],
        },
        {
          role: "user",
          content: [
            result("t1", { content: [text("one"), text("two")] }),
            result("t2", { is_error: true }),
            text("And now?"),
            text("Sum up."),
          ],
        },
      ],
      { tools, system: "You are an agent." },
    );
    expect(decoded.system.map((block) => block.text)).toEqual(["You are an agent."]);
    expect(decoded.messages.map(({ role, blocks }) => ({ role, blocks }))).toEqual([
      { role: "user", blocks: [{ kind: "text", text: "Look." }] },
      {
        role: "assistant",
        blocks: [
          { kind: "reasoning", text: "hm" },
          { kind: "text", text: "Looking." },
          { kind: "call", call: "t1", tool: "read", args: { path: "a.ts" } },
          { kind: "call", call: "t2", tool: "read", args: { path: "a.ts" } },
        ],
      },
      { role: "tool", blocks: [{ kind: "result", call: "t1", text: "one\ntwo", error: false }] },
      { role: "tool", blocks: [{ kind: "result", call: "t2", text: "x", error: true }] },
      { role: "user", blocks: [{ kind: "text", text: "And now?" }] },
      { role: "user", blocks: [{ kind: "text", text: "Sum up." }] },
    ]);
  });

  it("has its tools as the session has them, and breakpoints on tools, system and blocks", () => {
    const decoded = read([{ role: "user", content: [text("a", mark), text("b")] }], {
      tools: [{ ...tools[0], ...hour }],
      system: [text("You are an agent.", hour)],
    });
    expect(JSON.stringify(decoded.tools)).toBe(
      '[{"name":"read","description":"Read a file.","parameters":{"type":"object"}}]',
    );
    expect([...decoded.breakpoints.values()]).toEqual(["hour", "hour", "minutes"]);
  });

  it("puts automatic caching behind the last block", () => {
    const { breakpoints, messages } = read([...hi, { role: "user", content: [text("a"), text("b")] }], mark);
    expect([...breakpoints.keys()]).toEqual([messages.at(-1)?.blocks[0]]);
  });

  it.each([
    ["no output limit", hi, { max_tokens: undefined }, /^max_tokens/],
    ["an empty text", [{ role: "user", content: "" }], {}, /^messages\[0\]\.content: .*white space/],
    [
      "a text of white space",
      [{ role: "user", content: [text(" \n")] }],
      {},
      /^messages\[0\]\.content\[0\]\.text: .*white space/,
    ],
    ["no blocks", [{ role: "user", content: [] }], {}, /^messages\[0\]\.content/],
    [
      "a block that does not exist",
      [{ role: "user", content: [{ type: "song" }] }],
      {},
      /^messages\[0\]\.content\[0\]\.type/,
    ],
    [
      "a call without a result",
      [{ role: "assistant", content: [use("t1")] }, ...hi],
      { tools },
      /call "t1" has no result/,
    ],
    [
      "a result behind a text",
      [
        { role: "assistant", content: [use("t1")] },
        { role: "user", content: [text("so"), result("t1")] },
      ],
      { tools },
      /call "t1" has no result/,
    ],
    [
      "an id with a tilde",
      [
        { role: "assistant", content: [use("t~2")] },
        { role: "user", content: [result("t~2")] },
      ],
      { tools },
      /\.id: /,
    ],
    [
      "calls and no tools",
      [
        { role: "assistant", content: [use("t1")] },
        { role: "user", content: [result("t1")] },
      ],
      {},
      /^tools: /,
    ],
    [
      "five breakpoints",
      [{ role: "user", content: ["a", "b", "c", "d", "e"].map((one) => text(one, mark)) }],
      {},
      /at most 4/,
    ],
    [
      "an hour behind minutes",
      [{ role: "user", content: [text("a", mark), text("b", hour)] }],
      {},
      /longer ones come first/,
    ],
  ])("is refused with %s", (_what, messages, more, message) => {
    expect(() => read(messages, more)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringMatching(message) as string }) as Refusal,
    );
  });
});

describe("an Anthropic message", () => {
  it("has the reply and its usage", async () => {
    const { status, body } = await ask(await serve(), "messages");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type: "message",
      role: "assistant",
      content: [{ type: "text", text: rightAnswer }],
      stop_reason: "end_turn",
      usage: { cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 6 },
    });
  });

  it("streams as start, blocks, delta and stop, input counts first and the output count last", async () => {
    const { events, text: raw } = await askStream(await serve(), "messages");
    const [start, , ...rest] = events as Json[];
    expect(raw).toMatch(/^event: message_start\n/);
    expect(start).toMatchObject({ type: "message_start", message: { content: [], usage: { output_tokens: 1 } } });
    expect(Number(start?.["message"]?.["usage"]?.["input_tokens"])).toBeGreaterThan(100);
    expect(rest.map(({ type }) => plain(type))).toEqual([
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(rest[1]).toMatchObject({ delta: { type: "text_delta", text: rightAnswer } });
    expect(rest[3]).toMatchObject({ delta: { stop_reason: "end_turn" }, usage: { output_tokens: 6 } });
  });

  it("reads a sheet that was merged into the message with the results before it", async () => {
    const merged = [
      { role: "user", content: "Look." },
      { role: "assistant", content: [use("t1")] },
      { role: "user", content: [result("t1", { content: fact }), text("Well?"), text(sheet)] },
    ];
    const { body } = await ask(await serve(), "messages", { messages: merged, tools });
    expect(body).toMatchObject({ content: [{ text: rightAnswer }] });
  });

  it("refuses what does not fit the window in its own words", async () => {
    const { status, body } = await ask(await serve({ windowTokens: 600 }), "messages");
    expect(status).toBe(400);
    expect(body).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
    expect(plain(body["error"]?.["message"])).toMatch(/^prompt is too long: .*exceed the window of 600/);
  });
});
