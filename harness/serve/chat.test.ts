import { describe, expect, it } from "vitest";
import type { Message } from "../chain/message.ts";
import { chatWire } from "./chat.ts";
import { ask, asking, askStream, type Json, plain, rightAnswer, serve } from "./testing.ts";
import type { Refusal } from "./wire.ts";

const read = (messages: readonly object[], more: object = {}) => chatWire.decode({ model: "m", messages, ...more });
const blocksOf = (messages: readonly Message[]) => messages.map(({ role, blocks }) => ({ role, blocks }));
const call = (id: string, name = "read", args = '{"path":"a.ts"}') => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

describe("a chat completion's request", () => {
  it("is read into neutral messages, one a result and one a text of the user", () => {
    const { system, messages } = read([
      { role: "system", content: "You are an agent." },
      { role: "developer", content: [{ type: "text", text: "Be brief." }] },
      {
        role: "user",
        content: [
          { type: "text", text: "one" },
          { type: "text", text: "two" },
        ],
      },
      {
        role: "assistant",
        content: "Looking.",
        reasoning_content: "hm",
        tool_calls: [call("c1"), call("c2", "shell", "ls")],
      },
      { role: "tool", tool_call_id: "c1", content: "export {}" },
      {
        role: "tool",
        tool_call_id: "c2",
        content: [
          { type: "text", text: "a.ts" },
          { type: "text", text: "b.ts" },
        ],
      },
      { role: "system", content: "A note on the way." },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] },
    ]);
    expect(system.map(({ text }) => text)).toEqual(["You are an agent.", "Be brief."]);
    expect(blocksOf(messages)).toEqual([
      { role: "user", blocks: [{ kind: "text", text: "one" }] },
      { role: "user", blocks: [{ kind: "text", text: "two" }] },
      {
        role: "assistant",
        blocks: [
          { kind: "reasoning", text: "hm" },
          { kind: "text", text: "Looking." },
          { kind: "call", call: "c1", tool: "read", args: { path: "a.ts" } },
          { kind: "call", call: "c2", tool: "shell", args: { arguments: "ls" } },
        ],
      },
      { role: "tool", blocks: [{ kind: "result", call: "c1", text: "export {}", error: false }] },
      { role: "tool", blocks: [{ kind: "result", call: "c2", text: "a.ts\nb.ts", error: false }] },
      { role: "user", blocks: [{ kind: "text", text: "A note on the way." }] },
      { role: "user", blocks: [{ kind: "image", mediaType: "image/png", data: "AAAA" }] },
    ]);
  });

  it("keeps tools as the session has them, and what the neutral form does not know behind that", () => {
    const tool = { name: "read", description: "Read a file.", parameters: { type: "object" } };
    const { tools } = read([{ role: "user", content: "hi" }], {
      tools: [
        { type: "function", function: tool },
        { type: "function", function: { name: "bare", strict: true } },
      ],
    });
    expect(JSON.stringify(tools[0])).toBe(JSON.stringify(tool));
    expect(tools[1]).toEqual({ name: "bare", description: "", parameters: { type: "object" }, strict: true });
  });

  it("takes its breakpoints in either spelling, its key and its output limit in either name", () => {
    const decoded = read(
      [
        {
          role: "user",
          content: [
            { type: "text", text: "own", prompt_cache_breakpoint: { mode: "explicit" } },
            { type: "text", text: "hour", cache_control: { type: "ephemeral", ttl: "1h" } },
          ],
        },
      ],
      { prompt_cache_key: "cell", prompt_cache_options: { mode: "explicit" }, max_completion_tokens: 77 },
    );
    expect([...decoded.breakpoints.values()]).toEqual(["minutes", "hour"]);
    expect(decoded).toMatchObject({ cacheKey: "cell", explicitOnly: true, maxOutputTokens: 77, stream: false });
    expect(read([{ role: "user", content: "x" }], { max_tokens: 5 }).maxOutputTokens).toBe(5);
    expect(read([{ role: "user", content: "x" }]).maxOutputTokens).toBeUndefined();
  });

  it.each([
    ["no messages", [], {}, "messages"],
    ["a role that does not exist", [{ role: "robot", content: "x" }], {}, "messages[0].role"],
    ["content of the wrong kind", [{ role: "user", content: 7 }], {}, "messages[0].content"],
    ["a part without its text", [{ role: "user", content: [{ type: "text" }] }], {}, "messages[0].content[0].text"],
    ["an assistant that says nothing", [{ role: "assistant", content: null }], {}, "messages[0].content"],
    [
      "a call without a result",
      [
        { role: "assistant", tool_calls: [call("c1")] },
        { role: "user", content: "x" },
      ],
      {},
      "messages",
    ],
    ["a result without a call", [{ role: "tool", tool_call_id: "c1", content: "x" }], {}, "messages"],
    [
      "a tool name with a dot",
      [{ role: "user", content: "x" }],
      { tools: [{ type: "function", function: { name: "a.b" } }] },
      "tools[0].function.name",
    ],
    ["two output limits", [{ role: "user", content: "x" }], { max_tokens: 5, max_completion_tokens: 5 }, "max_tokens"],
    ["an output limit of nothing", [{ role: "user", content: "x" }], { max_tokens: 0 }, "max_tokens"],
  ])("is refused with %s, naming the place", (_what, messages, more, param) => {
    expect(() => read(messages, more)).toThrow(expect.objectContaining({ status: 400, param }) as Refusal);
  });
});

describe("a chat completion", () => {
  it("has the reply and its usage", async () => {
    const { status, body } = await ask(await serve(), "chat");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "chat.completion",
      model: "any",
      choices: [{ index: 0, message: { role: "assistant", content: rightAnswer }, finish_reason: "stop" }],
      usage: { completion_tokens: 6, prompt_tokens_details: { cached_tokens: 0 } },
    });
    expect(body["usage"]?.["total_tokens"]).toBe(Number(body["usage"]?.["prompt_tokens"]) + 6);
  });

  it("is cut at its output limit and says so", async () => {
    const { body } = await ask(await serve(), "chat", { max_tokens: 2 });
    expect(body).toMatchObject({ choices: [{ message: { content: '{"appear' }, finish_reason: "length" }] });
  });

  it("streams the same text, the reason it ended, the usage where asked for, and an end", async () => {
    const { headers, events } = await askStream(await serve(), "chat");
    expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
    const chunks = events.slice(0, -1) as Json[];
    const text = chunks.map((chunk) => plain(chunk["choices"]?.[0]?.["delta"]?.["content"] ?? "")).join("");
    expect(text).toBe(rightAnswer);
    expect(chunks.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: "stop" }] });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 6 } });
    expect(events.at(-1)).toBe("[DONE]");
  });

  it("streams no usage that was not asked for", async () => {
    const server = await serve();
    const { text } = await askStream(server, "chat", { stream_options: null });
    expect(text).not.toContain('"usage"');
    expect(server.log[0]).toMatchObject({ answered: true, usage: null, billed: { outputTokens: 6 } });
  });

  it("finds a sheet that shares its message with the history", async () => {
    const [history, question] = asking("chat")["messages"] as { content: string }[];
    const merged = [{ role: "user", content: `${history?.content}\n${question?.content}` }];
    const { body } = await ask(await serve(), "chat", { messages: merged });
    expect(body).toMatchObject({ choices: [{ message: { content: rightAnswer } }] });
  });
});
