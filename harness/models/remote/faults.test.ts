import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContextOverflowError, ProviderError, type ProviderFailure } from "../../errors.ts";
import { anthropicProvider } from "../anthropic/anthropic.ts";
import { openAiProvider } from "../openai/openai.ts";
import type { RemoteOptions } from "./options.ts";
import {
  begun,
  completionEvents,
  json,
  messageEvents,
  raw,
  type Scene,
  type ScriptedServer,
  scriptedServer,
  sse,
} from "./testing.ts";

/** Looks like no key, so that only knowing it takes it out. */
const key = "0f1e.loopback.5c1f0d7e9a";
const now = Date.parse("2026-09-01T00:00:00Z");

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer();
});
afterAll(() => server.close());

const completion = {
  id: "c",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "half a reply" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
};
const message = {
  id: "m",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "half a reply" }],
  stop_reason: "end_turn",
  usage: { input_tokens: 9, output_tokens: 3 },
};
const forms = [
  {
    id: "openai",
    make: openAiProvider,
    path: "/v1",
    whole: completion,
    events: completionEvents(completion),
    error: (type: string, message: string, code: string | null = null) => ({
      error: { message, type, param: null, code },
    }),
    errorEvent: (error: object) => `data: ${JSON.stringify(error)}\n\n`,
  },
  {
    id: "anthropic",
    make: anthropicProvider,
    path: "",
    whole: message,
    events: messageEvents(message),
    error: (type: string, message: string) => ({ type: "error", error: { type, message } }),
    errorEvent: (error: object) => `event: error\ndata: ${JSON.stringify(error)}\n\n`,
  },
] as const;

