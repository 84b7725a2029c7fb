/** The costs of a run as one table, and what it was reckoned with. */
import type { Report } from "./report.ts";
import type { Table } from "./tables.ts";

/** Nano as an amount with so many places; "none" where it is not known or there is none. */
const amount = (nano: number | null, places: number): string => (nano === null ? "none" : (nano / 1e9).toFixed(places));
const turns = (count: number | null): string => (count === null ? "never" : count.toFixed(1));

/** Costs per compaction and as the article mixed them, with the price and the cache share in the title. */
export function costTable({ arms, money }: Report): Table {
  const { currency, priceId, cache } = money;
  return {
    title: `What it costs in ${currency} at ${priceId} prices, cache share ${cache}; "as published" sets the total of all compactions against one turn`,
    head: [
      "arm",
      "cold a compaction",
      "cached",
      "a turn",
      "break-even turns",
      "a point",
      "turns as published",
      "a point as published",
    ],
    rows: arms.map(({ title, cost }) => [
      title,
      amount(cost.perCompaction.coldNano, 4),
      amount(cost.perCompaction.cachedNano, 4),
      amount(cost.perTurnNano, 6),
      turns(cost.breakEvenTurns),
      amount(cost.costPerPointNano, 6),
      turns(cost.asPublished.breakEvenTurns),
      amount(cost.asPublished.costPerPointNano, 4),
    ]),
  };
}

/** The no-compaction baseline in a sentence. */
export function baselineLine({ money: { baseline, currency } }: Report): string {
  const { boundaries, of } = baseline.doesNotFit;
  const fits =
    boundaries === 0
      ? "it fits the window everywhere"
      : `it does not fit the window at ${boundaries} of ${of} boundaries`;
  return `Without compaction a turn carries ${Math.round(baseline.medianTokens ?? 0).toLocaleString("en-US")} estimated tokens (median raw history), ${amount(baseline.perTurnNano, 6)} ${currency}; ${fits}.`;
}
