import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BudgetError, ContextOverflowError, InterruptedError, ProviderError, type ProviderFailure } from "../errors.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { createMeter, defaultRetries } from "./meter.ts";
import type { ModelReply, ModelRequest, Provider } from "./model.ts";
import type { Pricing } from "./prices.ts";

const usage = { freshInputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 10 };
const answer: ModelReply = { text: "yes", calls: [], finish: "stop", usage };
const priced: Pricing = {
  kind: "priced",
  price: {
    id: "p",
    currency: "CNY",
    inputNano: 1_000_000n,
    outputNano: 1_000_000n,
    cacheReadNano: 0n,
    cacheWriteNano: 0n,
  },
};
const request = (system = "s"): ModelRequest => ({
  purpose: "answer",
  cacheKey: "k",
  system,
  tools: [],
  toolChoice: "none",
  messages: [],
  maxOutputTokens: 50,
});
const cell = { chain: "export", end: 28, arm: "codex" };
const failure = (over: Partial<ProviderFailure>): ProviderFailure => ({
  provider: "p",
  status: 500,
  charge: "unknown",
  decision: "retry",
  retryAfterMs: 0,
  ...over,
});

/** A provider that follows a script of replies and errors, and fails loudly when it runs out. */
function scripted(...script: (ModelReply | Error | (() => ModelReply))[]): Provider & { sent: number } {
  const provider = {
    id: "p",
    model: "m",
    windowTokens: 1000,
    parameters: {},
    sent: 0,
    encode: ({ system }: ModelRequest) => ({ system }),
    send: () => {
      const next = script[provider.sent++];
      if (next === undefined) return Promise.reject(new Error("script ran out"));
      if (next instanceof Error) return Promise.reject(next);
      return Promise.resolve(typeof next === "function" ? next() : next);
    },
  };
  return provider;
}

function setUp(
  provider: Provider,
  { pricing = priced, budgetNano, ledgerPath }: { pricing?: Pricing; budgetNano?: bigint; ledgerPath?: string } = {},
) {
  const path = ledgerPath ?? join(mkdtempSync(join(tmpdir(), "meter-")), "ledger.jsonl");
  const ledger: Ledger = openLedger(path, { budgetNano });
  const controller = new AbortController();
  const retries = { ...defaultRetries, firstWaitMs: 1 };
  const meter = createMeter({ provider, ledger, pricing, retries, signal: controller.signal });
  return { path, ledger, meter, controller };
}

