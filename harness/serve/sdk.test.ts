import Anthropic, { BadRequestError } from "@anthropic-ai/sdk";
import OpenAI, { RateLimitError } from "openai";
import { describe, expect, it } from "vitest";
import type { OfflineServer } from "./server.ts";
import { fact, rightAnswer, serve, sheet } from "./testing.ts";

const apiKey = "sk-never-written-down";
const openai = ({ baseUrl }: OfflineServer) =>
  new OpenAI({ apiKey, baseURL: `${baseUrl}/v1`, maxRetries: 0, organization: null, project: null });
const anthropic = ({ baseUrl }: OfflineServer) => new Anthropic({ apiKey, baseURL: baseUrl, maxRetries: 0 });

const messages = [
  { role: "user" as const, content: fact },
  { role: "user" as const, content: sheet },
];
const chat = { model: "any", messages, max_completion_tokens: 500 };
const withUsage = { ...chat, stream_options: { include_usage: true } };
const message = { model: "any", messages, max_tokens: 500 };
const callOnly = { faults: [{ on: { every: 1 }, fault: "call-only" }] };

describe("the official OpenAI client", () => {
  it("asks and streams a chat completion", async () => {
    const { chat: api } = openai(await serve());
    const whole = await api.completions.create(chat);
    const streamed = await api.completions.stream(withUsage).finalChatCompletion();
    expect(whole.choices[0]?.message.content).toBe(rightAnswer);
    expect(streamed.choices[0]?.message.content).toBe(rightAnswer);
    expect(streamed.usage).toEqual(whole.usage);
  });

  it("gets a reply that is a tool call only, streamed or not", async () => {
    const { chat: api } = openai(await serve(callOnly));
    const whole = (await api.completions.create(chat)).choices[0];
    const streamed = (await api.completions.stream(withUsage).finalChatCompletion()).choices[0];
    for (const choice of [whole, streamed]) {
      expect(choice).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
      expect(choice?.message.tool_calls).toMatchObject([
        { function: { name: "read", arguments: '{"path":"README.md"}' } },
      ]);
    }
  });

  it("asks and streams a response", async () => {
    const { responses } = openai(await serve());
    const request = { model: "any", input: messages };
    expect((await responses.create(request)).output_text).toBe(rightAnswer);
    const streamed = await responses.stream(request).finalResponse();
    expect(streamed.output_text).toBe(rightAnswer);
    expect(streamed.usage?.output_tokens).toBe(6);
  });

  it("gets a response that is a tool call only, streamed or not", async () => {
    const { responses } = openai(await serve(callOnly));
    const request = { model: "any", input: messages };
    for (const { output } of [await responses.create(request), await responses.stream(request).finalResponse()])
      expect(output).toMatchObject([{ type: "function_call", name: "read", arguments: '{"path":"README.md"}' }]);
  });

  it("knows its errors again", async () => {
    const api = openai(
      await serve({
        faults: [
          { on: 1, fault: "context-overflow" },
          { on: 2, fault: "rate-limit" },
        ],
      }),
    ).chat;
    await expect(api.completions.create(chat)).rejects.toMatchObject({ status: 400, code: "context_length_exceeded" });
    await expect(api.completions.create(chat)).rejects.toBeInstanceOf(RateLimitError);
  });

  it("lists the model", async () => {
    const server = await serve();
    expect((await openai(server).models.list()).data.map(({ id }) => id)).toEqual(["offline-1"]);
    expect((await openai(server).models.retrieve("x/y")).id).toBe("x/y");
  });
});

describe("the official Anthropic client", () => {
  it("asks and streams a message", async () => {
    const { messages: api } = anthropic(await serve());
    const whole = await api.create(message);
    const streamed = await api.stream(message).finalMessage();
    expect(whole.content).toEqual([{ type: "text", text: rightAnswer }]);
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.usage).toEqual(whole.usage);
  });

  it("gets a reply that is a tool call only, streamed or not", async () => {
    const { messages: api } = anthropic(await serve(callOnly));
    for (const reply of [await api.create(message), await api.stream(message).finalMessage()])
      expect(reply).toMatchObject({
        stop_reason: "tool_use",
        content: [{ type: "tool_use", name: "read", input: { path: "README.md" } }],
      });
  });

  it("gets reasoning apart from the text", async () => {
    const { messages: api } = anthropic(await serve({ faults: [{ on: { every: 1 }, fault: "reasoning-only" }] }));
    const whole = await api.create(message);
    expect((await api.stream(message).finalMessage()).content).toEqual(whole.content);
    expect(whole.content).toMatchObject([{ type: "thinking" }]);
  });

  it("writes a prefix at a breakpoint and reads it in the next request", async () => {
    const { messages: api } = anthropic(await serve());
    const system = [
      { type: "text" as const, text: "word ".repeat(1000), cache_control: { type: "ephemeral" as const } },
    ];
    const [first, second] = [
      await api.create({ ...message, system }),
      await api.create({ ...message, system, max_tokens: 400 }),
    ];
    expect(first.usage).toMatchObject({ cache_creation_input_tokens: 1251, cache_read_input_tokens: 0 });
    expect(second.usage).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: 1251 });
    expect(second.usage.input_tokens).toBe(first.usage.input_tokens);
  });

  it("knows its errors again", async () => {
    const { messages: api } = anthropic(await serve({ faults: [{ on: 1, fault: { name: "status", status: 529 } }] }));
    await expect(api.create(message)).rejects.toMatchObject({ status: 529, type: "overloaded_error" });
    await expect(api.create({ ...message, messages: [] })).rejects.toBeInstanceOf(BadRequestError);
  });

  it("lists the model", async () => {
    expect((await anthropic(await serve()).models.list()).data.map(({ id }) => id)).toEqual(["offline-1"]);
  });
});

describe("the log", () => {
  it("holds no key of either client", async () => {
    const server = await serve();
    await openai(server).chat.completions.create(chat);
    await anthropic(server).messages.create(message);
    expect(server.log).toHaveLength(2);
    expect(JSON.stringify(server.log)).not.toContain(apiKey);
  });
});
