import { describe, expect, it } from "vitest";
import type { Message } from "../../chain/message.ts";
import { messagesTokens, textTokens } from "../../chain/tokens.ts";
import { ContextOverflowError, ProviderError } from "../../errors.ts";
import { sheetText } from "../../exam/prompt.ts";
import type { JsonObject } from "../../json.ts";
import type { ModelRequest } from "../model.ts";
import { offlineProvider } from "./offline.ts";
import { yesProvider } from "./yes.ts";

const user = (text: string): Message => ({ id: "u", role: "user", blocks: [{ kind: "text", text }] });
const sheet = sheetText({
  questions: ["96 MiB", "PR #482", "in_system"].map((value) => ({ kind: "decoy", value, pattern: "test" })),
});

const request = (messages: readonly Message[], overrides: Partial<ModelRequest> = {}): ModelRequest => ({
  purpose: "answer",
  cacheKey: "chain/arm",
  system: "You are a coding agent; in_system.",
  tools: [{ name: "read", description: "Read a file.", parameters: { type: "object" } }],
  toolChoice: "none",
  messages,
  maxOutputTokens: 200,
  ...overrides,
});
const asked = request([user("Keep the cap at 96 MiB."), user(sheet)]);
const inputTokens = textTokens(asked.system) + textTokens(JSON.stringify(asked.tools)) + messagesTokens(asked.messages);

const provider = offlineProvider({ windowTokens: 1_000_000 });
const send = (asking: ModelRequest, to = provider) => to.send(to.encode(asking));

describe("the offline model", () => {
  it("answers a sheet with what stands in the messages, and in nothing else of the request", async () => {
    expect(await send(asked)).toMatchObject({ text: '{"appeared":["96 MiB"]}', calls: [], finish: "stop" });
  });

  it("sums up whatever asks no sheet", async () => {
    const { text } = await send(request([user("Keep the cap at 96 MiB."), user("Sum up.\n## Goal")]));
    expect(text).toContain("## Goal\n- Keep the cap at 96 MiB.");
  });

  it("is told by its label to be no LLM", () => {
    expect(provider).toMatchObject({
      id: "offline",
      label: "offline model: perfect reader, extractive summariser; not an LLM",
      parameters: { version: 1 },
    });
  });

  it("bills the estimate of system prompt, tools and messages as fresh input", async () => {
    const { usage, rawUsage, text } = await send(asked);
    expect(usage).toEqual({
      freshInputTokens: inputTokens,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: textTokens(text),
    });
    expect(rawUsage).toEqual(usage);
  });

  it("takes a request that fills its window and refuses one token more", async () => {
    const exact = offlineProvider({ windowTokens: inputTokens + asked.maxOutputTokens });
    expect((await send(asked, exact)).finish).toBe("stop");
    const refused = send({ ...asked, maxOutputTokens: asked.maxOutputTokens + 1 }, exact);
    await expect(refused).rejects.toBeInstanceOf(ContextOverflowError);
    await expect(refused).rejects.toMatchObject({
      failure: { provider: "offline", status: 400, charge: "none", decision: "request" },
      message: `offline: ${inputTokens} input tokens and 201 of output exceed the window of ${inputTokens + 200}.`,
    });
  });

  it("cuts a reply at the output limit and says so", async () => {
    const reply = await send({ ...asked, maxOutputTokens: 4 });
    expect(reply).toMatchObject({ text: '{"appeared":["96', finish: "length" });
    expect(reply.usage?.outputTokens).toBe(4);
  });

  it("refuses an aborted attempt", async () => {
    const signal = AbortSignal.abort();
    await expect(provider.send(provider.encode(asked), signal)).rejects.toBe(signal.reason);
  });
});

describe("its body", () => {
  it("holds the request as it is, messages shared and not copied", () => {
    const body = provider.encode(asked);
    expect(Object.keys(body)).toEqual(["model", "system", "tools", "tool_choice", "messages", "max_output_tokens"]);
    expect(body["messages"]).toBe(asked.messages);
    expect(body).toMatchObject({ model: "offline-1", tool_choice: "none", max_output_tokens: 200 });
  });

  it("is all that a reply depends on", async () => {
    const elsewhere = JSON.parse(JSON.stringify(provider.encode(asked))) as JsonObject;
    expect(await offlineProvider({ windowTokens: 1_000_000 }).send(elsewhere)).toEqual(await send(asked));
  });

  it.each(["system", "tools", "messages", "max_output_tokens"])("is refused without %s", async (field) => {
    const { [field]: _left, ...body } = provider.encode(asked);
    const refused = provider.send(body);
    await expect(refused).rejects.toBeInstanceOf(ProviderError);
    await expect(refused).rejects.toThrow(`offline: the body has no valid "${field}".`);
  });
});

describe("the yes model", () => {
  const yes = yesProvider({ windowTokens: 1_000_000 });

  it("confirms every value of a sheet, whatever stands before it", async () => {
    expect((await send(request([user(sheet)]), yes)).text).toBe('{"appeared":["96 MiB","PR #482","in_system"]}');
  });

  it("sums up as the offline model does, under a name and a label of its own", async () => {
    const compaction = request([user("Keep the cap at 96 MiB."), user("Sum up.\n## Goal")]);
    expect((await send(compaction, yes)).text).toBe((await send(compaction)).text);
    expect(yes).toMatchObject({ id: "yes", label: "offline model that confirms everything; not an LLM" });
  });
});