describe("meter", () => {
  it("settles a reply at the cost of its usage", async () => {
    const { ledger, meter } = setUp(scripted(answer));
    expect(await meter.forStep(cell)(request())).toEqual(answer);
    expect(ledger.spentNano()).toBe(110n);
  });

  it("never asks an answered key again, also in a later process", async () => {
    const first = setUp(scripted(answer));
    await first.meter.forStep(cell)(request());
    const silent = scripted();
    const second = setUp(silent, { ledgerPath: first.path });
    expect(await second.meter.forStep(cell)(request())).toEqual(answer);
    expect(silent.sent).toBe(0);
  });

  it("asks an equal request of the same step again, and tells it apart by its order", async () => {
    const provider = scripted(answer, { ...answer, text: "second" });
    const { meter } = setUp(provider);
    const complete = meter.forStep(cell);
    expect([(await complete(request())).text, (await complete(request())).text]).toEqual(["yes", "second"]);
    const again = meter.forStep(cell);
    expect([(await again(request())).text, (await again(request())).text]).toEqual(["yes", "second"]);
    expect(provider.sent).toBe(2);
  });

  it("tells the replies of an open book apart by round and turn, and from the closed book's", async () => {
    const provider = scripted(...["closed", "1/0", "1/1", "2/0"].map((text) => ({ ...answer, text })));
    const { meter, ledger } = setUp(provider);
    const places = [{}, { round: "1", turn: 0 }, { round: "1", turn: 1 }, { round: "2", turn: 0 }];
    for (const again of [1, 2]) {
      const texts: string[] = [];
      for (const place of places) texts.push((await meter.forStep({ ...cell, ...place })(request())).text);
      expect(texts, `pass ${again}`).toEqual(["closed", "1/0", "1/1", "2/0"]);
    }
    expect(provider.sent).toBe(4);
    expect(ledger.rows().flatMap((row) => (row.row === "reserve" ? [[row.round, row.turn]] : []))).toEqual([
      [undefined, undefined],
      ["1", 0],
      ["1", 1],
      ["2", 0],
    ]);
  });

  it("gives every attempt its own reservation and keeps lost ones spent", async () => {
    const provider = scripted(
      new ProviderError("reset", failure({})),
      new ProviderError("429", failure({ charge: "none" })),
      answer,
    );
    const { ledger, meter } = setUp(provider);
    await meter.forStep(cell)(request());
    const rows = ledger.rows().map((row) => row.row);
    expect(rows).toEqual(["reserve", "settle", "reserve", "release", "reserve", "settle"]);
    const reserved = BigInt(JSON.stringify({ system: "s" }).length + 50);
    expect(ledger.spentNano()).toBe(reserved + 110n);
  });

  it("gives up after the last attempt with the provider's own error", async () => {
    const provider = scripted(
      ...Array.from({ length: 5 }, (_, index) => new ProviderError(`fault ${index}`, failure({ charge: "none" }))),
    );
    await expect(setUp(provider).meter.forStep(cell)(request())).rejects.toThrow("fault 4");
    expect(provider.sent).toBe(5);
  });

  it("does not retry what another attempt cannot mend", async () => {
    const provider = scripted(new ProviderError("401", failure({ status: 401, charge: "none", decision: "stop" })));
    await expect(setUp(provider).meter.forStep(cell)(request())).rejects.toThrow("401");
    expect(provider.sent).toBe(1);
  });

  it("remembers an overflow as an answer: it is thrown again without being sent again", async () => {
    const overflow = new ContextOverflowError(
      "too long",
      failure({ status: 400, charge: "none", decision: "request" }),
    );
    const first = setUp(scripted(overflow));
    await expect(first.meter.forStep(cell)(request())).rejects.toThrow(ContextOverflowError);
    const silent = scripted();
    await expect(setUp(silent, { ledgerPath: first.path }).meter.forStep(cell)(request())).rejects.toThrow(
      ContextOverflowError,
    );
    expect(silent.sent).toBe(0);
  });

  it("spends the reservation of a reply without usage", async () => {
    const { usage: _missing, ...silent } = answer;
    const { ledger, meter } = setUp(scripted(silent));
    await meter.forStep(cell)(request());
    expect(ledger.spentNano()).toBe(BigInt(JSON.stringify({ system: "s" }).length + 50));
  });

  it("sends nothing once the budget cannot cover it", async () => {
    const provider = scripted(answer);
    await expect(setUp(provider, { budgetNano: 10n }).meter.forStep(cell)(request())).rejects.toThrow(BudgetError);
    expect(provider.sent).toBe(0);
  });

  it("lets a call in flight finish when the user wants to leave, because it is paid for, and sends nothing more", async () => {
    let release: (reply: ModelReply) => void = () => undefined;
    const provider = scripted(answer);
    let given: AbortSignal | undefined;
    provider.send = (_body, signal) => {
      given = signal;
      return new Promise((resolve) => (release = resolve));
    };
    const { meter, ledger, controller } = setUp(provider);
    const asked = meter.forStep(cell)(request("a"));
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(given?.aborted ?? false).toBe(false);
    release(answer);
    expect(await asked).toEqual(answer);
    expect(ledger.spentNano()).toBe(110n);
    await expect(meter.forStep(cell)(request("b"))).rejects.toThrow(InterruptedError);
    expect(ledger.rows()).toHaveLength(2);
  });

  it("turns a failure of a call that the user no longer waits for into an interruption, so that no cell fails by it", async () => {
    let controller: AbortController | undefined;
    const provider = scripted(() => {
      controller?.abort();
      throw new ProviderError("500", failure({ decision: "request" }));
    });
    const set = setUp(provider);
    controller = set.controller;
    await expect(set.meter.forStep(cell)(request())).rejects.toThrow(InterruptedError);
    expect(set.ledger.spentNano()).toBeGreaterThan(0n);
  });

  it("obeys a wish to wait once, and backs off by itself where that did not help", async () => {
    const busy = new ProviderError("429", failure({ charge: "none", status: 429 }));
    const path = join(mkdtempSync(join(tmpdir(), "meter-")), "ledger.jsonl");
    const ledger = openLedger(path);
    const controller = new AbortController();
    const provider = scripted(busy, busy, answer);
    const retries = { maxAttempts: 5, firstWaitMs: 60_000, maxWaitMs: 60_000 };
    const meter = createMeter({ provider, ledger, pricing: priced, retries, signal: controller.signal });
    const asked = meter.forStep(cell)(request());
    while (provider.sent < 2) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await expect(asked).rejects.toThrow(InterruptedError);
    expect(provider.sent).toBe(2);
  });

  it("waits for a call in flight to settle for less, instead of giving up the budget", async () => {
    let release: (reply: ModelReply) => void = () => undefined;
    const slow = new Promise<ModelReply>((resolve) => {
      release = resolve;
    });
    const provider = scripted(answer, answer);
    const inner = provider.send.bind(provider);
    provider.send = (body) => (provider.sent === 0 ? (provider.sent++, slow) : inner(body));
    const { meter, ledger } = setUp(provider, { budgetNano: 260n });
    const first = meter.forStep(cell)(request("a"));
    const second = meter.forStep(cell)(request("b"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(ledger.openNano()).toBeGreaterThan(0n);
    release({ ...answer, usage: { ...usage, freshInputTokens: 1, outputTokens: 1 } });
    await Promise.all([first, second]);
    expect(ledger.spentNano()).toBe(112n);
  });

  it("starts nothing new once it is drained, and refuses with the reason", async () => {
    const drain = new AbortController();
    const provider = scripted(answer);
    const ledger = openLedger(join(mkdtempSync(join(tmpdir(), "meter-")), "ledger.jsonl"));
    const meter = createMeter({
      provider,
      ledger,
      pricing: priced,
      signal: new AbortController().signal,
      drain: drain.signal,
    });
    drain.abort(new BudgetError("spent", 1n, 0n));
    await expect(meter.forStep(cell)(request())).rejects.toThrow(BudgetError);
    expect(provider.sent).toBe(0);
  });
});
