import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import type { Route } from "../serve/wire.ts";
import { systemTextsIn, toolsIn } from "./session-shape.ts";

const schema = { type: "object", properties: {} };
const bodies: { readonly [Name in Route]: JsonObject } = {
  chat: {
    messages: [
      { role: "system", content: "first" },
      { role: "developer", content: [{ type: "text", text: "second" }] },
      { role: "user", content: "hello" },
      { role: "system", content: "not of the prompt" },
    ],
    tools: [{ type: "function", function: { name: "read", description: "Reads.", parameters: schema, strict: true } }],
  },
  responses: {
    instructions: "first",
    input: [{ role: "developer", content: [{ type: "input_text", text: "not of the prompt" }] }],
    tools: [
      { type: "function", name: "read", description: "Reads.", parameters: schema },
      { type: "web_search", depth: 2 },
    ],
  },
  messages: {
    system: [
      { type: "text", text: "first" },
      { type: "text", text: "second", cache_control: { type: "ephemeral" } },
    ],
    messages: [{ role: "user", content: "hello" }],
    tools: [
      { name: "read", description: "Reads.", input_schema: schema, cache_control: { type: "ephemeral" } },
      { type: "custom", name: "write", input_schema: schema },
    ],
  },
};

describe("the session shape in a body", () => {
  it("has the texts of system and developer before any other message", () => {
    expect(systemTextsIn("chat", bodies.chat)).toEqual(["first", "second"]);
  });

  it("has the instructions of the responses form, and its leading developer items only without them", () => {
    expect(systemTextsIn("responses", bodies.responses)).toEqual(["first"]);
    expect(systemTextsIn("responses", { ...bodies.responses, instructions: null })).toEqual(["not of the prompt"]);
  });

  it("has the system blocks of Anthropic's form, or its one text", () => {
    expect(systemTextsIn("messages", bodies.messages)).toEqual(["first", "second"]);
    expect(systemTextsIn("messages", { system: "one" })).toEqual(["one"]);
  });

  it("has tools in one spelling, with every further field and without cache breakpoints", () => {
    const read = { name: "read", description: "Reads.", parameters: schema };
    expect(toolsIn("chat", bodies.chat)).toEqual([{ ...read, strict: true }]);
    expect(toolsIn("responses", bodies.responses)).toEqual([read, { type: "web_search", depth: 2 }]);
    expect(toolsIn("messages", bodies.messages)).toEqual([read, { name: "write", parameters: schema }]);
  });

  it("keeps the order of a definition's fields, so that equal definitions are equal bytes", () => {
    const [tool] = toolsIn("messages", { tools: [{ input_schema: schema, name: "read" }] });
    expect(JSON.stringify(tool)).toBe(JSON.stringify({ parameters: schema, name: "read" }));
  });

  it("is empty where a body has neither, or something else in their place", () => {
    for (const form of ["chat", "responses", "messages"] as const) {
      expect([systemTextsIn(form, {}), toolsIn(form, { tools: "none" })]).toEqual([[], []]);
    }
  });
});
