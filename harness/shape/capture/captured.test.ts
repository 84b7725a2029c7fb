import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import { readShape } from "../../run/shape.ts";
import { agentOf, captureText, capturedShape, saysMore } from "./captured.ts";

const folder = mkdtempSync(join(tmpdir(), "captured-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "shape.json");

const schema = { type: "object", properties: { path: { type: "string" } } };
const headers = { "user-agent": "some_agent/1.2.3 (Linux)", authorization: "Bearer plover-plover-77" };
const body: JsonObject = {
  model: "m-1",
  instructions: "You are an agent. Your key is plover-plover-77.",
  input: [{ role: "user", content: "a private question" }],
  tools: [
    { type: "function", name: "read", description: "Reads.", strict: false, parameters: schema },
    { type: "custom", name: "patch", description: "Patches with plover-plover-77.", format: { type: "grammar" } },
    { type: "function", name: "now" },
    { type: "web_search" },
    { type: "function", name: "read", description: "Again.", parameters: schema },
  ],
  temperature: 0.5,
  stream: true,
  prompt_cache_key: "session-1",
  metadata: { user: "bob" },
  something_new: "x",
};
const shape = capturedShape("responses", body, headers);

describe("capturedShape", () => {
  it("has system prompt, tools and parameters, and nothing of the session, its user or its headers", () => {
    expect(shape).toMatchObject({
      agent: { name: "some_agent", version: "1.2.3" },
      api: "responses",
      system: "You are an agent. Your key is [masked].",
      parameters: { model: "m-1", temperature: 0.5, stream: true },
      leftOut: ["prompt_cache_key", "metadata", "something_new"],
    });
    const text = JSON.stringify(shape);
    for (const secret of ["plover", "a private question", "bob", "session-1"]) expect(text).not.toContain(secret);
  });

  it("counts what it masked, and headers that hold a secret", () => {
    expect(shape?.masked).toEqual({ "known secret": 2, "secret headers": 1 });
  });

  it("keeps functions in order, turns a tool of free text into one of one text, and sets others apart", () => {
    expect(shape?.tools).toEqual([
      { name: "read", description: "Reads.", parameters: schema },
      {
        name: "patch",
        description: "Patches with [masked].",
        parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
      },
      { name: "now", description: "", parameters: { type: "object", properties: {} } },
    ]);
    expect(shape?.otherTools.map(({ type, description }) => type ?? description)).toEqual(["web_search", "Again."]);
  });

  it("is read by run --shape, and refused once it was edited", () => {
    if (shape === undefined) throw new Error("no shape");
    writeFileSync(path, captureText(shape));
    const { name, system, tools } = readShape(path);
    expect({ name, system, tools }).toEqual({ name: shape.name, system: shape.system, tools: shape.tools });
    writeFileSync(path, captureText({ ...shape, system: `${shape.system}!` }));
    expect(() => readShape(path)).toThrow(/was captured with other system prompt than it has now/);
    writeFileSync(path, captureText({ ...shape, tools: shape.tools.slice(1) }));
    expect(() => readShape(path)).toThrow(/was captured with other tools than it has now/);
  });

  it("is named by agent, version and everything it holds", () => {
    expect(shape?.name).toMatch(/^some_agent-1\.2\.3-[0-9a-f]{8}$/);
    expect(capturedShape("responses", body, headers)?.name).toBe(shape?.name);
    expect(capturedShape("responses", { ...body, temperature: 1 }, headers)?.name).not.toBe(shape?.name);
    expect(capturedShape("responses", body, {})?.name).toMatch(/^responses-[0-9a-f]{8}$/);
  });

  it("is none for a request without a system prompt", () => {
    expect(capturedShape("chat", { messages: [{ role: "user", content: "hi" }] }, headers)).toBeUndefined();
    expect(capturedShape("messages", { system: "", messages: [] }, headers)).toBeUndefined();
  });

  it("joins several system texts, in each form", () => {
    const chat = {
      messages: [
        { role: "system", content: "a" },
        { role: "system", content: "b" },
      ],
    };
    const messages = {
      system: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    };
    expect(capturedShape("chat", chat, {})?.system).toBe("a\nb");
    expect(capturedShape("messages", messages, {})?.system).toBe("a\nb");
  });
});

describe("saysMore", () => {
  it("prefers more tools, then the longer prompt, and any shape to none", () => {
    if (shape === undefined) throw new Error("no shape");
    const bare = { ...shape, tools: [], otherTools: [], system: "long ".repeat(100) };
    expect(saysMore(bare, undefined)).toBe(true);
    expect(saysMore(shape, bare)).toBe(true);
    expect(saysMore(bare, shape)).toBe(false);
    expect(saysMore({ ...shape, system: `${shape.system} more` }, shape)).toBe(true);
    expect(saysMore(shape, shape)).toBe(false);
  });
});

describe("agentOf", () => {
  it.each([
    ["codex_exec/0.155.0 (Ubuntu 24.4.0; x86_64) xterm", { name: "codex_exec", version: "0.155.0" }],
    ["opencode/1.18.31 ai-sdk/provider-utils/4.0", { name: "opencode", version: "1.18.31" }],
    ["OpenAI/JS 6.49.0", { name: "OpenAI/JS", version: "6.49.0" }],
    ["ai-sdk/openai-compatible/1.0.3 runtime/bun", { name: "ai-sdk/openai-compatible", version: "1.0.3" }],
    ["curl", null],
    [undefined, null],
  ])("reads %j", (userAgent, expected) => {
    expect(agentOf(userAgent)).toEqual(expected);
  });
});
