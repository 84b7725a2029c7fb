/** What follows from every fault of a provider: label, attempts, money, exit code. Real HTTP, through the real SDKs. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chainToJsonl } from "../harness/chain/file.ts";
import { parseLedger } from "../harness/models/ledger.ts";
import type { Report } from "../harness/report/report.ts";
import { parseFaults } from "../harness/serve/faults.ts";
import { startOfflineServer } from "../harness/serve/server.ts";
import { main } from "./main.ts";
import { smallChain } from "./testing.ts";

const place = mkdtempSync(join(tmpdir(), "faults-"));
const chain = join(place, "cedar.jsonl");
writeFileSync(chain, chainToJsonl(smallChain("cedar", 30)));
const prices = join(place, "prices.json");
writeFileSync(
  prices,
  JSON.stringify({
    any: { currency: "CNY", perMillionTokens: { input: 1, output: 4, cacheRead: "0.02", cacheWrite: 1 } },
  }),
);

beforeEach(() => {
  vi.stubEnv("OPENAI_API_KEY", "any");
  vi.stubEnv("ANTHROPIC_API_KEY", "any");
});
afterEach(() => {
  vi.unstubAllEnvs();
  process.exitCode = 0;
});

interface Consequences {
  readonly code: number;
  readonly error: string;
  /** Label of each of the three answers, or why a sheet has none. */
  readonly labels: { readonly [label: string]: number };
  /** Reservations of the three sheets. */
  readonly attempts: number;
  /** How the attempts ended. */
  readonly ends: { readonly [end: string]: number };
  readonly doesNotFit: number;
  readonly decoys: number;
  /** Compactions that went on without a summary, by why. */
  readonly fallbacks: { readonly [reason: string]: number };
}

/** Asks the three sheets of one chain, with everything kept, while every request meets the fault once. */
async function under(
  style: "openai" | "anthropic",
  fault: unknown,
  on: unknown = { attempt: 1 },
  more: readonly string[] = [],
  arm = "full",
): Promise<Consequences> {
  const server = await startOfflineServer({ faults: parseFaults([{ on, fault }]) });
  const results = mkdtempSync(join(place, "results-"));
  const texts = { out: "", err: "" };
  const into = (name: "out" | "err") => (text: string | Uint8Array) => {
    texts[name] += text.toString();
    return true;
  };
  const out = vi.spyOn(process.stdout, "write").mockImplementation(into("out"));
  const err = vi.spyOn(process.stderr, "write").mockImplementation(into("err"));
  const argv = ["run", "--json", "--yes", "--arms", arm, "--chain", chain, "--cuts", "48,84,120", "--results", results];
  const model = [
    "--model",
    `${style}:offline`,
    "--base-url",
    style === "openai" ? `${server.baseUrl}/v1` : server.baseUrl,
  ];
  try {
    const code = await main([
      ...argv,
      ...model,
      "--window",
      "100000",
      "--prices",
      prices,
      "--retry-wait",
      "1",
      ...more,
    ]);
    const folder = join(results, readdirSync(results)[0] ?? "");
    const { rows } = parseLedger("ledger", readFileSync(join(folder, "ledger.jsonl")));
    const ends: { [end: string]: number } = {};
    for (const row of rows) {
      if (row.row === "reserve") continue;
      const end =
        row.row === "release" ? "released" : "lost" in row ? "lost" : row.costNano === null ? "at reservation" : "paid";
      ends[end] = (ends[end] ?? 0) + 1;
    }
    const reported = texts.out === "" ? undefined : (JSON.parse(texts.out) as Report).arms[0];
    return {
      code,
      error: code === 0 ? "" : (texts.err.trim().split("\n").at(-1) ?? ""),
      labels: reported?.answers.byLabel ?? {},
      attempts: rows.filter(({ row }) => row === "reserve").length,
      ends,
      doesNotFit: reported?.answers.doesNotFit ?? 0,
      decoys: reported?.decoys.of ?? 0,
      fallbacks: reported?.fallbacks.byReason ?? {},
    };
  } finally {
    out.mockRestore();
    err.mockRestore();
    await server.close();
  }
}

const styles = ["openai", "anthropic"] as const;
const limited = { name: "rate-limit", waitMs: 3 };
const status = (code: number) => ({ name: "status", status: code });

