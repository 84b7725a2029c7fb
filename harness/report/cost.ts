/**
 * What compaction costs, and when it pays for itself: per compaction, and as the article reckoned, who set the total of all
 * compactions against one session's turn. Amounts are whole nano of the price's currency, null where they are not known.
 */
import type { LedgerRow, Reserve } from "../models/ledger.ts";
import type { Usage } from "../models/model.ts";
import { type Costing, coldAndCachedNano, shareOf, turnNano, writtenShareOf } from "./costing.ts";

export interface Amounts {
  readonly coldNano: number | null;
  readonly cachedNano: number | null;
}

/** Turns after which a compaction has saved what it cost, and what a point of recall costs over one compaction and the costing's turns. */
export interface Worth {
  /** Null where a turn saves nothing, or an amount is not known. */
  readonly breakEvenTurns: number | null;
  /** Null where nothing is recalled, or an amount is not known. */
  readonly costPerPointNano: number | null;
}

export interface ArmCost extends Worth {
  readonly compactions: number;
  /** Share of the compactions' input that comes from cache, by tokens; null where no model was asked. */
  readonly cacheShare: number | null;
  readonly total: Amounts;
  readonly perCompaction: Amounts;
  /** Carrying the median projection for one turn, cached. */
  readonly perTurnNano: number | null;
  /** The same with the total over all compactions against one session's turn: the article's own mixture. */
  readonly asPublished: Worth;
}

/** The history that is never compacted. */
export interface Baseline {
  readonly medianTokens: number | null;
  readonly perTurnNano: number | null;
  /** Boundaries at which the raw history exceeds what window and output reservation leave: there the baseline cannot be sent. */
  readonly doesNotFit: { readonly boundaries: number; readonly of: number };
}

/** The calls of one compaction; usage is undefined where a reply carried none or never came. */
export interface CompactionCalls {
  readonly chain: string;
  readonly end: number;
  readonly usages: readonly (Usage | undefined)[];
}

/** The compaction calls of one arm, by boundary, in the order of the ledger. A key that was settled again after a crash counts once. */
export function compactionCalls(rows: readonly LedgerRow[], arm: string): CompactionCalls[] {
  const reserves = new Map<string, Reserve>();
  const settled = new Map<string, { readonly reserve: Reserve; readonly usage: Usage | undefined }>();
  for (const row of rows) {
    if (row.row === "reserve") reserves.set(row.reservation, row);
    else if (row.row === "settle") {
      const reserve = reserves.get(row.reservation);
      if (reserve?.arm !== arm || reserve.purpose !== "compact") continue;
      // A call that was lost may have been billed; one that was answered after that has the usage of its answer.
      if ("reply" in row) settled.set(reserve.key, { reserve, usage: row.reply.usage });
      else if (!settled.has(reserve.key)) settled.set(reserve.key, { reserve, usage: undefined });
    }
  }
  const places = new Map<string, { chain: string; end: number; usages: (Usage | undefined)[] }>();
  for (const { reserve, usage } of settled.values()) {
    const { chain, end } = reserve;
    const known = places.get(`${chain} ${end}`);
    if (known) known.usages.push(usage);
    else places.set(`${chain} ${end}`, { chain, end, usages: [usage] });
  }
  return [...places.values()];
}

/** What each of an arm's compactions cost; null amounts where a call's usage, its cache share or the price is not known. */
export interface CompactionCost extends Amounts {
  readonly chain: string;
  readonly end: number;
  readonly inputTokens: number;
  /** Of these, from cache; null where that is not known. */
  readonly cachedTokens: number | null;
}

export function compactionCost(arm: string, { chain, end, usages }: CompactionCalls, costing: Costing): CompactionCost {
  const share = shareOf(costing.cache, { arm, chain, end });
  const writtenShare = writtenShareOf(costing.cache, { arm, chain, end });
  let cold: bigint | null = 0n;
  let cached: bigint | null = 0n;
  let inputTokens = 0;
  let cachedTokens: number | null = 0;
  for (const usage of usages) {
    if (usage === undefined) {
      cold = null;
      cached = null;
      cachedTokens = null;
      continue;
    }
    const callTokens = usage.freshInputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    inputTokens += callTokens;
    cachedTokens = cachedTokens === null || share === null ? null : cachedTokens + Math.trunc(share * callTokens);
    const amounts = costing.price && coldAndCachedNano(usage, share ?? 0, costing.price, writtenShare);
    cold = cold === null || amounts === undefined ? null : cold + amounts.cold;
    cached = cached === null || amounts === undefined || share === null ? null : cached + amounts.cached;
  }
  return { chain, end, coldNano: whole(cold), cachedNano: whole(cached), inputTokens, cachedTokens };
}

const whole = (nano: bigint | null): number | null => (nano === null ? null : Number(nano));

/** A sum, or null where a part of it is not known. */
export const sumOf = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);

/** The totals of one arm, from a ledger or from print. */
export interface CostFacts {
  readonly compactions: number;
  readonly cacheShare: number | null;
  readonly total: Amounts;
  readonly medianProjectionTokens: number | null;
  /** In [0, 1]; null where nothing was asked. */
  readonly recallShare: number | null;
}

/** Everything that follows from an arm's totals. */
export function armCost(facts: CostFacts, baseline: Baseline, costing: Costing): ArmCost {
  const { compactions, total, medianProjectionTokens, recallShare } = facts;
  const each = (nano: number | null): number | null =>
    nano === null || compactions === 0 ? null : Math.round(nano / compactions);
  const perCompaction = { coldNano: each(total.coldNano), cachedNano: each(total.cachedNano) };
  const perTurnNano = turnNano(medianProjectionTokens, costing);
  const worth = (compactionNano: number | null): Worth => ({
    breakEvenTurns: breakEvenTurns(compactionNano, perTurnNano, baseline.perTurnNano),
    costPerPointNano: costPerPointNano(compactionNano, perTurnNano, recallShare, costing.turns),
  });
  return {
    compactions,
    cacheShare: facts.cacheShare,
    total,
    perCompaction,
    perTurnNano,
    ...worth(perCompaction.cachedNano),
    asPublished: worth(total.cachedNano),
  };
}

/** Turns until what a turn saves has paid for a compaction; null where it saves nothing. */
export function breakEvenTurns(
  compactionNano: number | null,
  turnNano: number | null,
  baselineTurnNano: number | null,
): number | null {
  if (compactionNano === null || turnNano === null || baselineTurnNano === null) return null;
  const savedNano = baselineTurnNano - turnNano;
  return savedNano > 0 ? compactionNano / savedNano : null;
}

/** Cost of one compaction and `turns` turns, for each per cent of recall; null where there is no recall. */
export function costPerPointNano(
  compactionNano: number | null,
  turnNano: number | null,
  recallShare: number | null,
  turns: number,
): number | null {
  if (compactionNano === null || turnNano === null || recallShare === null || recallShare === 0) return null;
  return (compactionNano + turns * turnNano) / (100 * recallShare);
}
