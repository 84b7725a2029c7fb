/** Figure 6: what a point of recall costs, per compaction and as the article reckoned. */
import type { TopLevelSpec } from "vega-lite";
import { twoLanes } from "./lanes.ts";
import { cacheShares, type Subject } from "./subject.ts";

export function costPerPoint(subjects: readonly Subject[]): TopLevelSpec {
  const [subject] = subjects;
  const turns = subject?.turns ?? 100;
  const compactions = subject?.arms[0]?.cost.compactions ?? 0;
  return twoLanes(subjects, {
    title: title(subject),
    unit: "a point of recall",
    lanes: ["per compaction", "as published"],
    amounts: ({ cost }) => [cost.costPerPointNano, cost.asPublished.costPerPointNano],
    about: `Upper bar: one compaction and ${turns} turns of carrying its projection, for each per cent of recall. Lower bar, as published: the total of all ${compactions} compactions and ${turns} turns of one session. Cache ${cacheShares(subjects)}.`,
    nothing: "none",
  });
}

function title(subject: Subject | undefined): string {
  const ratios = (subject?.arms ?? []).flatMap(({ cost, isControl }) => {
    const { costPerPointNano, asPublished } = cost;
    return isControl || costPerPointNano === null || asPublished.costPerPointNano === null || costPerPointNano === 0
      ? []
      : [asPublished.costPerPointNano / costPerPointNano];
  });
  const most = Math.max(0, ...ratios);
  return most < 1.5
    ? "What a point of recall costs"
    : `Setting all compactions against one session makes a point look up to ${Math.round(most)} times dearer`;
}
