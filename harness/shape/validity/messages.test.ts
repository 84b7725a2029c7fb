import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../json.ts";
import { anyRequest } from "../../models/remote/testing-requests.ts";
import { styles } from "../styles.ts";
import { validateMessages } from "./messages.ts";

const size = { bytes: 1_000, windowTokens: 100_000 };
const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const tool = (name: string, input: JsonValue = schema): JsonObject => ({ name, input_schema: input });
const text = (value: string, over: JsonObject = {}): JsonObject => ({ type: "text", text: value, ...over });
const call = (id: string, over: JsonObject = {}): JsonObject => ({
  type: "tool_use",
  id,
  name: "read",
  input: {},
  ...over,
});
const result = (id: string, over: JsonObject = {}): JsonObject => ({
  type: "tool_result",
  tool_use_id: id,
  content: "x",
  ...over,
});
const user = (...content: JsonObject[]): JsonObject => ({ role: "user", content });
const assistant = (...content: JsonObject[]): JsonObject => ({ role: "assistant", content });
const mark = (ttl?: string): JsonObject => ({
  cache_control: { type: "ephemeral", ...(ttl === undefined ? {} : { ttl }) },
});

const valid: JsonObject = {
  model: "m",
  tools: [tool("read")],
  system: [text("You are an agent.", mark())],
  messages: [
    user(text("go")),
    assistant(text("reading"), call("a"), call("b")),
    user(result("b"), result("a"), text("and this")),
    assistant(text("done")),
    { role: "user", content: "more" },
  ],
  tool_choice: { type: "none" },
  max_tokens: 100,
  stream: true,
};
const withMessages = (...messages: JsonObject[]): JsonObject => ({ ...valid, messages });
const findings = (body: JsonObject, over = {}): string[] =>
  validateMessages(body, { ...size, ...over }).map(({ path, problem }) => `${path} ${problem}`);
const { tools: _tools, tool_choice: _choice, ...toolless } = valid;

