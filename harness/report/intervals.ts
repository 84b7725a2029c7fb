/**
 * How far a number could be off: percentile intervals of a bootstrap over sheets. Each resample draws as many sheets as
 * there are, with replacement, and apart from them as many boundaries without a sheet, so that medians over all boundaries
 * can be resampled with the recall. All arms get the same draws, so their differences are paired.
 */
import { randomStream } from "../random.ts";

export interface Interval {
  readonly low: number | null;
  readonly high: number | null;
}

/** What one boundary contributes for one arm. */
export interface Unit {
  /** Whether a sheet was asked there. */
  readonly scored: boolean;
  readonly hits: number;
  /** Targets asked; 0 where none could be. */
  readonly of: number;
  /** Null where the arm did not compact. */
  readonly projectionTokens: number | null;
  /** Cached cost of the compaction; null where it is not known or there was none. */
  readonly compactionNano: number | null;
}

export const level = 0.95;
export const resamples = 10_000;

export interface Intervals {
  /** As a share of what was asked. */
  readonly recall: Interval;
  readonly medianProjectionTokens: Interval;
  readonly costPerPointNano: Interval;
}

/** Draws for `boundaries` (true: scored): `resamples` rows of as many indexes as there are boundaries. Equal seeds give equal draws. */
export function drawResamples(boundaries: readonly boolean[], seed: number): Uint32Array {
  const random = randomStream(seed, "bootstrap over sheets");
  const indexesOf = (wanted: boolean): number[] =>
    boundaries.flatMap((scored, index) => (scored === wanted ? [index] : []));
  const strata = boundaries.map((scored) => indexesOf(scored));
  const draws = new Uint32Array(resamples * boundaries.length);
  for (let at = 0; at < draws.length; at++) {
    const stratum = strata[at % boundaries.length] as number[];
    draws[at] = stratum[random.below(stratum.length)] as number;
  }
  return draws;
}

/** The three intervals of one arm. `costPerPointNano` gives the cost of a point from mean cost a compaction, median tokens and recall. */
export function intervalsOf(
  units: readonly Unit[],
  draws: Uint32Array,
  costPerPointNano: (compactionNano: number, medianTokens: number, recallShare: number) => number | null,
): Intervals {
  const recalls: number[] = [];
  const medians: number[] = [];
  const costs: number[] = [];
  const width = units.length;
  const costsKnown = units.every(
    ({ projectionTokens, compactionNano }) => projectionTokens === null || compactionNano !== null,
  );
  const sizes = createSizes(units);
  for (let start = 0; start < draws.length; start += width) {
    let hits = 0;
    let asked = 0;
    let compactionNano = 0;
    let compacted = 0;
    sizes.clear();
    for (let at = start; at < start + width; at++) {
      const index = draws[at] as number;
      const unit = units[index] as Unit;
      hits += unit.hits;
      asked += unit.of;
      if (unit.projectionTokens === null) continue;
      compacted++;
      sizes.add(index);
      compactionNano += unit.compactionNano ?? 0;
    }
    const recallShare = asked === 0 ? null : hits / asked;
    const medianTokens = sizes.median(compacted);
    if (recallShare !== null) recalls.push(recallShare);
    if (medianTokens !== null) medians.push(medianTokens);
    if (!costsKnown || recallShare === null || medianTokens === null) continue;
    const cost = costPerPointNano(compactionNano / compacted, medianTokens, recallShare);
    if (cost !== null) costs.push(cost);
  }
  return { recall: middle(recalls), medianProjectionTokens: middle(medians), costPerPointNano: middle(costs) };
}

/** Medians of projection sizes drawn from few units very often: the units are sorted once, and a draw is only counted. */
function createSizes(units: readonly Unit[]) {
  const order = units.map((_, index) => index).sort((a, b) => tokensOf(units, a) - tokensOf(units, b));
  const sorted = order.map((index) => tokensOf(units, index));
  const rankOf = Uint32Array.from(units, (_, index) => order.indexOf(index));
  const drawn = new Uint32Array(units.length);
  /** The n-th smallest of what was drawn, from 0. */
  const at = (n: number): number => {
    let rank = 0;
    for (let left = n - (drawn[0] ?? 0); left >= 0; left -= drawn[rank] as number) rank++;
    return sorted[rank] as number;
  };
  return {
    clear: (): void => void drawn.fill(0),
    add: (unit: number): void => {
      const rank = rankOf[unit] as number;
      drawn[rank] = (drawn[rank] as number) + 1;
    },
    /** Of the `count` sizes drawn; null for none. */
    median: (count: number): number | null => {
      if (count === 0) return null;
      const upper = at(Math.floor(count / 2));
      return count % 2 === 1 ? upper : (upper + at(count / 2 - 1)) / 2;
    },
  };
}

const tokensOf = (units: readonly Unit[], index: number): number => units[index]?.projectionTokens ?? 0;

/** The middle 95 % of the resampled values; nulls where a resample gave none. */
function middle(values: readonly number[]): Interval {
  if (values.length < resamples) return { low: null, high: null };
  const sorted = Float64Array.from(values).sort();
  const tail = (1 - level) / 2;
  const at = (index: number): number => sorted[index] as number;
  return { low: at(Math.floor(tail * sorted.length)), high: at(Math.ceil((1 - tail) * sorted.length) - 1) };
}
