/** Where prices and context windows come from: the price package's own data (no network), a price file, or neither. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { calcPrice, type ModelInfo, type ModelPrice, type TieredPrices } from "@pydantic/genai-prices";
import { ArtifactError, UsageError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { readTextFile } from "../text-file.ts";
import { nanoOf, type Price, priceTableSchema, type Pricing, type Rates } from "./prices.ts";

/** A price with its origin, as a run records it. */
export interface PriceSource {
  readonly pricing: Pricing;
  /** Package and version, or file, and the entry used; what was looked for where there is none. */
  readonly origin: JsonObject;
}

/** A model at a server. The server decides the price: a name at another server is another model. */
export interface PricedModel {
  readonly baseUrl: string;
  readonly model: string;
  /** Prices change; these are the ones of that moment. */
  readonly at: Date;
}

const packageName = "@pydantic/genai-prices";

/**
 * The price of a model from the package, in USD: unknown for a server or a model that it does not know, and wherever its
 * entry cannot be kept in `Price`. Input tiers and start dates can; prices that change with the time of day cannot, nor
 * what is billed by request or apart from the output. What our requests never use (search, audio, images) is left out. A
 * rate for cache reads or writes that the entry lacks is the input's, as in the package's own sums.
 */
export function packagePrice({ baseUrl, model, at }: PricedModel): PriceSource {
  const origin = { source: packageName, version: packageVersion(), looked: { baseUrl, model, at: at.toISOString() } };
  const found = calcPrice({ input_tokens: 0, output_tokens: 0 }, model, { providerApiUrl: baseUrl, timestamp: at });
  const unknown = (why: string): PriceSource => ({ pricing: { kind: "unknown", why }, origin });
  if (found === null || !isHostOf(found.provider.api_pattern, baseUrl))
    return unknown(`${packageName} knows no price of "${model}" at ${baseUrl}`);
  const entry = { ...origin, entry: `${found.provider.id}:${found.model.id}` };
  if (changesDaily(found.model))
    return { ...unknown(`the price of "${found.model.id}" changes with the time of day`), origin: entry };
  const rates = priceOf(`${found.provider.id}:${found.model.id}`, found.model_price);
  return typeof rates === "string" ? { ...unknown(rates), origin: entry } : { pricing: rates, origin: entry };
}

/** Whether a provider's pattern, which has no end, covers the whole host of a URL and not only its beginning. */
function isHostOf(pattern: string, baseUrl: string): boolean {
  const covered = new RegExp(`^(?:${pattern})`).exec(baseUrl)?.[0].length ?? 0;
  return covered >= new URL(baseUrl).origin.length || baseUrl[covered] === ":";
}

/** A model's context window in tokens, where the package knows it. */
export function knownWindow({ baseUrl, model, at }: PricedModel): number | undefined {
  const found = calcPrice({ input_tokens: 0, output_tokens: 0 }, model, { providerApiUrl: baseUrl, timestamp: at });
  return found?.model.context_window;
}

/** The entry that a built-in table has under an id: `article-flash`. Throws UsageError for another id. */
export function builtInPrice(id: string): PriceSource {
  return filePrice(builtInPath, [id]);
}
const builtInPath = fileURLToPath(new URL("../../fixtures/prices.json", import.meta.url));

/**
 * The price of a model from a price file: the first of `ids` that the file has (such as `openai:gpt-5`, then `gpt-5`), or
 * its only entry. Throws ArtifactError for a file that is missing or no price table, UsageError where no entry fits.
 */
export function filePrice(path: string, ids: readonly string[]): PriceSource & { readonly price: Price } {
  const table = priceTableSchema.safeParse(jsonIn(path));
  if (!table.success) {
    const issue = table.error.issues[0];
    throw new ArtifactError(
      path,
      `is no price table at "${issue?.path.join(".") ?? ""}": ${issue?.message ?? ""}. Give ${form}.`,
      { cause: table.error },
    );
  }
  const known = Object.keys(table.data);
  const id = ids.find((name) => known.includes(name)) ?? (known.length === 1 ? known[0] : undefined);
  const entry = id === undefined ? undefined : table.data[id];
  if (id === undefined || entry === undefined)
    throw new UsageError(`No price "${ids.join('" or "')}" in ${path}. Prices: ${known.join(", ")}.`);
  const { input, output, cacheRead, cacheWrite, cacheWriteHour } = entry.perMillionTokens;
  const price: Price = {
    id,
    currency: entry.currency,
    inputNano: input,
    outputNano: output,
    cacheReadNano: cacheRead,
    cacheWriteNano: cacheWrite,
    ...(cacheWriteHour === undefined ? {} : { cacheWriteHourNano: cacheWriteHour }),
  };
  return {
    price,
    pricing: { kind: "priced", price },
    origin: { source: path === builtInPath ? "built in" : path, entry: id, stated: entry.source ?? null },
  };
}

