import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProviderError } from "../../errors.ts";
import { anthropicProvider } from "../anthropic/anthropic.ts";
import { openAiProvider } from "../openai/openai.ts";
import type { ModelRequest } from "../model.ts";
import { applied, createMemory, type Lesson } from "./learned.ts";
import type { RemoteOptions } from "./options.ts";
import { json, type Scene, type ScriptedServer, scriptedServer } from "./testing.ts";

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer();
});
afterAll(() => server.close());

const request: ModelRequest = {
  purpose: "answer",
  cacheKey: "export/codex",
  system: "s",
  tools: [],
  toolChoice: "none",
  messages: [{ id: "1", role: "user", blocks: [{ kind: "text", text: "hello" }] }],
  maxOutputTokens: 50,
};
const options = (): RemoteOptions => ({
  model: "m",
  apiKey: "test-key-123",
  windowTokens: 1000,
  baseUrl: server.url,
  stream: false,
});
const ok = json(200, { choices: [{ message: { content: "hi" }, finish_reason: "stop" }] });
const okMessage = json(200, { type: "message", content: [{ type: "text", text: "hi" }], stop_reason: "end_turn" });
const refused = (message: string, more: { readonly code?: string; readonly param?: string } = {}): Scene =>
  json(400, { error: { message, type: "invalid_request_error", ...more } });
const wrongLimit = refused(
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  { code: "unsupported_parameter", param: "max_tokens" },
);
const decision = (error: unknown): string =>
  error instanceof ProviderError ? `${error.failure.decision} ${error.failure.charge}` : String(error);