describe.each(forms)("faults of $id", ({ id, make, path, whole, events, error, errorEvent }) => {
  const options = (over: Partial<RemoteOptions> = {}): RemoteOptions => ({
    model: "m",
    apiKey: key,
    windowTokens: 1000,
    baseUrl: server.url + path,
    timeouts: { firstByteMs: 2000, gapMs: 2000 },
    now: () => now,
    ...over,
  });
  /** The error of one attempt. */
  const fault = async (scene: Scene, over: Partial<RemoteOptions> = {}): Promise<ProviderError> => {
    server.play(scene);
    const outcome = await make(options(over))
      .send({ model: "m", max_tokens: 5, messages: [] })
      .then(
        (reply) => reply,
        (thrown: unknown) => thrown,
      );
    if (!(outcome instanceof ProviderError)) throw new Error(`no ProviderError but ${inspect(outcome)}`);
    expect(server.seen).toHaveLength(1);
    expect(outcome.failure.provider).toBe(id);
    expect(outcome.message).toMatch(new RegExp(`^${id}: .+\\.$`));
    expect(inspect(outcome, { depth: 9 })).not.toContain(key);
    return outcome;
  };
  const refusal = (status: number, body: unknown, headers: { readonly [name: string]: string } = {}) =>
    fault(json(status, body, headers));

  const decided: [string, number, unknown, { readonly [name: string]: string }, Partial<ProviderFailure>][] = [
    ["429", 429, error("rate_limit_error", "slow down"), {}, { decision: "retry", charge: "none" }],
    [
      "429 with retry-after in seconds",
      429,
      error("rate_limit_error", "slow down"),
      { "retry-after": "7" },
      { decision: "retry", charge: "none", retryAfterMs: 7000 },
    ],
    [
      "429 with retry-after-ms",
      429,
      error("rate_limit_error", "slow down"),
      { "retry-after-ms": "30", "retry-after": "7" },
      { decision: "retry", charge: "none", retryAfterMs: 30 },
    ],
    [
      "429 with a date",
      429,
      error("rate_limit_error", "slow down"),
      { "retry-after": "Tue, 01 Sep 2026 00:01:30 GMT" },
      { decision: "retry", charge: "none", retryAfterMs: 90_000 },
    ],
    [
      "429 of a spent daily quota",
      429,
      error("rate_limit_error", "Limit of requests per day (RPD) reached"),
      {},
      { decision: "stop", charge: "none" },
    ],
    [
      "429 that wishes to wait for a day",
      429,
      error("rate_limit_error", "slow down"),
      { "retry-after": "86400" },
      { decision: "stop", charge: "none" },
    ],
    [
      "429 of an empty account",
      429,
      error("insufficient_quota", "no money", "insufficient_quota"),
      {},
      { decision: "stop", charge: "none" },
    ],
    [
      "429 for a request above a minute's allowance",
      429,
      error("tokens", "Request too large for m on tokens per min (TPM): Limit 30000, Requested 90000"),
      {},
      { decision: "request", charge: "none" },
    ],
    [
      "400 of an empty account",
      400,
      error("invalid_request_error", "Your credit balance is too low"),
      {},
      { decision: "stop", charge: "none" },
    ],
    ["402", 402, error("unknown_error", "Insufficient Balance"), {}, { decision: "stop", charge: "none" }],
    [
      "401",
      401,
      error("authentication_error", `Incorrect API key provided: ${key}`),
      {},
      { decision: "stop", charge: "none" },
    ],
    ["403", 403, error("permission_error", "not for you"), {}, { decision: "stop", charge: "none" }],
    ["404", 404, error("not_found_error", "model: m"), {}, { decision: "stop", charge: "none" }],
    ["408", 408, error("timeout_error", "too slow"), {}, { decision: "retry", charge: "unknown" }],
    ["409", 409, error("conflict_error", "locked"), {}, { decision: "retry", charge: "none" }],
    ["500", 500, error("api_error", "boom"), {}, { decision: "retry", charge: "unknown" }],
    [
      "500 that asks for no retry",
      500,
      error("api_error", "boom"),
      { "x-should-retry": "false" },
      { decision: "request", charge: "unknown" },
    ],
    ["501", 501, error("not_supported_error", "no tools here"), {}, { decision: "stop", charge: "unknown" }],
    ["502", 502, error("api_error", "bad gateway"), {}, { decision: "retry", charge: "unknown" }],
    [
      "503",
      503,
      error("api_error", "busy"),
      { "retry-after": "1.5" },
      { decision: "retry", charge: "none", retryAfterMs: 1500 },
    ],
    ["529", 529, error("overloaded_error", "Overloaded"), {}, { decision: "retry", charge: "none" }],
    [
      "400 for another reason",
      400,
      error("invalid_request_error", "messages.0: wrong"),
      {},
      { decision: "request", charge: "none" },
    ],
  ];
  it.each(decided)("decides on status %s", async (_name, status, body, headers, expected) => {
    const { failure } = await refusal(status, body, headers);
    expect({ ...failure }).toEqual({ provider: id, status, ...expected });
  });

  it.each([
    [
      400,
      error(
        "invalid_request_error",
        "This model's maximum context length is 128000 tokens.",
        "context_length_exceeded",
      ),
    ],
    [400, error("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")],
    [400, error("invalid_request_error", "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000")],
    [
      400,
      {
        error: {
          code: 400,
          message: "the request exceeds the available context size",
          type: "exceed_context_size_error",
        },
      },
    ],
    [
      400,
      {
        object: "error",
        message:
          "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 4096 tokens.",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
    ],
    [413, error("request_too_large", "Request exceeds the maximum size")],
    [413, "<html>413 Request Entity Too Large</html>"],
  ])("lets an arm react to a request that does not fit: %i %j", async (status, body) => {
    const thrown = await refusal(status, body);
    expect(thrown).toBeInstanceOf(ContextOverflowError);
    expect(thrown.failure).toEqual({ provider: id, status, charge: "none", decision: "request" });
  });

  const lost: [string, () => Scene, RegExp, boolean | undefined][] = [
    ["a reset before the first byte", () => begun(sse, [], "reset"), /no reply from http/, undefined],
    ["a reset inside a stream", () => begun(sse, events.slice(0, 3), "reset"), /broke off/, true],
    ["a reset inside a body", () => begun("application/json", ['{"id":"x",'], "reset"), /broke off/, false],
    ["a stream that ends without an end", () => begun(sse, events.slice(0, 3), "end"), /ended without/, true],
    ["a stream of no events", () => begun(sse, [": nothing\n\n"], "end"), /ended without/, true],
    ["a page", () => raw(200, "text/html", "<html>gateway</html>"), /is text/, true],
    ["a page instead of JSON", () => raw(200, "text/html", "<html>gateway</html>"), /is text|no message/, false],
    ["bad JSON", () => raw(200, "application/json", '{"id": oops'), /no JSON/, false],
    ["a list", () => json(200, []), /no chat completion|no message/, false],
    ["an object that is no reply", () => json(200, { id: "x" }), /ended without|no message/, false],
    [
      "a reply without a reason to finish",
      () => json(200, { ...whole, choices: [{ message: {} }], stop_reason: null }),
      /ended without/,
      false,
    ],
    [
      "a bad event",
      () => begun(sse, [events[0] ?? "", "event: message_delta\ndata: {oops\n\n"], "end"),
      /no JSON/,
      true,
    ],
    [
      "an error event",
      () => begun(sse, [events[0] ?? "", errorEvent(error("overloaded_error", "Overloaded"))], "end"),
      /"Overloaded"/,
      true,
    ],
    ["an error inside a success", () => json(200, error("server_error", "boom")), /"boom"/, false],
  ];
  it.each(lost)("retries %s, whose cost nobody can know", async (_name, scene, said, stream = true) => {
    const thrown = await fault(scene(), { stream });
    expect(thrown.failure).toEqual({ provider: id, status: undefined, charge: "unknown", decision: "retry" });
    expect(thrown.message).toMatch(said);
  });

  const soon = { firstByteMs: 40, gapMs: 2000 };
  const later = { firstByteMs: 2000, gapMs: 30 };
  it.each([
    ["no head", () => begun(sse, [], "stall"), soon, /no byte for 0.04 s/],
    ["a head and no byte", () => begun(sse, [""], "stall"), soon, /no byte for 0.04 s/],
    ["a stream that stalls", () => begun(sse, events.slice(0, 3), "stall"), later, /stalled: no byte for 0.03 s/],
    ["a body that stalls", () => begun("application/json", ['{"id":'], "stall"), later, /stalled: no byte for 0.03 s/],
  ])("ends and retries an attempt with %s", async (name, scene, timeouts, said) => {
    const thrown = await fault(scene(), { stream: !name.includes("body"), timeouts });
    expect(thrown.failure).toEqual({ provider: id, status: undefined, charge: "unknown", decision: "retry" });
    expect(thrown.message).toMatch(said);
  });

  it("stops the run over an error event that no other attempt can mend", async () => {
    const scene = begun(sse, [events[0] ?? "", errorEvent(error("authentication_error", "expired"))], "end");
    expect((await fault(scene)).failure).toMatchObject({ decision: "stop", charge: "unknown" });
  });

  it("needs the last event that says something: what Anthropic ends with, and OpenAI's finish reason", async () => {
    server.play(begun(sse, events.slice(0, id === "anthropic" ? -1 : -3), "end"));
    await expect(make(options()).send({ model: "m", messages: [] })).rejects.toThrow("ended without");
  });

  it("keeps a whole reply whose connection is never closed", async () => {
    server.play(begun(sse, events, "stall"));
    const provider = make(options({ timeouts: { firstByteMs: 1000, gapMs: 30 } }));
    expect((await provider.send({ model: "m", messages: [] })).text).toBe("half a reply");
  });

  it("bills nothing where no connection came about", async () => {
    const gone = await scriptedServer();
    await gone.close();
    const attempt = make(options({ baseUrl: gone.url + path })).send({ model: "m", messages: [] });
    await expect(attempt).rejects.toMatchObject({ failure: { charge: "none", decision: "retry" } });
  });

  it("rejects with the caller's own reason when the caller ends it", async () => {
    server.play(begun(sse, events.slice(0, 2), "stall"));
    const controller = new AbortController();
    const attempt = make(options()).send({ model: "m", messages: [] }, controller.signal);
    const reason = new Error("Ctrl-C");
    setTimeout(() => controller.abort(reason), 20);
    await expect(attempt).rejects.toBe(reason);
    await expect(make(options()).send({}, controller.signal)).rejects.toBe(reason);
  });

  it("sends no header that the environment adds, and the key in none but its own", async () => {
    const variables = ["OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"];
    const before = variables.map((name) => process.env[name]);
    for (const name of variables) process.env[name] = "x-secret: from-the-environment";
    try {
      server.play(json(200, whole));
      await make(options({ stream: false })).send({ model: "m", messages: [] });
    } finally {
      for (const [at, name] of variables.entries()) {
        if (before[at] === undefined) delete process.env[name];
        else process.env[name] = before[at];
      }
    }
    const headers = server.seen[0]?.headers ?? {};
    expect(JSON.stringify(headers)).not.toContain("from-the-environment");
    const withKey = Object.entries(headers).filter(([, value]) => value?.includes(key));
    expect(withKey).toEqual([["authorization", `Bearer ${key}`]]);
  });
});