const form =
  '{"<model>":{"currency":"USD","perMillionTokens":{"input":"1.25","output":"10","cacheRead":"0.125","cacheWrite":"1.25"}}}';

function jsonIn(path: string): unknown {
  const text = readTextFile(path, `prices ${form} as JSON`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ArtifactError(path, `is not JSON. Give prices ${form}.`, { cause });
  }
}

const changesDaily = ({ prices }: ModelInfo): boolean =>
  Array.isArray(prices) && prices.some(({ constraint }) => constraint?.type === "time_of_date");

/** Keys of the package by our rates, each with the ones that it falls back to. */
const rateKeys: { readonly [Name in keyof Rates]-?: readonly string[] } = {
  inputNano: ["input_mtok"],
  outputNano: ["output_mtok"],
  cacheReadNano: ["cache_read_mtok", "input_mtok"],
  cacheWriteNano: ["cache_write_mtok", "input_mtok"],
  cacheWriteHourNano: ["cache_write_1h_mtok"],
};
const ours = new Set(Object.values(rateKeys).flat());
const neverUsed = /audio|image|video|document|search/;

/** A price as ours, or why it is none. */
function priceOf(id: string, prices: ModelPrice): Pricing | string {
  const keys = Object.keys(prices).filter((key) => prices[key] !== undefined);
  const other = keys.find((key) => !ours.has(key) && !neverUsed.test(key));
  if (other !== undefined) return `"${id}" is also billed by "${other}"`;
  const missing = ["input_mtok", "output_mtok"].find((key) => !keys.includes(key));
  if (missing !== undefined) return `"${id}" has no "${missing}"`;
  const base = ratesAbove(prices, 0);
  const starts = new Set(keys.flatMap((key) => tiersOf(prices[key]).map(({ start }) => start)));
  const longInput = [...starts]
    .sort((a, b) => a - b)
    .map((aboveTokens) => ({ aboveTokens, rates: ratesAbove(prices, aboveTokens) }));
  if (base === undefined || !longInput.every(isWhole)) return `"${id}" has a rate of more than nine decimal places`;
  return { kind: "priced", price: { id, currency: "USD", ...base, ...(longInput.length === 0 ? {} : { longInput }) } };
}

const isWhole = (tier: {
  aboveTokens: number;
  rates: Rates | undefined;
}): tier is { aboveTokens: number; rates: Rates } => tier.rates !== undefined;

/** The rates of calls whose input is just above `start` tokens; undefined where one is not whole nano. */
function ratesAbove(prices: ModelPrice, start: number): Rates | undefined {
  const rates: { [name: string]: bigint } = {};
  for (const [name, keys] of Object.entries(rateKeys)) {
    const value = keys.map((key) => prices[key]).find((candidate) => candidate !== undefined);
    if (value === undefined) continue;
    const number = tiersOf(value).findLast((tier) => tier.start <= start)?.price ?? baseOf(value);
    const nano = wholeNano(number);
    if (nano === undefined) return undefined;
    rates[name] = nano;
  }
  return rates as unknown as Rates;
}

const tiersOf = (value: number | TieredPrices | undefined) => (typeof value === "object" ? value.tiers : []);
const baseOf = (value: number | TieredPrices): number => (typeof value === "object" ? value.base : value);

/** A number of the package, which stands there as a decimal, as nano: exact, or undefined. */
function wholeNano(number: number): bigint | undefined {
  const decimal = String(number);
  return /^\d+(\.\d{1,9})?$/.test(decimal) ? nanoOf(decimal) : undefined;
}

function packageVersion(): string {
  const main = createRequire(import.meta.url).resolve(packageName);
  return (JSON.parse(readFileSync(join(dirname(main), "../package.json"), "utf8")) as { version: string }).version;
}
