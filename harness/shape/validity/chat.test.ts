import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../json.ts";
import { anyRequest } from "../../models/remote/testing-requests.ts";
import { styles } from "../styles.ts";
import { validateChat } from "./chat.ts";

const size = { bytes: 1_000, windowTokens: 100_000 };
const tool = (name: string, parameters: JsonValue): JsonObject => ({
  type: "function",
  function: { name, parameters },
});
const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const call = (id: string, over: JsonObject = {}): JsonObject => ({
  id,
  type: "function",
  function: { name: "read", arguments: '{"path":"a"}', ...over },
});
const calling = (...calls: JsonObject[]): JsonObject => ({ role: "assistant", content: null, tool_calls: calls });
const result = (id: string, content = "text"): JsonObject => ({ role: "tool", tool_call_id: id, content });
const user = (content: JsonValue): JsonObject => ({ role: "user", content });

const valid: JsonObject = {
  model: "m",
  tools: [tool("read", schema)],
  messages: [
    { role: "system", content: "You are an agent." },
    user("go"),
    calling(call("a"), call("b")),
    result("b"),
    result("a"),
    { role: "assistant", content: "done" },
    user([{ type: "text", text: "more" }]),
  ],
  tool_choice: "none",
  max_tokens: 100,
  stream: true,
  stream_options: { include_usage: true },
  prompt_cache_key: "k",
};
const withMessages = (...messages: JsonObject[]): JsonObject => ({ ...valid, messages });
const findings = (body: JsonObject, over = {}): string[] =>
  validateChat(body, { ...size, ...over }).map(({ path, problem }) => `${path} ${problem}`);

