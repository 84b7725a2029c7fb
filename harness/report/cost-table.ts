/** The costs of a run as one table, and what it was reckoned with. */
import type { Report } from "./report.ts";
import type { Table } from "./tables.ts";

/** Nano as an amount with so many places, or the word for none. */
const amount = (nano: number | null, places: number, none: string): string =>
  nano === null ? none : (nano / 1e9).toFixed(places);

/** Costs per compaction and as the article mixed them, with the price and the cache share in the title. */
export function costTable({ arms, money }: Report): Table {
  const { currency, priceId, priceFrom, cache } = money;
  const priced =
    priceId === null
      ? `What it costs: unknown (${priceFrom})`
      : `What it costs in ${currency} at ${priceId} prices (${priceFrom})`;
  return {
    title: `${priced}, cache share ${cache}; "as published" sets the total of all compactions against one turn`,
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
    rows: arms.map(({ title, cost }) => {
      // A compaction whose cost is not known has no break-even either; one that saves nothing never pays.
      const isKnown = priceId !== null && (cost.compactions === 0 || cost.perCompaction.cachedNano !== null);
      const none = isKnown ? "none" : "unknown";
      const never = (count: number | null): string => count?.toFixed(1) ?? (isKnown ? "never" : "unknown");
      return [
        title,
        amount(cost.perCompaction.coldNano, 4, none),
        amount(cost.perCompaction.cachedNano, 4, none),
        amount(cost.perTurnNano, 6, none),
        never(cost.breakEvenTurns),
        amount(cost.costPerPointNano, 6, none),
        never(cost.asPublished.breakEvenTurns),
        amount(cost.asPublished.costPerPointNano, 4, none),
      ];
    }),
  };
}

/** The no-compaction baseline in a sentence, and what to do where no price is known. */
export function baselineLine({ money: { baseline, currency, priceFrom } }: Report): string {
  const { boundaries, of } = baseline.doesNotFit;
  const fits =
    boundaries === 0
      ? "it fits the window everywhere"
      : `it does not fit the window at ${boundaries} of ${of} boundaries`;
  const tokens = Math.round(baseline.medianTokens ?? 0).toLocaleString("en-US");
  const price = currency === null ? "" : `, ${amount(baseline.perTurnNano, 6, "none")} ${currency}`;
  const unknown =
    currency === null ? ` Costs are unknown: ${priceFrom}. closed-book report --prices FILE reckons them.` : "";
  return `Without compaction a turn carries ${tokens} estimated tokens (median raw history)${price}; ${fits}.${unknown}`;
}
