import { describe, expect, it, vi } from "vitest";
import { usageFaultNames } from "./faults.ts";
import type { OfflineServer } from "./server.ts";
import { ask, asking, askStream, type Json, paths, plain, post, rightAnswer, routes, serve } from "./testing.ts";

const once = (fault: unknown) => serve({ faults: [{ on: 1, fault }] });
const last = ({ log }: OfflineServer) => log.at(-1);
const openStream = (server: OfflineServer, signal?: AbortSignal) =>
  post(server, paths.chat, asking("chat", { stream: true }), signal ? { signal } : {});

describe("a refusal on request", () => {
  it.each([
    ["rate-limit", 429, "rate_limit_exceeded", "rate_limit_error"],
    ["daily-quota", 429, "insufficient_quota", "rate_limit_error"],
    [{ name: "status", status: 401 }, 401, "invalid_api_key", "authentication_error"],
    [{ name: "status", status: 404 }, 404, "model_not_found", "not_found_error"],
    [{ name: "status", status: 500 }, 500, null, "api_error"],
    [{ name: "status", status: 529 }, 529, null, "overloaded_error"],
    ["max-tokens", 400, "unsupported_parameter", "invalid_request_error"],
    [{ name: "unsupported-parameter", parameter: "messages" }, 400, "unsupported_parameter", "invalid_request_error"],
    ["context-overflow", 400, "context_length_exceeded", "invalid_request_error"],
  ])("%j comes in each provider's form and costs nothing", async (fault, status, code, type) => {
    const server = await serve({ faults: [{ on: { every: 1 }, fault }] });
    expect(await ask(server, "chat")).toMatchObject({ status, body: { error: { code } } });
    expect(await ask(server, "messages")).toMatchObject({ status, body: { type: "error", error: { type } } });
    const refused = { status, answered: false, billed: null, usage: null };
    expect(server.log).toMatchObject([refused, refused]);
    expect(server.totals()).toMatchObject({
      requests: 2,
      answered: 0,
      refused: 2,
      broken: 0,
      tokens: { freshInputTokens: 0 },
    });
  });

  it("is over with the next call", async () => {
    const server = await once("rate-limit");
    expect((await ask(server, "chat")).status).toBe(429);
    expect((await ask(server, "chat")).body).toMatchObject({ choices: [{ message: { content: rightAnswer } }] });
    expect(server.log.map(({ fault, attempt, call }) => ({ fault, attempt, call }))).toEqual([
      { fault: "rate-limit", attempt: 1, call: 1 },
      { fault: null, attempt: 2, call: 2 },
    ]);
  });

  it("tells the wait in each header, or in those that are asked for", async () => {
    const server = await serve({
      faults: [
        { on: 1, fault: { name: "rate-limit", waitMs: 1500 } },
        { on: 2, fault: { name: "rate-limit", waitMs: 20, tell: ["rate-limit"] } },
        { on: 3, fault: { name: "rate-limit", waitMs: 0, tell: ["rate-limit"] } },
      ],
    });
    const all = (await ask(server, "chat")).headers;
    expect([all.get("retry-after"), all.get("retry-after-ms"), all.get("x-ratelimit-reset-requests")]).toEqual([
      "2",
      "1500",
      "1500ms",
    ]);
    const some = (await ask(server, "chat")).headers;
    expect([some.get("retry-after"), some.get("retry-after-ms"), some.get("x-ratelimit-reset-requests")]).toEqual([
      null,
      null,
      "20ms",
    ]);
    const theirs = (await ask(server, "messages")).headers;
    expect(theirs.get("anthropic-ratelimit-requests-remaining")).toBe("0");
    expect(theirs.get("anthropic-ratelimit-requests-reset")).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it("of a gateway is a page and no JSON", async () => {
    const response = await post(await once({ name: "status", status: 502 }), paths.chat, asking("chat"));
    expect(response.status).toBe(502);
    expect(response.headers.get("content-type")).toBe("text/html");
    expect(await response.text()).toMatch(/^<html>/);
  });

  it("fails a streamed response inside its stream where it is an overflow", async () => {
    const { status, events } = await askStream(await once("context-overflow"), "responses");
    expect(status).toBe(200);
    expect(events.at(-1)).toMatchObject({ response: { error: { code: "context_length_exceeded" } } });
  });
});

describe("a connection broken on request", () => {
  const broken = { answered: false, usage: null, billed: { outputTokens: 6 } };

  it.each(routes)("is reset before the first byte, the work being billed (%s)", async (route) => {
    const server = await once("reset-before");
    await expect(post(server, paths[route], asking(route))).rejects.toThrow("fetch failed");
    expect(last(server)).toMatchObject({ ...broken, fault: "reset-before", status: null });
    expect(server.totals()).toMatchObject({ answered: 0, broken: 1, tokens: { outputTokens: 6 } });
  });

  it.each(routes)("is reset after the first bytes, streamed or not (%s)", async (route) => {
    for (const stream of [false, true]) {
      const server = await once("reset-after");
      const response = await post(server, paths[route], asking(route, { stream }));
      const reader = response.body?.getReader();
      const first = await reader?.read();
      expect(first?.value?.length).toBeGreaterThan(10);
      await expect(reader?.read()).rejects.toThrow("terminated");
      expect(last(server)).toMatchObject({ ...broken, status: 200 });
    }
  });

  it("ends a stream in good order, but too soon", async () => {
    const server = await once("cut-stream");
    const { events, status } = await askStream(server, "chat");
    expect(status).toBe(200);
    expect(events.length).toBeGreaterThan(0);
    expect(JSON.stringify(events)).not.toMatch(/DONE|"stop"/);
    expect(last(server)).toMatchObject(broken);
    const whole = await post(await once("cut-stream"), paths.chat, asking("chat"));
    await expect(whole.json()).rejects.toThrow(SyntaxError);
  });

  it("stalls after the first events until the client leaves", async () => {
    const server = await once("stall");
    const leaving = new AbortController();
    const response = await openStream(server, leaving.signal);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(10);
    const rest = reader?.read();
    leaving.abort();
    await expect(rest).rejects.toThrow("aborted");
    expect(last(server)).toMatchObject({ ...broken, fault: "stall" });
  });

  it("stalls before the first byte until the client leaves", async () => {
    const server = await once("stall-before");
    const leaving = new AbortController();
    const asked = openStream(server, leaving.signal);
    await vi.waitFor(() => expect(server.log).toHaveLength(1));
    leaving.abort();
    await expect(asked).rejects.toThrow("aborted");
    expect(last(server)).toMatchObject({ ...broken, status: null });
  });

  it("lets the server close while it stalls", async () => {
    const server = await once("stall");
    const response = await openStream(server);
    await server.close();
    await expect(response.text()).rejects.toThrow("terminated");
  });

  it("writes down what was still due when the server closes", async () => {
    const server = await once({ name: "slow", ms: 600_000 });
    const asked = openStream(server);
    await ask(server, "chat");
    await Promise.all([expect(asked).rejects.toThrow("fetch failed"), server.close()]);
    expect(last(server)).toMatchObject({ call: 1, answered: false, status: null });
  });

  it.each([
    ["chat", /"type":"overloaded_error"/],
    ["messages", /^event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error"/m],
    ["responses", /^event: response\.failed$/m],
  ] as const)("breaks off with an error event (%s)", async (route, event) => {
    const { status, text } = await askStream(await once("error-event"), route);
    expect(status).toBe(200);
    expect(text).toMatch(event);
    expect(text).not.toMatch(/DONE|message_stop|response\.completed/);
  });

  it("answers with a page, with JSON that is none, and with an error under status 200", async () => {
    const page = await post(await once("html"), paths.chat, asking("chat"));
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html"]);
    const garbled = await post(await once("bad-json"), paths.messages, asking("messages"));
    await expect(garbled.json()).rejects.toThrow(SyntaxError);
    const stream = await post(await once("bad-json"), paths.chat, asking("chat", { stream: true }));
    expect(await stream.text()).toMatch(/data: \{"id": oops\n\n$/);
    expect(await ask(await once("error-event"), "chat")).toMatchObject({ status: 200, body: { error: {} } });
  });
});

describe("a bad reply on request", () => {
  it("comes with null content and a finish of length", async () => {
    const { body } = await ask(await once("null-content"), "chat");
    expect(body).toMatchObject({ choices: [{ message: { content: null }, finish_reason: "length" }] });
    expect((await ask(await once("null-content"), "messages")).body).toMatchObject({
      content: [],
      stop_reason: "max_tokens",
    });
    expect((await ask(await once("null-content"), "responses")).body).toMatchObject({
      output: [],
      status: "incomplete",
    });
  });

  it("is all reasoning, which is billed as output", async () => {
    const server = await once("reasoning-only");
    const { body } = await ask(server, "chat");
    expect(body).toMatchObject({
      choices: [{ message: { content: null, reasoning_content: expect.any(String) as string } }],
    });
    expect(body["usage"]).toMatchObject({ completion_tokens: 10, completion_tokens_details: { reasoning_tokens: 10 } });
    expect(last(server)?.billed).toMatchObject({ outputTokens: 10, reasoningTokens: 10 });
    expect((await ask(await once("reasoning-only"), "messages")).body).toMatchObject({
      content: [{ type: "thinking" }],
    });
  });

  it("is a tool call only, of a tool that the request defines", async () => {
    const tools = [{ type: "function", function: { name: "search", parameters: { type: "object" } } }];
    const { body } = await ask(await once("call-only"), "chat", { tools });
    expect(body).toMatchObject({
      choices: [
        { message: { content: null, tool_calls: [{ function: { name: "search" } }] }, finish_reason: "tool_calls" },
      ],
    });
  });

  it("is a refusal, in the field or with the reason of its API", async () => {
    expect((await ask(await once("refusal"), "chat")).body).toMatchObject({
      choices: [{ message: { content: null, refusal: expect.any(String) as string } }],
    });
    expect((await ask(await once("refusal"), "messages")).body).toMatchObject({ stop_reason: "refusal" });
  });

  it("is the empty text, which is not null", async () => {
    expect((await ask(await once("empty"), "chat")).body).toMatchObject({ choices: [{ message: { content: "" } }] });
  });

  it("counts as answered, and is billed for what it says", async () => {
    const server = await once("prose");
    const { body } = await ask(server, "chat");
    expect(plain(body["choices"]?.[0]?.["message"]?.["content"])).toContain(`\n\n${rightAnswer}\n\n`);
    expect(last(server)).toMatchObject({ fault: "prose", answered: true });
    expect(last(server)?.billed?.outputTokens).toBeGreaterThan(6);
  });
});

describe("usage that goes wrong on request", () => {
  it.each(usageFaultNames)("%s leaves what is billed as it was", async (fault) => {
    const server = await serve({ faults: [{ on: [2, 3], fault }] });
    for (const route of ["chat", "chat", "messages"] as const) await ask(server, route);
    const [right, chat, messages] = server.log;
    expect(chat?.billed).toEqual(right?.billed);
    expect(messages?.billed).toEqual(right?.billed);
    expect(chat?.answered).toBe(true);
  });

  const usageOf = async (fault: string, route: "chat" | "messages") =>
    (await ask(await once(fault), route)).body["usage"];

  it("is missing, negative or fractional", async () => {
    expect(await usageOf("usage-missing", "chat")).toBeUndefined();
    expect(await usageOf("usage-negative", "chat")).toMatchObject({ completion_tokens: -1 });
    expect(await usageOf("usage-fractional", "chat")).toMatchObject({ completion_tokens: 6.5 });
    expect(await usageOf("usage-missing", "messages")).toBeUndefined();
    expect(await usageOf("usage-negative", "messages")).toMatchObject({ output_tokens: -1 });
  });

  it("contradicts itself", async () => {
    const chat = await usageOf("usage-wrong", "chat");
    expect(Number(chat?.["prompt_tokens_details"]?.["cached_tokens"])).toBeGreaterThan(Number(chat?.["prompt_tokens"]));
    expect(await usageOf("usage-wrong", "messages")).toMatchObject({
      cache_creation_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 1 },
    });
  });

  it("is nowhere in a stream, or only in its last event", async () => {
    for (const route of ["chat", "messages"] as const)
      expect((await askStream(await once("usage-missing"), route)).text).not.toContain('"usage"');
    const chat = (await askStream(await once("usage-last"), "chat", { stream_options: null })).events as Json[];
    const withUsage = chat.filter((event) => typeof event === "object" && "usage" in event);
    expect(withUsage).toMatchObject([{ choices: [{ finish_reason: "stop" }], usage: { completion_tokens: 6 } }]);
    const messages = (await askStream(await once("usage-last"), "messages")).events as Json[];
    expect(messages[0]).toMatchObject({ message: { usage: { input_tokens: 0, output_tokens: 0 } } });
    expect(messages.at(-2)).toMatchObject({ type: "message_delta", usage: { output_tokens: 6 } });
    expect(Number(messages.at(-2)?.["usage"]?.["input_tokens"])).toBeGreaterThan(100);
  });
});

describe("a slow call", () => {
  it("is answered all the same", async () => {
    const server = await once({ name: "slow", ms: 3 });
    expect((await ask(server, "chat")).status).toBe(200);
    expect(last(server)).toMatchObject({ delayMs: 3, fault: null, answered: true });
  });

  it("leaves nothing in the cache before its reply, and is billed though its client has left", async () => {
    const server = await once({ name: "slow", ms: 600_000 });
    const long = { messages: [{ role: "user", content: "word ".repeat(2000) }] };
    const leaving = new AbortController();
    const asked = post(server, paths.chat, asking("chat", long), { signal: leaving.signal });
    // The second call is answered after the first has arrived.
    await ask(server, "chat", long);
    expect(server.log).toMatchObject([{ call: 2, billed: { cacheReadTokens: 0 } }]);
    leaving.abort();
    await expect(asked).rejects.toThrow("aborted");
    await vi.waitFor(() => expect(server.log).toHaveLength(2));
    expect(last(server)).toMatchObject({ call: 1, answered: false, status: null, billed: { cacheReadTokens: 0 } });
    await ask(server, "chat", long);
    expect(last(server)).toMatchObject({ call: 3, billed: { cacheReadTokens: 2432 } });
  });
});