/** What is wrong, the body, and where and what is found. */
const broken: readonly (readonly [string, JsonObject, RegExp])[] = [
  ["an unknown parameter", { ...valid, max_output_tokens: 5 }, /^max_output_tokens is no parameter/],
  ["a parameter of another kind", { ...valid, max_tokens: "100" }, /^max_tokens is no whole number/],
  ["a missing parameter", { messages: valid["messages"] ?? [] }, /^model is missing/],
  ["both output limits", { ...valid, max_completion_tokens: 5 }, /^max_tokens excludes/],
  ["stream options without a stream", { ...valid, stream: false }, /^stream_options needs stream/],
  ["a long cache key", { ...valid, prompt_cache_key: "k".repeat(65) }, /^prompt_cache_key has 65 characters/],
  ["a lone surrogate in a text", withMessages(user("\ud800")), /^messages\[0\]\.content holds a lone surrogate/],
  ["a lone surrogate in a key", { ...valid, metadata: { "\udc00": "x" } }, /^metadata has a key that is no valid/],
  ["no message", withMessages(), /^messages has no message/],
  ["a system prompt alone", withMessages({ role: "system", content: "x" }), /^messages has no message/],
  [
    "two system messages",
    withMessages(user("x"), { role: "system", content: "y" }),
    /^messages\[1\] is a system message/,
  ],
  ["an unknown role", withMessages(user("x"), { role: "agent", content: "y" }), /^messages\[1\]\.role is "agent"/],
  ["a blank text", withMessages(user(" \n")), /^messages\[0\]\.content is blank/],
  ["an empty list of parts", withMessages(user([])), /^messages\[0\]\.content is missing/],
  ["a blank part", withMessages(user([{ type: "text", text: "" }])), /^messages\[0\]\.content\[0\] is blank/],
  ["an unknown part", withMessages(user([{ type: "song" }])), /^messages\[0\]\.content\[0\] is "song"/],
  [
    "an empty assistant message",
    withMessages(user("x"), { role: "assistant", content: null }),
    /^messages\[1\] has neither/,
  ],
  ["an empty list of calls", withMessages(user("x"), calling()), /^messages\[1\]\.tool_calls is no list/],
  [
    "a call without a result",
    withMessages(user("x"), calling(call("a")), user("y")),
    /^messages\[2\] stands where the result of call "a"/,
  ],
  [
    "a call without a result at the end",
    withMessages(user("x"), calling(call("a"))),
    /^messages ends before the result of call "a"/,
  ],
  ["a result without a call", withMessages(user("x"), result("a")), /^messages\[1\]\.tool_call_id answers no call/],
  [
    "a second result",
    withMessages(user("x"), calling(call("a")), result("a"), result("a")),
    /^messages\[3\]\.tool_call_id answers/,
  ],
  [
    "a call id used twice",
    withMessages(calling(call("a")), result("a"), calling(call("a")), result("a")),
    /^messages\[2\]\.tool_calls\[0\]\.id is "a"/,
  ],
  [
    "a long call id",
    withMessages(calling(call("a".repeat(41))), result("a".repeat(41))),
    /tool_calls\[0\]\.id has 41 characters/,
  ],
  ["an empty call id", withMessages(calling(call("")), result("")), /tool_calls\[0\]\.id is missing/],
  [
    "arguments that are no JSON object",
    withMessages(calling(call("a", { arguments: "[1]" })), result("a")),
    /function\.arguments is no JSON object/,
  ],
  [
    "a forbidden tool name in a call",
    withMessages(calling(call("a", { name: "a.b" })), result("a")),
    /function\.name does not match/,
  ],
  ["an empty list of tools", { ...valid, tools: [] }, /^tools is empty/],
  ["a choice without tools", withoutTools({ tool_choice: "none" }), /^tool_choice needs tools/],
  ["an unknown choice", { ...valid, tool_choice: "never" }, /^tool_choice is "never"/],
  [
    "a choice of an unknown tool",
    { ...valid, tool_choice: { type: "function", function: { name: "x" } } },
    /^tool_choice names a tool/,
  ],
  [
    "a forbidden tool name",
    { ...valid, tools: [tool("read file", schema)] },
    /^tools\[0\]\.function\.name does not match/,
  ],
  [
    "two tools of one name",
    { ...valid, tools: [tool("a", schema), tool("a", schema)] },
    /^tools\[1\]\.function\.name is "a"/,
  ],
  [
    "too many tools",
    { ...valid, tools: Array.from({ length: 129 }, (_, n) => tool(`t${n}`, schema)) },
    /^tools has 129 entries/,
  ],
  [
    "a tool that is no function",
    { ...valid, tools: [{ type: "custom", function: { name: "a", parameters: schema } }] },
    /^tools\[0\]\.type is not/,
  ],
  ["no schema", { ...valid, tools: [tool("a", null)] }, /^tools\[0\]\.function\.parameters is no JSON Schema/],
  ["a schema of no object", { ...valid, tools: [tool("a", { type: "string" })] }, /parameters\.type is not "object"/],
  [
    "an unknown type",
    { ...valid, tools: [tool("a", { type: "object", properties: { x: { type: "text" } } })] },
    /parameters\.properties\.x\.type is "text"/,
  ],
  [
    "an array without items",
    { ...valid, tools: [tool("a", { type: "object", properties: { x: { type: "array" } } })] },
    /properties\.x is an array without items/,
  ],
  [
    "a required name that is no property",
    { ...valid, tools: [tool("a", { ...schema, required: ["file"] })] },
    /required\[0\] is "file", which is no property/,
  ],
  [
    "a name required twice",
    { ...valid, tools: [tool("a", { ...schema, required: ["path", "path"] })] },
    /required\[1\] is "path" again/,
  ],
  [
    "an empty enum",
    { ...valid, tools: [tool("a", { type: "object", properties: { x: { enum: [] } } })] },
    /properties\.x\.enum is no list/,
  ],
  [
    "a broken branch",
    { ...valid, tools: [tool("a", { type: "object", properties: { x: { anyOf: [{ type: "int" }] } } })] },
    /x\.anyOf\[0\]\.type is "int"/,
  ],
  [
    "more entries than the list may have",
    withMessages(...Array.from({ length: 2049 }, () => user("x"))),
    /^messages has 2049 entries/,
  ],
];

function withoutTools(over: JsonObject): JsonObject {
  const { tools: _tools, tool_choice: _choice, ...rest } = valid;
  return { ...rest, ...over };
}

describe("validity of chat completions", () => {
  it("finds nothing in a valid body, with tools or without", () => {
    expect(findings(valid)).toEqual([]);
    expect(findings(withoutTools({}))).toEqual([]);
  });

  it.each(broken)("finds %s, and says where", (_what, body, expected) => {
    expect(findings(body)).toContainEqual(expect.stringMatching(expected));
  });

  it("finds an input that does not fit the window beside the output", () => {
    const long = withMessages(user("word ".repeat(1_000)));
    expect(findings(long, { windowTokens: 1_500 })).toEqual([]);
    expect(findings(long, { windowTokens: 1_300 })).toEqual([
      expect.stringMatching(/^ holds about 12\d\d tokens and asks for 100/),
    ]);
  });

  it("finds a text longer than the API takes", () => {
    expect(findings(withMessages(user("x".repeat(10_485_761))), { windowTokens: 1e9 })).toEqual([
      expect.stringMatching(/^messages\[0\]\.content has 10485761 characters/),
    ]);
  });

  it("finds nothing in what the adapter encodes, whatever the history is", () => {
    for (const { encode } of styles.filter(({ form }) => form === "chat"))
      fc.assert(
        fc.property(anyRequest, (request) => {
          expect(findings(encode(request))).toEqual([]);
        }),
      );
  });
});
