/** Figure 5: what one compaction costs, with nothing cached and with the session's prefix cached. */
import type { TopLevelSpec } from "vega-lite";
import { twoLanes } from "./lanes.ts";
import { cacheShares, listed, type Subject } from "./subject.ts";

export function compactionCost(subjects: readonly Subject[]): TopLevelSpec {
  const [subject] = subjects;
  return twoLanes(subjects, {
    title: title(subject),
    unit: "a compaction",
    lanes: ["cold", "cached"],
    amounts: ({ cost }) => [cost.perCompaction.coldNano, cost.perCompaction.cachedNano],
    about: `Mean of all compactions. Upper bar: nothing cached. Lower bar: the session's prefix cached, ${cacheShares(subjects)}.`,
    nothing: "0, asks no model",
  });
}

function title(subject: Subject | undefined): string {
  const asking = (subject?.arms ?? []).flatMap(({ title, cost }) => {
    const { coldNano, cachedNano } = cost.perCompaction;
    return coldNano !== null && cachedNano !== null && coldNano > 0 ? [{ title, coldNano, cachedNano }] : [];
  });
  const saving = asking.filter(({ coldNano, cachedNano }) => cachedNano < coldNano / 2);
  const first = saving[0];
  if (first === undefined) return "What a compaction costs, cold and cached";
  const times = Math.min(...saving.map(({ coldNano, cachedNano }) => coldNano / cachedNano));
  const rest = asking.filter((arm) => !saving.includes(arm));
  const hardly = rest.every(({ coldNano, cachedNano }) => cachedNano > 0.99 * coldNano) ? "not" : "less";
  const others = rest.length > 0 ? `, and ${hardly} for ${listed(rest.map((arm) => arm.title))}` : "";
  const atLeast = saving.length > 1 ? "at least " : "";
  return `The session's cache makes compaction ${atLeast}${Math.floor(times)} times cheaper for ${listed(saving.map((arm) => arm.title))}${others}`;
}
