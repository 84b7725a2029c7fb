import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { calcPrice, findProvider } from "@pydantic/genai-prices";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ArtifactError, UsageError } from "../errors.ts";
import type { Usage } from "./model.ts";
import { builtInPrice, filePrice, knownWindow, packagePrice } from "./price-sources.ts";
import { callNano, decimalOf, type Price, reservationNano } from "./prices.ts";

const openAi = "https://api.openai.com/v1";
const anthropic = "https://api.anthropic.com";
const deepSeek = "https://api.deepseek.com/v1";
const at = new Date("2026-09-01T12:00:00Z");

/** The price of a model, or why it has none. */
const priceOf = (baseUrl: string, model: string, when = at): Price | string => {
  const { pricing } = packagePrice({ baseUrl, model, at: when });
  if (pricing.kind === "priced") return pricing.price;
  return pricing.kind === "unknown" ? (pricing.why ?? "") : "free";
};
const priced = (baseUrl: string, model: string, when = at): Price => {
  const price = priceOf(baseUrl, model, when);
  if (typeof price === "string") throw new Error(price);
  return price;
};

describe("packagePrice", () => {
  it("asks nobody: prices and windows come from what is installed", () => {
    const fetched = vi.fn<typeof fetch>();
    vi.stubGlobal("fetch", fetched);
    priceOf(openAi, "gpt-5");
    priceOf(openAi, "no-such-model");
    knownWindow({ baseUrl: anthropic, model: "claude-opus-5", at });
    vi.unstubAllGlobals();
    expect(fetched).not.toHaveBeenCalled();
  });

  it("knows no price at a host that only begins like one", () => {
    const { pricing } = packagePrice({ baseUrl: "https://api.openai.com.proxy.example/v1", model: "gpt-5", at });
    expect(pricing.kind).toBe("unknown");
  });

  it("reads rates as whole nano, without rounding", () => {
    expect(priced(anthropic, "claude-haiku-4-5")).toMatchObject({
      currency: "USD",
      inputNano: 1_000_000_000n,
      outputNano: 5_000_000_000n,
      cacheReadNano: 100_000_000n,
      cacheWriteNano: 1_250_000_000n,
      cacheWriteHourNano: 2_000_000_000n,
    });
    expect(priced(openAi, "gpt-4.1-nano").cacheReadNano).toBe(25_000_000n);
  });

  it("gives the public check value of a first cached request", () => {
    const usage = { freshInputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 12_304, outputTokens: 550 };
    expect(decimalOf(callNano(usage, priced(anthropic, "claude-3-7-sonnet-latest")))).toBe("0.054399");
  });

  it("records package, version, entry and moment", () => {
    expect(packagePrice({ baseUrl: anthropic, model: "claude-sonnet-4-6", at }).origin).toEqual({
      source: "@pydantic/genai-prices",
      version: "0.1.8",
      looked: { baseUrl: anthropic, model: "claude-sonnet-4-6", at: "2026-09-01T12:00:00.000Z" },
      entry: "anthropic:claude-sonnet-4-6",
    });
  });

  it("takes the price of the given moment where an entry has dates", () => {
    const before = priced(openAi, "o3", new Date("2025-06-09T00:00:00Z"));
    expect([before.inputNano, priced(openAi, "o3").inputNano]).toEqual([10_000_000_000n, 2_000_000_000n]);
  });

  it("bills a whole call at the higher rates from the token on that the entry names", () => {
    const price = priced(openAi, "gpt-5.4");
    const cost = (freshInputTokens: number): bigint =>
      callNano({ freshInputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1000 }, price);
    expect(cost(271_999)).toBe(271_999n * 2500n + 15_000_000n);
    expect(cost(272_000)).toBe(272_000n * 5000n + 22_500_000n);
    expect(reservationNano(271_999, 0, price)).toBe(271_999n * 2500n);
    expect(reservationNano(272_000, 0, price)).toBe(272_000n * 5000n);
  });

  it.each([
    [deepSeek, "deepseek-v4-flash", "time of day"],
    [openAi, "no-such-model", 'knows no price of "no-such-model"'],
    ["http://127.0.0.1:8000/v1", "gpt-5", "knows no price"],
    ["https://api.perplexity.ai", "sonar", "also billed by"],
    [openAi, "whisper-1", 'has no "input_mtok"'],
  ])("is unknown, with the reason, at %s for %s", (baseUrl, model, why) => {
    expect(priceOf(baseUrl, model)).toContain(why);
  });

  it("agrees with the package's own sums for every model that it prices", () => {
    const models = ["openai", "anthropic", "deepseek", "mistral"].flatMap((providerId) => {
      const baseUrl = { openai: openAi, anthropic, deepseek: deepSeek, mistral: "https://api.mistral.ai/v1" }[
        providerId
      ];
      return (findProvider({ providerId })?.models ?? []).map(({ id }) => ({ baseUrl: baseUrl ?? "", model: id }));
    });
    const known = models.filter(({ baseUrl, model }) => typeof priceOf(baseUrl, model) !== "string");
    expect(known.length).toBeGreaterThan(90);
    const count = fc.nat({ max: 400_000 });
    fc.assert(
      fc.property(
        fc.constantFrom(...known),
        fc.record({ fresh: count, read: count, written: count, output: count }),
        ({ baseUrl, model }, { fresh, read, written, output }) => {
          const usage: Usage = {
            freshInputTokens: fresh,
            cacheReadTokens: read,
            cacheWriteTokens: written,
            outputTokens: output,
          };
          const theirs = calcPrice(
            {
              input_tokens: fresh + read + written,
              cache_read_tokens: read,
              cache_write_tokens: written,
              output_tokens: output,
            },
            model,
            { providerApiUrl: baseUrl, timestamp: at },
          );
          const ours = Number(callNano(usage, priced(baseUrl, model)));
          expect(Math.abs(ours - (theirs?.total_price ?? Number.NaN) * 1e9)).toBeLessThan(2);
        },
      ),
    );
  });

  it("knows a window only of a model at its own server", () => {
    expect(knownWindow({ baseUrl: openAi, model: "gpt-4o", at })).toBe(128_000);
    expect(knownWindow({ baseUrl: deepSeek, model: "deepseek-v4-flash", at })).toBe(1_000_000);
    expect(knownWindow({ baseUrl: openAi, model: "no-such-model", at })).toBeUndefined();
    expect(knownWindow({ baseUrl: "http://localhost:8000/v1", model: "gpt-4o", at })).toBeUndefined();
  });
});

