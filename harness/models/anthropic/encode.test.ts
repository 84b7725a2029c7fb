import type { ContentBlockParam, MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import type { ModelRequest } from "../model.ts";
import { anyRequest, callBlock, readTool, requestOf, resultOf, say, textBlock } from "../remote/testing-requests.ts";
import { anthropicFaults } from "./rules.ts";
import { type AnthropicEncoding, encodeAnthropic } from "./encode.ts";

const encode = (request: ModelRequest, over: Partial<AnthropicEncoding> = {}) => {
  const { body, repairs } = encodeAnthropic(request, { model: "c", thinking: "default", extra: {}, ...over });
  return { body: body as unknown as MessageCreateParamsNonStreaming, repairs };
};
const mark = { cache_control: { type: "ephemeral" } };
const blocksOf = (content: string | readonly ContentBlockParam[]): readonly ContentBlockParam[] =>
  typeof content === "string" ? [] : content;

describe("encodeAnthropic", () => {
  it("writes tools, system, history, the sheet and the limit, with breakpoints before the sheet", () => {
    const request = requestOf([
      say("user", "Fix the cache."),
      { id: "a", role: "assistant", blocks: [textBlock("Reading."), callBlock("c1", "a.ts"), callBlock("c2", "b.ts")] },
      resultOf("c1", "1: a"),
      resultOf("c2", "no such file", true),
      say("user", "A summary"),
      say("user", "The sheet"),
    ]);
    expect(encode(request).body).toEqual({
      model: "c",
      tools: [{ name: "read", description: "Read a file.", input_schema: readTool.parameters, ...mark }],
      system: [{ type: "text", text: "You are a coding agent.", ...mark }],
      messages: [
        { role: "user", content: [{ type: "text", text: "Fix the cache." }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "Reading." },
            { type: "tool_use", id: "c1", name: "read", input: { path: "a.ts" } },
            { type: "tool_use", id: "c2", name: "read", input: { path: "b.ts" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c1", content: "1: a" },
            { type: "tool_result", tool_use_id: "c2", content: "no such file", is_error: true },
            { type: "text", text: "A summary", ...mark },
            { type: "text", text: "The sheet" },
          ],
        },
      ],
      tool_choice: { type: "none" },
      max_tokens: 50,
    });
  });

  it("puts a filler before a history that starts with the assistant, and behind one that does not end with the user", () => {
    const { messages } = encode(requestOf([say("assistant", "hi"), say("assistant", "there")])).body;
    expect(messages).toEqual([
      { role: "user", content: [{ type: "text", text: "(no message)" }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "hi" },
          { type: "text", text: "there", ...mark },
        ],
      },
      { role: "user", content: [{ type: "text", text: "(no message)" }] },
    ]);
  });

  it("declares the tools that a history calls where a request defines none", () => {
    const request = requestOf(
      [{ id: "a", role: "assistant", blocks: [callBlock("c1", "a.ts")] }, resultOf("c1", "x"), say("user", "Sum up")],
      { tools: [], purpose: "compact" },
    );
    const { tools, tool_choice: choice } = encode(request).body;
    expect(tools).toEqual([{ name: "read", input_schema: { type: "object" }, ...mark }]);
    expect(choice).toEqual({ type: "none" });
    const plain = encode(requestOf([say("user", "hi")], { tools: [] })).body;
    expect(plain).not.toHaveProperty("tools");
    expect(plain).not.toHaveProperty("tool_choice");
  });

  it("marks nothing of a request that is one question", () => {
    const { messages } = encode(requestOf([say("user", "Everything, and the question")])).body;
    expect(JSON.stringify(messages)).not.toContain("cache_control");
  });

  it.each([
    ["off", { thinking: { type: "disabled" } }],
    ["low", { thinking: { type: "adaptive" }, output_config: { effort: "low" } }],
    ["high", { thinking: { type: "adaptive" }, output_config: { effort: "high" } }],
    ["default", {}],
  ] as const)("sends thinking %s as %j", (thinking, expected) => {
    const { thinking: sent, output_config: output } = encode(requestOf([]), { thinking }).body;
    expect({ ...(sent ? { thinking: sent } : {}), ...(output ? { output_config: output } : {}) }).toEqual(expected);
  });

  it("makes of every history a body that the API takes", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(anthropicFaults(encode(request).body as unknown as JsonObject)).toEqual([]);
      }),
    );
  });

  it("sets no breakpoint on the last user message", () => {
    fc.assert(
      fc.property(anyRequest, ({ messages, ...request }) => {
        const { body } = encode({ ...request, messages: [...messages, say("user", "the sheet")] });
        expect(blocksOf(body.messages.at(-1)?.content ?? []).at(-1)).not.toHaveProperty("cache_control");
      }),
    );
  });

  it("lets a sheet begin where its block begins, whatever it is merged with", () => {
    fc.assert(
      fc.property(anyRequest, ({ messages, ...request }) => {
        const sheet = "[the opening line]\n\nValues:\n- a";
        const { body } = encode({ ...request, messages: [...messages, say("user", sheet)] });
        expect(blocksOf(body.messages.at(-1)?.content ?? []).at(-1)).toEqual({ type: "text", text: sheet });
      }),
    );
  });

  it("sends no lone surrogate, and counts those that it replaced", () => {
    const request = requestOf([say("user", "a\ud800b\udc00\ud83d\ude00"), say("user", "\udfff")]);
    expect(encode(request).repairs.loneSurrogates).toBe(3);
    expect(JSON.stringify(encode(request).body)).toContain("a\ufffdb\ufffd\u{1f600}");
    fc.assert(
      fc.property(anyRequest, (any) => {
        expect(JSON.stringify(encode(any).body).replaceAll("\\\\", "")).not.toMatch(/\\ud[89a-f]/);
      }),
    );
  });
});

