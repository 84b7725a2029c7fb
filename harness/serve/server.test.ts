import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ArtifactError, UsageError } from "../errors.ts";
import { type JsonObject, sha256 } from "../json.ts";
import { measureBody } from "../models/body.ts";
import { startOfflineServer } from "./server.ts";
import { ask, asking, type Json, paths, post, rightAnswer, routes, serve } from "./testing.ts";

const json = async (response: Response) => ({ status: response.status, body: (await response.json()) as Json });
const answer = ({ body }: { readonly body: Json }) => body["choices"]?.[0]?.["message"]?.["content"];

describe("the server", () => {
  it.each(["/v1/chat/completions", "/chat/completions", "/v1/chat/completions/?beta=true"])(
    "answers at %s",
    async (path) => {
      expect(answer(await json(await post(await serve(), path, asking("chat"))))).toBe(rightAnswer);
    },
  );

  it("is the yes model where that is asked for", async () => {
    expect(answer(await ask(await serve({ model: "yes" }), "chat"))).toBe('{"appeared":["96 MiB","PR #482"]}');
  });

  it.each(["/", "/v1", "/v1/embeddings", "/v2/chat/completions", "/totals/x"])("knows no %s", async (path) => {
    const server = await serve();
    expect(await json(await post(server, path, "{}"))).toMatchObject({
      status: 404,
      body: { error: { code: "unknown_url" } },
    });
    expect(server.log).toMatchObject([{ call: null, route: null, status: 404, answered: false }]);
  });

  it.each([
    ["GET", "/v1/chat/completions", "POST"],
    ["DELETE", "/v1/messages", "POST"],
    ["POST", "/v1/models", "GET"],
  ])("does not allow %s %s", async (method, path, allowed) => {
    const server = await serve();
    const response = await fetch(`${server.baseUrl}${path}`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allowed);
    expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error" } });
  });

  it("speaks Anthropic's form to Anthropic's clients on unknown routes too", async () => {
    const headers = { "anthropic-version": "2023-06-01" };
    const { body } = await json(await post(await serve(), "/v1/complete", "{}", { headers }));
    expect(body).toMatchObject({ type: "error", error: { type: "not_found_error" } });
  });

  it.each(routes)("refuses what is no JSON, no UTF-8 or no well-formed Unicode (%s)", async (route) => {
    const server = await serve();
    const bad = ["{", Buffer.from([0x7b, 0xff, 0x7d]), '{"model":"\\ud800"}', "[]", "null"];
    for (const body of bad) {
      const reply = await json(await post(server, paths[route], body));
      expect(reply).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error" } } });
    }
    expect(server.log).toHaveLength(bad.length);
  });

  it("takes escaped surrogate pairs and escaped backslashes for what they are", async () => {
    const said = [
      { role: "user", content: String.raw`"\ud83d" ` },
      { role: "user", content: "😀" },
    ];
    const body = JSON.stringify(asking("chat", { messages: said })).replace("😀", String.raw`\ud83d\ude00`);
    expect((await post(await serve(), paths.chat, body)).status).toBe(200);
  });

  it("takes compressed bodies, and refuses an encoding it does not know", async () => {
    const server = await serve();
    const packed = gzipSync(JSON.stringify(asking("chat")));
    const gzip = await post(server, paths.chat, packed, { headers: { "content-encoding": "gzip" } });
    expect(answer(await json(gzip))).toBe(rightAnswer);
    expect((await post(server, paths.chat, packed, { headers: { "content-encoding": "zstd" } })).status).toBe(415);
    expect((await post(server, paths.chat, "{}", { headers: { "content-encoding": "gzip" } })).status).toBe(400);
  });

  it("takes a port once", async () => {
    const { port } = await serve();
    const second = startOfflineServer({ port });
    await expect(second).rejects.toBeInstanceOf(UsageError);
    await expect(second).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is taken. Give another --port, or 0 for a free one.`,
    );
  });

  it("gives its port back when it is closed", async () => {
    const server = await startOfflineServer();
    await server.close();
    const again = await serve({ port: server.port });
    expect(again.port).toBe(server.port);
  });
});

describe("cache accounting", () => {
  const long = "word ".repeat(1000);
  const asks = (question: string, more: object = {}) => ({
    stream_options: null,
    messages: [
      { role: "user", content: long },
      { role: "user", content: question },
    ],
    ...more,
  });
  const usages = async (server: Awaited<ReturnType<typeof serve>>, bodies: readonly object[]) => {
    for (const body of bodies) await ask(server, "chat", body);
    return server.log.map(({ usage }) => usage);
  };

  // 1,256 tokens of context (1,250 and a frame), 1 of an empty tool list, 7 or 8 of a question and its frame.
  it("is OpenAI's on its route: cached tokens inside the prompt's", async () => {
    expect(await usages(await serve(), [asks("one?"), asks("two?")])).toMatchObject([
      { prompt_tokens: 1264, prompt_tokens_details: { cached_tokens: 0 } },
      { prompt_tokens: 1264, prompt_tokens_details: { cached_tokens: 1152 } },
    ]);
  });

  it("is DeepSeek's on request: hit and miss, from the third question on", async () => {
    const all = await usages(await serve({ cacheRules: "deepseek" }), [asks("one?"), asks("two?"), asks("six?")]);
    expect(all).toMatchObject([
      { prompt_tokens: 1264, prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 1264 },
      { prompt_tokens: 1264, prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 1264 },
      { prompt_tokens: 1264, prompt_cache_hit_tokens: 1257, prompt_cache_miss_tokens: 7 },
    ]);
  });

  it("is Anthropic's on request: three counts apart", async () => {
    const marked = (question: string) => ({
      messages: [
        { role: "user", content: [{ type: "text", text: long, cache_control: { type: "ephemeral", ttl: "1h" } }] },
        { role: "user", content: question },
      ],
    });
    const all = await usages(await serve({ cacheRules: "anthropic" }), [marked("one?"), marked("two?")]);
    expect(all).toMatchObject([
      {
        input_tokens: 7,
        cache_creation_input_tokens: 1257,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1257 },
      },
      { input_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 1257 },
    ]);
  });

  it("is OpenAI's from GPT-5.6 on where asked for: writes in the details", async () => {
    const all = await usages(await serve({ cacheRules: "openai-5.6" }), [asks("one?"), asks("one?")]);
    expect(all).toMatchObject([
      { prompt_tokens: 1264, prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 1264 } },
      { prompt_tokens: 1264, prompt_tokens_details: { cached_tokens: 1264 } },
    ]);
  });

  it("keeps models apart, and routing keys where asked to", async () => {
    const read = async (options: object, ...more: object[]) => {
      const server = await serve(options);
      for (const one of more) await ask(server, "chat", asks("one?", one));
      return server.log.at(-1)?.billed?.cacheReadTokens;
    };
    expect(await read({}, { model: "a" }, { model: "b" })).toBe(0);
    expect(await read({}, { prompt_cache_key: "a" }, { prompt_cache_key: "b" })).toBe(1152);
    expect(await read({ cacheByKey: true }, { prompt_cache_key: "a" }, { prompt_cache_key: "b" })).toBe(0);
    expect(await read({ cacheByKey: true }, { prompt_cache_key: "a" }, { prompt_cache_key: "a" })).toBe(1152);
  });

  it("leaves nothing of what was refused", async () => {
    const server = await serve({ faults: [{ on: 1, fault: "rate-limit" }] });
    await ask(server, "chat", asks("one?"));
    await ask(server, "chat", asks("one?"));
    expect(server.log.at(-1)?.billed?.cacheReadTokens).toBe(0);
  });
});

describe("the log", () => {
  const folder = mkdtempSync(join(tmpdir(), "serve-"));
  const lines = (path: string): unknown[] =>
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);

  it("caches nothing under the rules none, and keeps the route's form of usage", async () => {
    const long = { messages: [{ role: "user", content: "word ".repeat(4000) }] };
    const read = async (cacheRules: "none" | undefined): Promise<number> => {
      const server = await serve({ cacheRules });
      for (let call = 1; call <= 2; call++) await ask(server, "chat", long);
      expect(server.log[1]?.usage).toHaveProperty("prompt_tokens_details.cached_tokens");
      return server.totals().tokens.cacheReadTokens;
    };
    expect(await read("none")).toBe(0);
    expect(await read(undefined)).toBeGreaterThan(1024);
  });

  it("has a line a request, in the file before the client has its reply, and no text of it", async () => {
    const logFile = join(folder, "log.jsonl");
    const server = await serve({ logFile, faults: [{ on: 2, fault: { name: "status", status: 500 } }] });
    for (let call = 1; call <= 3; call++) {
      await ask(server, "chat");
      expect(lines(logFile)).toHaveLength(call);
    }
    expect(lines(logFile)).toEqual(server.log);
    const text = JSON.stringify(asking("chat"));
    expect(server.log[0]).toMatchObject({
      call: 1,
      method: "POST",
      path: "/v1/chat/completions",
      route: "chat",
      model: "any",
      bodySha256: sha256(text),
      bodyBytes: text.length,
      attempt: 1,
      fault: null,
      answered: true,
    });
    const { stream_options: _how, ...request } = asking("chat");
    expect(server.log[0]?.requestSha256).toBe(measureBody(request as JsonObject).sha256);
    expect(server.log[1]).toMatchObject({
      attempt: 2,
      fault: "status 500",
      status: 500,
      answered: false,
      billed: null,
    });
    expect(readFileSync(logFile, "utf8")).not.toContain("MiB");
  });

  it("goes on where an earlier server ended", async () => {
    const logFile = join(folder, "twice.jsonl");
    for (let time = 0; time < 2; time++) {
      const server = await startOfflineServer({ logFile });
      await ask(server, "chat");
      await server.close();
    }
    expect(lines(logFile)).toHaveLength(2);
  });

  it("that cannot be written is named before anything is served", async () => {
    const starting = startOfflineServer({ logFile: join(folder, "none", "log.jsonl") });
    await expect(starting).rejects.toBeInstanceOf(ArtifactError);
    await expect(starting).rejects.toThrow(/cannot be written \(ENOENT\)\. Give another --log file\./);
  });

  it("adds up to the totals, which can be read over HTTP and do not count themselves", async () => {
    const server = await serve({
      faults: [
        { on: 2, fault: "reset-before" },
        { on: 3, fault: "rate-limit" },
      ],
    });
    await ask(server, "chat");
    await expect(ask(server, "chat")).rejects.toThrow("fetch failed");
    await ask(server, "chat");
    const totals = (await (await fetch(`${server.baseUrl}/totals`)).json()) as unknown;
    expect(totals).toEqual(server.totals());
    expect(totals).toMatchObject({ requests: 3, answered: 1, refused: 1, broken: 1, tokens: { outputTokens: 12 } });
  });
});

describe("a model that looks values up", () => {
  const tools = [{ type: "function", function: { name: "history_search", parameters: { type: "object" } } }];

  it("calls the tool over the wire, and answers with what it was shown", async () => {
    const server = await serve({ model: "offline-search" });
    const first = (await ask(server, "chat", { tools })).body["choices"]?.[0];
    expect(first).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: null, tool_calls: [{ function: { name: "history_search" } }] },
    });
    const calls = first?.["message"]?.["tool_calls"] as unknown as { id: string }[];
    const results = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "merged as PR #482" }));
    const messages = [...(asking("chat")["messages"] as object[]), first?.["message"], ...results];
    expect(answer(await ask(server, "chat", { tools, messages }))).toBe('{"appeared":["96 MiB","PR #482"]}');
  });

  it("answers at once where it may call nothing", async () => {
    const server = await serve({ model: "offline-search" });
    expect(answer(await ask(server, "chat", { tools, tool_choice: "none" }))).toBe(rightAnswer);
    const theirs = {
      tools: [{ name: "history_search", input_schema: { type: "object" } }],
      tool_choice: { type: "none" },
    };
    expect((await ask(server, "messages", theirs)).body).toMatchObject({
      content: [{ type: "text", text: rightAnswer }],
    });
  });
});