describe.each(styles)("through the %s SDK", (style) => {
  it.each<[string, unknown, string]>([
    ["a 429 with retry-after-ms", { ...limited, tell: ["retry-after-ms"] }, "released"],
    ["a 429 with retry-after", { name: "rate-limit", waitMs: 0, tell: ["retry-after"] }, "released"],
    ["a 429 with rate-limit headers", { ...limited, tell: ["rate-limit"] }, "released"],
    ["a 529", status(529), "released"],
    ["a 503", status(503), "released"],
    ["a 500", status(500), "lost"],
    ["a 502", status(502), "lost"],
    ["a reset before the first byte", "reset-before", "lost"],
    ["a reset after it", "reset-after", "lost"],
    ["a stream that ends without an end", "cut-stream", "lost"],
    ["an error in the stream", "error-event", "lost"],
    ["a gateway's page", "html", "lost"],
    ["broken JSON", "bad-json", "lost"],
  ])("%s costs one attempt, and the second one answers", async (_what, fault, end) => {
    expect(await under(style, fault)).toMatchObject({
      code: 0,
      labels: { clean: 3 },
      attempts: 6,
      ends: { [end]: 3, paid: 3 },
    });
  });

  it.each(["stall-before", "stall"])(
    "a %s longer than the time-out costs one attempt, and the second one answers",
    async (fault) => {
      expect(await under(style, fault, 1, ["--reply-timeout", "1500"])).toMatchObject({
        code: 0,
        labels: { clean: 3 },
        attempts: 4,
        ends: { lost: 1, paid: 3 },
      });
    },
  );

  it("usage that only the last event of a stream carries is counted like any other", async () => {
    expect(await under(style, "usage-last")).toMatchObject({ code: 0, attempts: 3, ends: { paid: 3 } });
  });

  it.each(["usage-missing", "usage-negative", "usage-fractional", "usage-wrong"])(
    "%s settles at the reservation, marked, and never at 0",
    async (fault) => {
      expect(await under(style, fault)).toMatchObject({
        code: 0,
        labels: { clean: 3 },
        attempts: 3,
        ends: { "at reservation": 3 },
      });
    },
  );

  it.each<[string, unknown, RegExp]>([
    ["a key that is refused", status(401), /401/],
    ["a model that is not there", status(404), /404/],
    ["a daily quota that is gone", "daily-quota", /quota|daily/i],
  ])("%s stops the run with exit code 1 after one attempt, with nothing spent", async (_what, fault, message) => {
    const { code, error, ends, attempts } = await under(style, fault, { every: 1 });
    expect({ code, ends, attempts }).toEqual({ code: 1, ends: { released: 1 }, attempts: 1 });
    expect(error).toMatch(message);
  });

  it("a request that is too long is an answer: not asked again, outside the denominator", async () => {
    const first = await under(style, "context-overflow", { every: 1 });
    expect(first).toMatchObject({ code: 0, labels: {}, attempts: 3, ends: { released: 3 }, doesNotFit: 3, decoys: 0 });
  });

  it("a fault that never ends fails the cell with exit code 1 after the last attempt", async () => {
    const { code, attempts, ends, labels } = await under(style, status(503), { every: 1 });
    expect({ code, attempts, ends, labels }).toEqual({ code: 1, attempts: 5, ends: { released: 5 }, labels: {} });
  });

  it.each<[string, string]>([
    ["null-content", "cut-empty"],
    ["reasoning-only", "reasoning-only"],
    ["call-only", "call-only"],
    ["empty", "empty"],
    ["refusal", "refusal"],
    ["fence", "fenced"],
    ["two-fences", "two-fences"],
    ["fence-in-string", "fence-in-string"],
    ["prose", "prose-around"],
    ["array", "array"],
    ["truncated", "truncated"],
    ["raw-newline", "raw-newline"],
    ["duplicate-keys", "duplicate-keys"],
    ["wrapped", "wrapped"],
    ["padded", "padded"],
  ])("the reply %s is an answer labelled %s: paid once, inside the denominator", async (fault, label) => {
    expect(await under(style, fault)).toMatchObject({
      code: 0,
      labels: { [label]: 3 },
      attempts: 3,
      ends: { paid: 3 },
      decoys: 24,
    });
  });
});

describe.each(styles)("a summary through the %s SDK", (style) => {
  it.each<[string, string, string | undefined]>([
    ["codex", "empty", "blank summary"],
    ["codex", "call-only", "blank summary"],
    ["opencode", "empty", "empty summary"],
    ["opencode", "call-only", "empty summary"],
    ["futureos-summarized", "empty", "blank summary"],
    ["futureos-summarized", "null-content", "summary cut off at the output limit"],
    ["futureos-summarized", "refusal", "refusal"],
    ["futureos-summarized", "call-only", "summary called a tool"],
    ["futureos-summarized", "reasoning-only", "blank summary"],
    // Products that look at nothing but the text take an apology for a summary.
    ["codex", "refusal", undefined],
    ["opencode", "refusal", undefined],
  ])("of %s that is %s is paid once and not asked for again: %s", async (arm, fault, reason) => {
    expect(await under(style, fault, 1, [], arm)).toMatchObject({
      code: 0,
      attempts: 6,
      ends: { paid: 6 },
      labels: { clean: 3 },
      fallbacks: reason === undefined ? {} : { [reason]: 1 },
    });
  });
});

describe("a parameter that a model refuses", () => {
  it("is changed once, remembered with the run, and costs nothing", async () => {
    expect(await under("openai", "max-tokens", { every: 1 })).toMatchObject({
      code: 0,
      labels: { clean: 3 },
      attempts: 4,
      ends: { released: 1, paid: 3 },
    });
  });
});