describe("filePrice", () => {
  const fileWith = (content: unknown): string => {
    const path = join(mkdtempSync(join(tmpdir(), "prices-")), "prices.json");
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  const entry = (input: string) => ({
    currency: "EUR",
    perMillionTokens: { input, output: "4", cacheRead: "0.5", cacheWrite: "1.25", cacheWriteHour: "2" },
  });

  it("takes the most particular id, and the only entry whatever it is called", () => {
    const two = fileWith({ "openai:m": entry("2"), m: entry("3") });
    const inputOf = (path: string, ...ids: string[]) => {
      const { pricing, origin } = filePrice(path, ids);
      return pricing.kind === "priced" ? [pricing.price.inputNano, origin["entry"]] : [];
    };
    expect(inputOf(two, "openai:m", "m")).toEqual([2_000_000_000n, "openai:m"]);
    expect(inputOf(two, "anthropic:m", "m")).toEqual([3_000_000_000n, "m"]);
    expect(inputOf(fileWith({ any: entry("7") }), "openai:m", "m")).toEqual([7_000_000_000n, "any"]);
    expect(() => filePrice(two, ["other"])).toThrow(UsageError);
  });

  it("keeps a rate of its own for an hour's cache", () => {
    const { pricing } = filePrice(fileWith({ m: entry("1") }), ["m"]);
    if (pricing.kind !== "priced") throw new Error("no price");
    const usage = {
      freshInputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 3,
      cacheWriteHourTokens: 2,
      outputTokens: 0,
    };
    expect(callNano(usage, pricing.price)).toBe(1250n + 4000n);
  });

  it("holds the article's prices under one name", () => {
    const { pricing, origin } = builtInPrice("article-flash");
    expect(pricing).toMatchObject({ kind: "priced", price: { currency: "CNY", inputNano: 1_000_000_000n } });
    expect(origin).toEqual({
      source: "built in",
      entry: "article-flash",
      stated: "prices stated by the article, September 2026",
    });
  });

  it.each([
    ["no JSON", "{", "is not JSON"],
    ["a list", "[]", "is no price table"],
    ["a missing rate", { m: { currency: "USD", perMillionTokens: { input: "1" } } }, "m.perMillionTokens"],
    ["a price that is no decimal", { m: { ...entry("1e3") } }, '"1e3"'],
  ])("refuses a file with %s", (_name, content, said) => {
    expect(() => filePrice(fileWith(content), ["m"])).toThrow(said);
  });

  it("names a file that is missing, and the form of one", () => {
    const read = (): unknown => filePrice("/nowhere/prices.json", ["m"]);
    expect(read).toThrow(ArtifactError);
    expect(read).toThrow('does not exist. Give prices {"<model>"');
  });
});
