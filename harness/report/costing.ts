/** What costs are reckoned with: a price, and the share of a request that a provider's cache already holds. */
import eligibility from "../../fixtures/cache-eligibility.json" with { type: "json" };
import priceFile from "../../fixtures/prices.json" with { type: "json" };
import type { Usage } from "../models/model.ts";
import { callNano, type Price, priceTableSchema, ratesOf } from "../models/prices.ts";

/** One compaction's place. */
export interface CompactionPlace {
  readonly arm: string;
  readonly chain: string;
  readonly end: number;
}

/**
 * `measured`: from the bytes of the request and of the session's last one, null where that is not known; `rules` names the
 * provider whose cache rules were used. `assumed`: one share for every arm whose request begins as the session's does.
 */
export type CacheShares =
  | {
      readonly kind: "measured";
      readonly rules: string;
      shareOf(place: CompactionPlace): number | null;
      /** What the request writes to the cache, where the provider bills that. @default nothing */
      writtenShareOf?(place: CompactionPlace): number | null;
    }
  | { readonly kind: "assumed"; readonly share: number; readonly eligible: ReadonlySet<string> };

export interface Costing {
  /** Undefined where nobody knows it: then no amount is known. */
  readonly price: Price | undefined;
  /** Whose price it is, or why there is none. */
  readonly priceFrom: string;
  readonly cache: CacheShares;
  /** Share of a turn's request that the turn before it has paid for. */
  readonly turnCacheShare: number;
  /** Turns that one compaction is expected to serve, in the cost of a point. */
  readonly turns: number;
}

/** The price of this id in fixtures/prices.json. Throws RangeError where there is none. */
function listedPrice(id: string): Price {
  const row = priceTableSchema.parse(Object.fromEntries(Object.entries(priceFile).filter(([name]) => name === id)))[id];
  if (row === undefined) throw new RangeError(`fixtures/prices.json has no price "${id}"`);
  const { input, output, cacheRead, cacheWrite } = row.perMillionTokens;
  return {
    id,
    currency: row.currency,
    inputNano: input,
    outputNano: output,
    cacheReadNano: cacheRead,
    cacheWriteNano: cacheWrite,
  };
}

/** One share for the arms that the original experiment let share the session's prefix; 0.98 is its one production measurement, rounded down. */
export const assumedShares = (share: number = eligibility.modelledShare): CacheShares => ({
  kind: "assumed",
  share,
  eligible: new Set(eligibility.eligible),
});

/** A costing whose price is known. */
export type PricedCosting = Costing & { readonly price: Price };

/** The article's: its price list, and 98 % of the input from cache where the request begins as the session's does. */
export const articleCosting = (): PricedCosting => ({
  price: listedPrice("article-flash"),
  priceFrom: "the article's, because the model bills nothing",
  cache: assumedShares(),
  turnCacheShare: eligibility.modelledShare,
  turns: 100,
});

/** Share of this compaction's input that comes from cache; null where it is to be measured and was not. */
export function shareOf(cache: CacheShares, place: CompactionPlace): number | null {
  if (cache.kind === "measured") return cache.shareOf(place);
  return cache.eligible.has(place.arm) ? cache.share : 0;
}

/** Share of this compaction's input that is written to cache; the assumed share writes nothing. */
export const writtenShareOf = (cache: CacheShares, place: CompactionPlace): number =>
  (cache.kind === "measured" ? cache.writtenShareOf?.(place) : null) ?? 0;

/**
 * What a call costs with nothing cached, and with `share` of its input read from cache and `writtenShare` of it written
 * there (whole tokens, rounded down). Without a price of its own a write costs what fresh input costs. Nano.
 */
export function coldAndCachedNano(
  usage: Usage,
  share: number,
  price: Price,
  writtenShare = 0,
): { cold: bigint; cached: bigint } {
  const inputTokens = usage.freshInputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const cacheReadTokens = Math.trunc(share * inputTokens);
  const cacheWriteTokens = price.cacheWriteNano > 0n ? Math.trunc(writtenShare * inputTokens) : 0;
  const { outputTokens } = usage;
  const bill = (read: number, written: number): bigint => {
    const freshInputTokens = inputTokens - read - written;
    return callNano({ freshInputTokens, cacheReadTokens: read, cacheWriteTokens: written, outputTokens }, price);
  };
  return { cold: bill(0, 0), cached: bill(cacheReadTokens, cacheWriteTokens) };
}

/**
 * What one turn pays to carry a history: its tokens, `turnCacheShare` of them from cache. Whole nano. `tokens` may be a
 * median and so half a token.
 *
 * Source: futuregene/future-os, the experiment's per-turn cost.
 */
export function perTurnNano(tokens: number, { price, turnCacheShare }: PricedCosting): number {
  const read = Math.trunc(turnCacheShare * tokens);
  const { inputNano, cacheReadNano } = ratesOf(price, tokens);
  return Math.round(((tokens - read) * Number(inputNano) + read * Number(cacheReadNano)) / 1_000_000);
}

/** The same, null where the history's size or the price is not known. */
export const turnNano = (tokens: number | null, { price, ...costing }: Costing): number | null =>
  tokens === null || price === undefined ? null : perTurnNano(tokens, { ...costing, price });