describe("anthropicFaults", () => {
  const user = (...content: object[]) => ({ role: "user", content });
  const assistant = (...content: object[]) => ({ role: "assistant", content });
  const text = (words: string, more: object = {}) => ({ type: "text", text: words, ...more });
  const use = (id: string, name = "read") => ({ type: "tool_use", id, name, input: {} });
  const result = (id: string, content = "x") => ({ type: "tool_result", tool_use_id: id, content });
  const tools = [{ name: "read", input_schema: { type: "object" } }];
  const go = user(text("go"));

  it.each([
    ["the first message is not the user's", [assistant(text("a")), go]],
    ["the last message is not the user's", [go, assistant(text("a"))]],
    ["message 1: the same role as before", [go, go]],
    ["message 0: no content", [user(text(" "))]],
    ["message 0: no content", [user()]],
    ["message 2: no content", [go, assistant(use("c")), user(result("c", ""))]],
    ["message 2: results do not match the calls before", [go, assistant(use("c")), user(result("d"))]],
    ["message 2: results are not first", [go, assistant(use("c")), user(text("b"), result("c"))]],
    ["message 0: calls of the user", [user(use("c"))]],
    ['message 1: call id "c" is used twice', [go, assistant(use("c"), use("c"))]],
    ['message 1: call id "c~2"', [go, assistant(use("c~2"))]],
    ['message 1: tool name "a.b"', [go, assistant(use("c", "a.b"))]],
    ["no results of c", [go, assistant(use("c"))]],
    ["5 cache breakpoints", [user(...[1, 2, 3, 4, 5].map((n) => text(`${n}`, mark)))]],
  ])("finds: %s", (fault, messages) => {
    expect(anthropicFaults({ tools, messages } as unknown as JsonObject)).toContain(fault);
  });

  it("finds calls and a tool choice without tools, and a blank system prompt", () => {
    const body = { messages: [go, assistant(use("c")), user(result("c"))], tool_choice: { type: "none" }, system: " " };
    expect(anthropicFaults(body as unknown as JsonObject)).toEqual([
      "a tool choice without tools",
      "a blank system prompt",
      "message 1: calls in a request without tools",
    ]);
  });
});
