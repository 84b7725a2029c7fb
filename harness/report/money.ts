/** The costs and intervals of a run's arms, from its rows and its ledger. */
import { renderedTokens } from "../chain/render.ts";
import { fixedTokensOf } from "../run/ask.ts";
import type { LedgerRow } from "../models/ledger.ts";
import type { RunPlan } from "../run/plan.ts";
import {
  type ArmCost,
  armCost,
  type Baseline,
  type CompactionCost,
  compactionCalls,
  compactionCost,
  costPerPointNano,
  sumOf,
} from "./cost.ts";
import { type Costing, turnNano } from "./costing.ts";
import { drawResamples, type Intervals, intervalsOf, level, resamples, type Unit } from "./intervals.ts";
import type { BoundaryRow, QuestionRow, Rows } from "./rows.ts";
import { median } from "./stats.ts";

export interface Money {
  /** Null where nobody knows the price: then no amount is known. */
  readonly priceId: string | null;
  readonly currency: string | null;
  /** Whose price it is, or why there is none. */
  readonly priceFrom: string;
  /** `measured from the requests' bytes (… rules)` or `assumed 0.98`. */
  readonly cache: string;
  readonly turnCacheShare: number;
  readonly turns: number;
  readonly baseline: Baseline;
  readonly intervals: { readonly level: number; readonly resamples: number; readonly seed: number };
}

/** The part of an arm's report that is about money and certainty. */
export interface ArmMoney {
  readonly cost: ArmCost;
  readonly intervals: Intervals;
}

/** What the run's conditions say about money, and the costs and intervals of its arms in the plan's order. */
export function moneyOf(
  plan: RunPlan,
  rows: Rows,
  ledger: readonly LedgerRow[],
  costing: Costing,
): { readonly money: Money; readonly arms: readonly ArmMoney[] } {
  const baseline = baselineOf(plan, costing);
  const { seed } = plan.options;
  const boundaries = plan.chains.flatMap((chain) => chain.boundaries.map(({ stage }) => stage !== undefined));
  const draws = drawResamples(boundaries, seed);
  const turn = turnsKnown(costing);
  const arms = plan.arms.map(({ arm }): ArmMoney => {
    const own = rows.boundaries.filter((row) => row.arm === arm.id);
    // A compaction whose step is not finished is in no count, so its calls are in no sum.
    const compacted = new Set(own.filter(({ status }) => status === "compacted").map(placeOf));
    const costs = compactionCalls(ledger, arm.id)
      .filter((calls) => compacted.has(placeOf(calls)))
      .map((calls) => compactionCost(arm.id, calls, costing));
    const units = unitsOf(
      own,
      rows.questions.filter((row) => row.arm === arm.id),
      costs,
    );
    return {
      cost: costOf(units, costs, baseline, costing),
      intervals: intervalsOf(units, draws, (compactionNano, medianTokens, recallShare) =>
        costPerPointNano(compactionNano, turn(medianTokens), recallShare, costing.turns),
      ),
    };
  });
  const { price, priceFrom, cache, turnCacheShare, turns } = costing;
  const money: Money = {
    priceId: price?.id ?? null,
    currency: price?.currency ?? null,
    priceFrom,
    cache:
      cache.kind === "measured" ? `measured from the requests' bytes (${cache.rules} rules)` : `assumed ${cache.share}`,
    turnCacheShare,
    turns,
    baseline,
    intervals: { level, resamples, seed },
  };
  return { money, arms };
}

const placeOf = ({ chain, end }: { readonly chain: string; readonly end: number }): string => `${chain} ${end}`;

/** `turnNano`, reckoned once a size: resamples have few different medians. */
function turnsKnown(costing: Costing): (tokens: number) => number | null {
  const known = new Map<number, number | null>();
  return (tokens) => {
    const found = known.get(tokens);
    if (found !== undefined) return found;
    const nano = turnNano(tokens, costing);
    known.set(tokens, nano);
    return nano;
  };
}

/** The raw history at the plan's boundaries, by the estimate that sizes every history. */
function baselineOf({ chains, options, shape }: RunPlan, costing: Costing): Baseline {
  const rawTokens = chains.flatMap(({ journal, boundaries }) =>
    boundaries.map(({ messages }) => renderedTokens(journal.slice(0, messages))),
  );
  const limitTokens = options.windowTokens - options.outputReserveTokens;
  const fixedTokens = fixedTokensOf(shape);
  const medianTokens = median(rawTokens);
  return {
    medianTokens,
    perTurnNano: turnNano(medianTokens, costing),
    doesNotFit: {
      boundaries: rawTokens.filter((tokens) => tokens + fixedTokens > limitTokens).length,
      of: rawTokens.length,
    },
  };
}

function unitsOf(
  boundaries: readonly BoundaryRow[],
  questions: readonly QuestionRow[],
  costs: readonly CompactionCost[],
): Unit[] {
  const asked = new Map<string, { hits: number; of: number }>();
  for (const { chain, stage, kind, outcome } of questions) {
    if (kind !== "target" || outcome === "does not fit" || outcome === "failed" || outcome === "pending") continue;
    const sheet = asked.get(`${chain} ${stage}`) ?? { hits: 0, of: 0 };
    asked.set(`${chain} ${stage}`, { hits: sheet.hits + (outcome === "confirmed" ? 1 : 0), of: sheet.of + 1 });
  }
  const known = new Map(costs.map(({ chain, end, cachedNano }) => [`${chain} ${end}`, cachedNano]));
  return boundaries.map(({ chain, end, stage, status, projectionTokens }) => {
    const compacted = status === "compacted";
    const cachedNano = known.get(`${chain} ${end}`);
    return {
      scored: stage !== null,
      ...(asked.get(`${chain} ${stage}`) ?? { hits: 0, of: 0 }),
      projectionTokens: compacted ? projectionTokens : null,
      // A compaction that asked no model costs nothing.
      compactionNano: compacted ? (cachedNano === undefined ? 0 : cachedNano) : null,
    };
  });
}

function costOf(
  units: readonly Unit[],
  costs: readonly CompactionCost[],
  baseline: Baseline,
  costing: Costing,
): ArmCost {
  const compacted = units.filter(({ projectionTokens }) => projectionTokens !== null);
  const hits = units.reduce((sum, unit) => sum + unit.hits, 0);
  const of = units.reduce((sum, unit) => sum + unit.of, 0);
  const inputTokens = costs.reduce((sum, cost) => sum + cost.inputTokens, 0);
  const cachedTokens = sumOf(costs.map((cost) => cost.cachedTokens));
  const cachedNano = sumOf(costs.map((cost) => cost.cachedNano));
  return armCost(
    {
      compactions: compacted.length,
      cacheShare: inputTokens === 0 || cachedTokens === null ? null : cachedTokens / inputTokens,
      total: { coldNano: sumOf(costs.map((cost) => cost.coldNano)), cachedNano },
      medianProjectionTokens: median(compacted.flatMap(({ projectionTokens }) => projectionTokens ?? [])),
      recallShare: of === 0 ? null : hits / of,
    },
    baseline,
    costing,
  );
}
