import * as fc from "fast-check";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import type { ModelRequest } from "../model.ts";
import { filler } from "../remote/turns.ts";
import { anyRequest, callBlock, readTool, requestOf, resultOf, say, textBlock } from "../remote/testing-requests.ts";
import { openAiFaults } from "./rules.ts";
import { encodeOpenAi, type OpenAiEncoding } from "./encode.ts";

const encode = (request: ModelRequest, over: Partial<OpenAiEncoding> = {}) => {
  const encoding = { model: "m", thinking: "default", cacheBreakpoint: false, extra: {}, ...over } as const;
  const { body, repairs } = encodeOpenAi(request, encoding);
  return { body: body as unknown as ChatCompletionCreateParamsNonStreaming, repairs };
};
const call = (id: string, name = "read") => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }],
});
const messagesOf = (request: ModelRequest) => encode(request).body.messages;

describe("encodeOpenAi", () => {
  it("writes tools, system, history, the sheet and the limit", () => {
    const request = requestOf([
      say("user", "Fix the cache."),
      { id: "a", role: "assistant", blocks: [textBlock("Reading."), callBlock("c1", "a.ts"), callBlock("c2", "b.ts")] },
      resultOf("c1", "1: a"),
      resultOf("c2", "no such file", true),
      say("user", "The sheet"),
    ]);
    expect(encode(request).body).toEqual({
      model: "m",
      tools: [{ type: "function", function: readTool }],
      messages: [
        { role: "system", content: "You are a coding agent." },
        { role: "user", content: "Fix the cache." },
        {
          role: "assistant",
          content: "Reading.",
          tool_calls: [
            { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a.ts"}' } },
            { id: "c2", type: "function", function: { name: "read", arguments: '{"path":"b.ts"}' } },
          ],
        },
        { role: "tool", tool_call_id: "c1", content: "1: a" },
        { role: "tool", tool_call_id: "c2", content: "no such file" },
        { role: "user", content: "The sheet" },
      ],
      tool_choice: "none",
      max_tokens: 50,
      prompt_cache_key: "export/codex",
    });
  });

  it("leaves out blank texts, reasoning and image data, and says what it left out", () => {
    const request = requestOf([
      say("user", "", "one", " \n", "two"),
      { id: "r", role: "assistant", blocks: [{ kind: "reasoning", text: "hm" }, textBlock("\t")] },
      { id: "i", role: "user", blocks: [{ kind: "image", mediaType: "image/png", data: "AAAA" }] },
      { id: "c", role: "assistant", blocks: [textBlock(""), callBlock("c1", "\ud800.ts")] },
      resultOf("c1", "  "),
    ]);
    const { body, repairs } = encode(request);
    expect(body.messages.slice(1)).toEqual([
      { role: "user", content: "one\ntwo" },
      { role: "user", content: "(image, image/png, not sent)" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: '{"path":"\ufffd.ts"}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "(no output)" },
    ]);
    expect(repairs).toEqual({ loneSurrogates: 1, blankTexts: 5, images: 1, reasoning: 1 });
  });

  it("names no tool choice without tools, and asks something of an empty history", () => {
    const { body } = encode(requestOf([], { tools: [], system: " " }));
    expect(body).not.toHaveProperty("tools");
    expect(body).not.toHaveProperty("tool_choice");
    expect(body.messages).toEqual([{ role: "user", content: "(no message)" }]);
  });

  it.each([
    ["off", "none"],
    ["low", "low"],
    ["medium", "medium"],
    ["high", "high"],
    ["default", undefined],
  ] as const)("sends thinking %s as effort %s", (thinking, effort) => {
    expect(encode(requestOf([]), { thinking }).body.reasoning_effort).toBe(effort);
  });

  it("adds extra fields to the body", () => {
    expect(encode(requestOf([]), { extra: { temperature: 0 } }).body.temperature).toBe(0);
  });

  it("shortens a routing key that the API would refuse, and keeps different ones different", () => {
    const keyOf = (cacheKey: string) => encode(requestOf([], { cacheKey })).body.prompt_cache_key;
    expect(keyOf("x".repeat(64))).toBe("x".repeat(64));
    expect(keyOf("x".repeat(65))).toMatch(/^[0-9a-f]{64}$/);
    expect(keyOf("数据/codex")).toMatch(/^[0-9a-f]{64}$/);
    expect(keyOf("x".repeat(65))).not.toBe(keyOf("x".repeat(66)));
  });

  it("marks the end of the history, not the question, where it is told to", () => {
    const { body } = encode(requestOf([say("user", "old"), say("assistant", "new"), say("user", "The sheet")]), {
      cacheBreakpoint: true,
    });
    expect(body.prompt_cache_options).toEqual({ mode: "explicit" });
    expect(body.messages.slice(-3)).toEqual([
      { role: "user", content: "old" },
      { role: "assistant", content: [{ type: "text", text: "new", prompt_cache_breakpoint: { mode: "explicit" } }] },
      { role: "user", content: "The sheet" },
    ]);
  });

  it("makes of every history a body that the API takes", () => {
    fc.assert(
      fc.property(anyRequest, fc.boolean(), (request, cacheBreakpoint) => {
        expect(openAiFaults(encode(request, { cacheBreakpoint }).body as unknown as JsonObject)).toEqual([]);
      }),
    );
  });

  it("sends no lone surrogate, at any depth", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        // JSON.stringify writes a lone surrogate as an escape, and nothing else as one of these.
        expect(JSON.stringify(encode(request).body).replaceAll("\\\\", "")).not.toMatch(/\\ud[89a-f]/);
      }),
    );
  });

  it("keeps the beginning of a body when a history grows, byte for byte", () => {
    fc.assert(
      fc.property(anyRequest, ({ messages, ...request }) => {
        const text = (count: number): string =>
          JSON.stringify(messagesOf({ ...request, messages: messages.slice(0, count) })).slice(0, -1);
        const shorter = messages.map((_message, count) => text(count)).filter((body) => !body.includes(filler));
        expect(shorter.filter((body) => !text(messages.length).startsWith(body))).toEqual([]);
      }),
    );
  });
});

describe("openAiFaults", () => {
  it.each([
    ["no message", []],
    ["message 0: no content", [{ role: "user", content: " " }]],
    ["message 0: no content", [{ role: "assistant", content: null }]],
    ['message 0: result of "c", which is not open', [{ role: "tool", tool_call_id: "c", content: "x" }]],
    ["no results of c", [call("c")]],
    ["message 1: before the results of c", [call("c"), { role: "user", content: "x" }]],
    ['message 2: call id "c" is used twice', [call("c"), { role: "tool", tool_call_id: "c", content: "x" }, call("c")]],
    ['message 0: call id "c~2"', [call("c~2")]],
    ['message 0: tool name "a.b"', [call("c", "a.b")]],
  ])("finds: %s", (fault, messages) => {
    expect(openAiFaults({ messages })).toContain(fault);
  });

  it("finds a tool choice without tools", () => {
    const messages = [{ role: "user", content: "x" }];
    expect(openAiFaults({ messages, tool_choice: "none" })).toEqual(["a tool choice without tools"]);
  });
});
