/** The published experiment's costs, from its printed totals. Facts of the article; none is a result of this project. */
import published from "../../fixtures/published.json" with { type: "json" };
import { type ArmCost, armCost, type Baseline } from "./cost.ts";
import { articleCosting, perTurnNano, type PricedCosting } from "./costing.ts";

/** Names of the article's arms here. `futureos-main` is the product's released branch, which this project does not have. */
export const publishedArmIds = {
  summarized: "futureos-summarized",
  deterministic: "futureos-deterministic",
  opencode: "opencode",
  main: "futureos-main",
  codex: "codex",
} as const;
export type PublishedName = keyof typeof publishedArmIds;
export const publishedNames = Object.keys(publishedArmIds) as PublishedName[];

/** A printed amount in nano. Print has few digits, so doubles do. */
const nano = (amount: number): number => Math.round(amount * 1e9);

/** A half-integer median that reproduces a printed cost wins over its printed, rounded form. */
const medianOf = (row: { readonly medianProjectionTokens: number; readonly medianInferred?: number }): number =>
  row.medianInferred ?? row.medianProjectionTokens;

/** The article's baseline: the median of what its deterministic arm carried before each compaction, which is not the raw history. */
export function publishedBaseline(costing: PricedCosting = articleCosting()): Baseline {
  const medianTokens = published.forced.noCompaction.medianInferred;
  return {
    medianTokens,
    perTurnNano: perTurnNano(medianTokens, costing),
    doesNotFit: { boundaries: 0, of: published.exam.compactionBoundaries },
  };
}

/** Costs of one published arm in forced mode. */
export function publishedCost(name: PublishedName, costing: PricedCosting = articleCosting()): ArmCost {
  const row = published.forced[name];
  const asked = row.costColdTotal > 0;
  return armCost(
    {
      compactions: published.exam.compactionBoundaries,
      cacheShare: asked ? (row.costCachedTotal < row.costColdTotal ? published.prices.modelledCacheHit : 0) : null,
      total: { coldNano: nano(row.costColdTotal), cachedNano: nano(row.costCachedTotal) },
      medianProjectionTokens: medianOf(row),
      recallShare: row.hits / row.of,
    },
    publishedBaseline(costing),
    costing,
  );
}
