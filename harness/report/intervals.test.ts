import { describe, expect, it } from "vitest";
import { drawResamples, intervalsOf, type Unit } from "./intervals.ts";

const unit = (hits: number, of: number, projectionTokens: number | null = 100, scored = true): Unit => ({
  scored,
  hits,
  of,
  projectionTokens,
  compactionNano: 0,
});
const cost = (_compaction: number, tokens: number, recall: number): number => tokens / recall;
const scored = (count: number): boolean[] => Array.from({ length: count }, () => true);

describe("drawResamples", () => {
  it("gives equal draws for equal seeds and others for another", () => {
    const first = drawResamples(scored(18), 1);
    expect(drawResamples(scored(18), 1)).toEqual(first);
    expect(drawResamples(scored(18), 2)).not.toEqual(first);
  });

  it("draws sheets for sheets, and boundaries without one for those", () => {
    const boundaries = [true, false, true, false];
    const draws = drawResamples(boundaries, 3);
    expect(draws.every((index, at) => boundaries[index] === boundaries[at % 4])).toBe(true);
    expect(new Set(draws).size).toBe(4);
  });
});

describe("intervalsOf", () => {
  it("is a point where all sheets agree", () => {
    const units = Array.from({ length: 6 }, () => unit(3, 4));
    const { recall, medianProjectionTokens, costPerPointNano } = intervalsOf(units, drawResamples(scored(6), 1), cost);
    expect([recall, medianProjectionTokens]).toEqual([
      { low: 0.75, high: 0.75 },
      { low: 100, high: 100 },
    ]);
    expect(costPerPointNano).toEqual({ low: 100 / 0.75, high: 100 / 0.75 });
  });

  it("knows the interval of two sheets of which one is lost: 0 and 1 come in a quarter of the resamples each", () => {
    const units = [unit(1, 1), unit(0, 1)];
    expect(intervalsOf(units, drawResamples(scored(2), 1), cost).recall).toEqual({ low: 0, high: 1 });
  });

  it("comes near the normal interval for many equal sheets", () => {
    const units = Array.from({ length: 100 }, (_, index) => unit(index % 2, 1));
    const { recall } = intervalsOf(units, drawResamples(scored(100), 1), cost);
    expect(recall.low).toBeGreaterThan(0.38);
    expect(recall.low).toBeLessThan(0.42);
    expect(recall.high).toBeGreaterThan(0.58);
    expect(recall.high).toBeLessThan(0.62);
  });

  it("contains the recall and the median of the run itself", () => {
    const units = Array.from({ length: 18 }, (_, index) => unit(index % 7, 9, 1000 + 137 * index));
    const { recall, medianProjectionTokens } = intervalsOf(units, drawResamples(scored(18), 9), cost);
    const hits = units.reduce((sum, one) => sum + one.hits, 0) / (9 * 18);
    expect(recall.low).toBeLessThan(hits);
    expect(recall.high).toBeGreaterThan(hits);
    expect(medianProjectionTokens.low).toBeLessThan(1000 + 137 * 8.5);
    expect(medianProjectionTokens.high).toBeGreaterThan(1000 + 137 * 8.5);
  });

  it("has no bounds where nothing was asked, and no cost where one is not known", () => {
    const nothing = Array.from({ length: 4 }, () => unit(0, 0));
    expect(intervalsOf(nothing, drawResamples(scored(4), 1), cost).recall).toEqual({ low: null, high: null });
    const unknown = [unit(1, 2), { ...unit(1, 2), compactionNano: null }];
    expect(intervalsOf(unknown, drawResamples(scored(2), 1), cost).costPerPointNano).toEqual({ low: null, high: null });
  });
});
