/** Measured shares as tables: by boundary, and as medians with what a compaction costs. */
import { callNano, decimalOf, type Price } from "../models/prices.ts";
import { median } from "../report/stats.ts";
import type { Table } from "../report/tables.ts";
import { type CacheRulesName, cacheRules, type InputUsage } from "./cache-rules.ts";
import { percent } from "./controls.ts";
import { type BoundaryShare, readShare } from "./shares.ts";

const cacheRulesNames = Object.keys(cacheRules) as CacheRulesName[];

/** One arm under one provider's rules. Shares are in [0, 1], money in nano of the price's currency, for one compaction. */
export interface ShareSummary {
  readonly arm: string;
  readonly rules: CacheRulesName;
  readonly compactions: number;
  readonly medianBytesShare: number;
  readonly medianTokensShare: number;
  /** As if tools came last. */
  readonly medianBesideTools: number;
  readonly read: { readonly median: number; readonly least: number; readonly most: number };
  readonly medianColdNano: number;
  readonly medianCachedNano: number;
}

const middle = (values: readonly number[]): number => median(values) ?? 0;

/** The arms in the order of their shares, each under every rules that it was measured by. */
export function summaries(shares: readonly BoundaryShare[], price: Price): ShareSummary[] {
  const arms = [...new Set(shares.map(({ arm }) => arm))];
  return arms.flatMap((arm) =>
    cacheRulesNames.flatMap((rules) => {
      const own = shares.flatMap((share) => {
        const usage = share.arm === arm ? share.shared.usage[rules] : undefined;
        return usage === undefined ? [] : [{ ...share, usage }];
      });
      return own.length === 0 ? [] : [summaryOf(arm, rules, own, price)];
    }),
  );
}

function summaryOf(
  arm: string,
  rules: CacheRulesName,
  own: readonly (BoundaryShare & { readonly usage: InputUsage })[],
  price: Price,
): ShareSummary {
  const reads = own.map(({ usage }) => readShare(usage));
  const nano = own.map(({ usage, outputTokens }) => {
    const { freshInputTokens: fresh, cacheReadTokens: read, cacheWriteTokens: written } = usage;
    const plain = { cacheWriteTokens: 0, outputTokens };
    const cold = callNano({ ...plain, freshInputTokens: fresh + read + written, cacheReadTokens: 0 }, price);
    // Without a price of its own a write costs what fresh input costs.
    const cached = callNano(
      price.cacheWriteNano > 0n
        ? { ...usage, outputTokens }
        : { ...plain, freshInputTokens: fresh + written, cacheReadTokens: read },
      price,
    );
    return { cold: Number(cold), cached: Number(cached) };
  });
  return {
    arm,
    rules,
    compactions: own.length,
    medianBytesShare: middle(own.map(({ shared }) => shared.bytes / shared.ofBytes)),
    medianTokensShare: middle(own.map(({ shared }) => shared.tokens / shared.ofTokens)),
    medianBesideTools: middle(own.map(({ shared: { besideTools: one } }) => one.tokens / Math.max(1, one.ofTokens))),
    read: { median: middle(reads), least: Math.min(...reads), most: Math.max(...reads) },
    medianColdNano: middle(nano.map(({ cold }) => cold)),
    medianCachedNano: middle(nano.map(({ cached }) => cached)),
  };
}

const money = (nano: number): string => decimalOf(BigInt(Math.round(nano)), 4);

/** The summaries as a table. */
export const summaryTable = (all: readonly ShareSummary[], { id, currency }: Price): Table => ({
  title: `Shared with the session's last request, medians; cost of one compaction in ${currency} at ${id} prices`,
  head: ["arm", "rules", "compactions", "bytes", "tokens", "beside tools", "read", "least", "most", "cold", "cached"],
  rows: all.map((one) => [
    one.arm,
    one.rules,
    String(one.compactions),
    percent(one.medianBytesShare),
    percent(one.medianTokensShare),
    percent(one.medianBesideTools),
    percent(one.read.median),
    percent(one.read.least),
    percent(one.read.most),
    money(one.medianColdNano),
    money(one.medianCachedNano),
  ]),
});

/** Every boundary: the request's size, what of its bytes is shared, and what each provider reads from its cache. */
export function boundaryTable(shares: readonly BoundaryShare[]): Table {
  const rules = cacheRulesNames.filter((name) => shares.some(({ shared }) => name in shared.usage));
  const places = new Map<string, BoundaryShare[]>();
  for (const share of shares) {
    const key = JSON.stringify([share.arm, share.chain, share.end]);
    places.set(key, [...(places.get(key) ?? []), share]);
  }
  return {
    title: "Compaction requests by boundary: estimated tokens, shared bytes, and what is read by each provider's rules",
    head: ["arm", "chain", "end", "tokens", "bytes", ...rules],
    rows: [...places.values()].flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const { arm, chain, end, shared } = first;
      const reads = rules.map((name) => {
        const usage = own.map((one) => one.shared.usage[name]).find((one) => one !== undefined);
        return usage === undefined ? "" : percent(readShare(usage));
      });
      const tokens = shared.ofTokens.toLocaleString("en-US");
      return [[arm, chain, String(end), tokens, percent(shared.bytes / shared.ofBytes), ...reads]];
    }),
  };
}