describe("parameters that a model refuses", () => {
  it("switches the name of the output limit once, says so once, and keeps the encoded body as it was", async () => {
    const lessons: Lesson[] = [];
    const provider = openAiProvider({ ...options(), onLesson: (lesson) => lessons.push(lesson) });
    const body = provider.encode(request);
    server.play(wrongLimit, ok);
    expect(await provider.send(body).catch(decision)).toBe("parameter none");
    expect((await provider.send(body)).text).toBe("hi");
    expect((await provider.send(body)).text).toBe("hi");
    expect(provider.encode(request)).toEqual(body);
    const limits = server.seen.map(({ body: sent }) => [sent["max_tokens"], sent["max_completion_tokens"]]);
    expect(limits).toEqual([
      [50, undefined],
      [undefined, 50],
      [undefined, 50],
    ]);
    expect(lessons).toEqual([{ parameter: "max_tokens", change: { kind: "renamed", to: "max_completion_tokens" } }]);
  });

  it("starts with what an earlier process has learnt", async () => {
    const first = openAiProvider(options());
    server.play(wrongLimit);
    await first.send(first.encode(request)).catch(decision);
    const learned = JSON.parse(JSON.stringify(first.learned())) as ReturnType<typeof first.learned>;
    server.play(ok);
    const second = openAiProvider({ ...options(), learned });
    await second.send(second.encode(request));
    expect(server.seen[0]?.body["max_completion_tokens"]).toBe(50);
  });

  it("lets every request that was on its way with the old name go again, and changes nothing twice", async () => {
    const provider = openAiProvider(options());
    const body = provider.encode(request);
    server.play(wrongLimit);
    const outcomes = await Promise.all([1, 2, 3].map(() => provider.send(body).catch(decision)));
    expect(outcomes).toEqual(["parameter none", "parameter none", "parameter none"]);
    expect(Object.keys(provider.learned())).toEqual(["max_tokens"]);
  });

  it("gives up a request whose new name is refused as well, and one whose limit is too large", async () => {
    const provider = openAiProvider(options());
    const body = provider.encode(request);
    server.play(wrongLimit);
    await provider.send(body).catch(decision);
    expect(await provider.send(body).catch(decision)).toBe("request none");
    const other = openAiProvider(options());
    server.play(refused("max_tokens is too large: 50. This model supports at most 20 completion tokens."));
    expect(await other.send(body).catch(decision)).toBe("request none");
    expect(other.learned()).toEqual({});
  });

  it("turns thinking down as far as the model allows where it cannot be off", async () => {
    const provider = openAiProvider(options());
    const body = provider.encode(request);
    const effort = refused("'reasoning_effort' does not support this value", { param: "reasoning_effort" });
    server.play(effort, effort, effort, ok);
    for (let tried = 0; tried < 3; tried++) expect(await provider.send(body).catch(decision)).toBe("parameter none");
    expect((await provider.send(body)).text).toBe("hi");
    expect(server.seen.map(({ body: sent }) => sent["reasoning_effort"])).toEqual([
      "none",
      "minimal",
      "low",
      undefined,
    ]);
  });

  it("stops the run where a level of thinking that was asked for is refused", async () => {
    const provider = openAiProvider({ ...options(), thinking: "high" });
    server.play(refused("'reasoning_effort' is not supported", { param: "reasoning_effort" }));
    await expect(provider.send(provider.encode(request))).rejects.toThrow(/Choose another --thinking\.$/);
    const other = anthropicProvider({ ...options(), thinking: "low" });
    server.play(json(400, { type: "error", error: { type: "invalid_request_error", message: "thinking: unknown" } }));
    expect(await other.send(other.encode(request)).catch(decision)).toBe("stop none");
  });

  it("does without a routing key and without usage in the stream where a server knows neither", async () => {
    const provider = openAiProvider({ ...options(), stream: true });
    const body = provider.encode(request);
    server.play(
      refused("[{'loc': ('body', 'prompt_cache_key'), 'msg': 'Extra inputs'}]"),
      refused("unknown field: stream_options"),
      ok,
    );
    for (let tried = 0; tried < 2; tried++) expect(await provider.send(body).catch(decision)).toBe("parameter none");
    expect((await provider.send(body)).text).toBe("hi");
    expect(Object.keys(server.seen.at(-1)?.body ?? {})).not.toContain("prompt_cache_key");
    expect(Object.keys(server.seen.at(-1)?.body ?? {})).not.toContain("stream_options");
  });

  it("does not tell a model to stop thinking that refuses to be told", async () => {
    const provider = anthropicProvider(options());
    const body = provider.encode(request);
    server.play(
      json(400, {
        type: "error",
        error: { type: "invalid_request_error", message: "thinking.type: Input should be 'adaptive'" },
      }),
      okMessage,
    );
    expect(await provider.send(body).catch(decision)).toBe("parameter none");
    expect((await provider.send(body)).text).toBe("hi");
    expect(server.seen.map(({ body: sent }) => sent["thinking"])).toEqual([{ type: "disabled" }, undefined]);
  });

  it("asks for --no-stream where a model does not stream", async () => {
    const provider = openAiProvider({ ...options(), stream: true });
    server.play(refused("Your organization must be verified to stream this model.", { param: "stream" }));
    await expect(provider.send(provider.encode(request))).rejects.toThrow(/Use --no-stream\.$/);
  });
});

describe("applied", () => {
  it("changes parameters where they stand and nothing else", () => {
    const body = { a: 1, b: 2, c: 3 };
    const sent = applied(body, { a: { kind: "renamed", to: "z" }, b: { kind: "left out" }, d: { kind: "set", to: 4 } });
    expect(JSON.stringify(sent)).toBe('{"z":1,"c":3}');
    expect(body).toEqual({ a: 1, b: 2, c: 3 });
  });
});

describe("memory", () => {
  it("goes down a ladder step by step and says when it is at its end", () => {
    const memory = createMemory({ p: [{ kind: "set", to: 1 }, { kind: "left out" }] }, {}, () => undefined);
    expect(memory.learn("p", memory.learned())).toEqual({ kind: "set", to: 1 });
    expect(memory.learn("p", {})).toEqual({ kind: "set", to: 1 });
    expect(memory.learn("p", memory.learned())).toEqual({ kind: "left out" });
    expect(memory.learn("p", memory.learned())).toBeUndefined();
    expect(memory.learn("q", {})).toBeUndefined();
  });
});