/** What is wrong, the body, and where and what is found. */
const broken: readonly (readonly [string, JsonObject, RegExp])[] = [
  ["an unknown parameter", { ...valid, reasoning_effort: "low" }, /^reasoning_effort is no parameter/],
  ["no output limit", { model: "m", messages: valid["messages"] ?? [] }, /^max_tokens is missing/],
  ["an empty system prompt", { ...valid, system: "" }, /^system is empty/],
  ["a blank system block", { ...valid, system: [text(" ")] }, /^system\[0\]\.text is blank/],
  ["no message", withMessages(), /^messages is empty/],
  [
    "an assistant first",
    withMessages(assistant(text("x")), user(text("y"))),
    /^messages\[0\]\.role is assistant, and the first/,
  ],
  ["an assistant last", withMessages(user(text("x")), assistant(text("y"))), /^messages ends with the assistant/],
  [
    "roles that do not alternate",
    withMessages(user(text("x")), user(text("y"))),
    /^messages\[1\]\.role is user, as that/,
  ],
  ["an unknown role", withMessages({ role: "tool", content: "x" }), /^messages\[0\]\.role is "tool"/],
  ["a blank text", withMessages(user(text("\t"))), /^messages\[0\]\.content\[0\]\.text is blank/],
  [
    "a blank text without blocks",
    withMessages({ role: "user", content: "" }),
    /^messages\[0\]\.content\.text is blank/,
  ],
  ["an empty message", withMessages(user()), /^messages\[0\]\.content is missing/],
  ["an unknown block", withMessages(user({ type: "song" })), /^messages\[0\]\.content\[0\] is "song"/],
  ["a lone surrogate", withMessages(user(text("\udc00"))), /^messages\[0\]\.content\[0\]\.text holds a lone surrogate/],
  [
    "a call without a result",
    withMessages(user(text("x")), assistant(call("a")), user(text("y"))),
    /^messages\[2\] stands where the result of call "a"/,
  ],
  [
    "a call without a result at the end",
    withMessages(user(text("x")), assistant(call("a"))),
    /^messages ends before the result of call "a"/,
  ],
  [
    "a result without a call",
    withMessages(user(result("a"))),
    /^messages\[0\]\.content\[0\]\.tool_use_id answers no call/,
  ],
  [
    "a result two messages later",
    withMessages(user(text("x")), assistant(call("a")), user(text("y")), assistant(text("z")), user(result("a"))),
    /^messages\[4\]\.content\[0\]\.tool_use_id answers/,
  ],
  [
    "a result behind a text",
    withMessages(user(text("x")), assistant(call("a")), user(text("y"), result("a"))),
    /^messages\[2\]\.content\[1\] is a result behind/,
  ],
  [
    "a blank result",
    withMessages(user(text("x")), assistant(call("a")), user(result("a", { content: "" }))),
    /content\[0\]\.content is blank/,
  ],
  [
    "a blank part of a result",
    withMessages(user(text("x")), assistant(call("a")), user(result("a", { content: [text("")] }))),
    /content\[0\]\.content\[0\]\.text is blank/,
  ],
  [
    "a call of the user",
    withMessages(user(call("a")), assistant(text("x")), user(text("y"))),
    /^messages\[0\]\.content\[0\] is a call in a message/,
  ],
  [
    "a call id used twice",
    withMessages(user(text("x")), assistant(call("a"), call("a")), user(result("a"))),
    /content\[1\]\.id is "a"/,
  ],
  [
    "a forbidden call id",
    withMessages(user(text("x")), assistant(call("a|b")), user(result("a|b"))),
    /content\[0\]\.id does not match/,
  ],
  [
    "a call without an input object",
    withMessages(user(text("x")), assistant(call("a", { input: "x" })), user(result("a"))),
    /content\[0\]\.input is no object/,
  ],
  [
    "calls without tools",
    { ...toolless, messages: [user(text("x")), assistant(call("a")), user(result("a"))] },
    /is a call, and the request defines no tools/,
  ],
  ["a choice without tools", { ...toolless, tool_choice: { type: "auto" } }, /^tool_choice needs tools/],
  ["an unknown choice", { ...valid, tool_choice: { type: "never" } }, /^tool_choice\.type is "never"/],
  [
    "a choice of an unknown tool",
    { ...valid, tool_choice: { type: "tool", name: "x" } },
    /^tool_choice\.name names a tool/,
  ],
  ["a forbidden tool name", { ...valid, tools: [tool("read file")] }, /^tools\[0\]\.name does not match/],
  ["two tools of one name", { ...valid, tools: [tool("read"), tool("read")] }, /^tools\[1\]\.name is "read"/],
  [
    "a forbidden argument name",
    { ...valid, tools: [tool("read", { type: "object", properties: { "a b": {} } })] },
    /input_schema\.properties has "a b"/,
  ],
  [
    "a branch at the top of a schema",
    { ...valid, tools: [tool("read", { type: "object", anyOf: [{}] })] },
    /input_schema\.anyOf may not stand/,
  ],
  [
    "a thinking budget above the limit",
    { ...valid, thinking: { type: "enabled", budget_tokens: 100 } },
    /^thinking\.budget_tokens is 100/,
  ],
  [
    "five breakpoints",
    withMessages(user(...Array.from({ length: 4 }, () => text("x", mark())))),
    /^messages\[0\]\.content\[3\]\.cache_control is breakpoint 5/,
  ],
  [
    "an hour behind five minutes",
    withMessages(user(text("x", mark("1h")))),
    /content\[0\]\.cache_control is kept for an hour behind/,
  ],
  [
    "a breakpoint of another life",
    withMessages(user(text("x", mark("1d")))),
    /content\[0\]\.cache_control is no breakpoint/,
  ],
];

describe("validity of Anthropic's messages", () => {
  it("finds nothing in a valid body, with tools or without", () => {
    expect(findings(valid)).toEqual([]);
    expect(findings({ ...toolless, messages: [user(text("x"))] })).toEqual([]);
  });

  it.each(broken)("finds %s, and says where", (_what, body, expected) => {
    expect(findings(body)).toContainEqual(expect.stringMatching(expected));
  });

  it("finds a body of more bytes than the API takes, and one that does not fit the window", () => {
    expect(findings(valid, { bytes: 32_000_001 })).toEqual([expect.stringMatching(/^ has 32000001 bytes/)]);
    expect(findings(valid, { windowTokens: 100 })).toEqual([expect.stringMatching(/^ holds about \d+ tokens/)]);
  });

  it("finds nothing in what the adapter encodes, whatever the history is", () => {
    for (const { encode } of styles.filter(({ form }) => form === "messages"))
      fc.assert(
        fc.property(anyRequest, (request) => {
          expect(findings(encode(request))).toEqual([]);
        }),
      );
  });
});
