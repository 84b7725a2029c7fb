import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import published from "../../fixtures/published.json" with { type: "json" };
import { scheduleChunkTokens } from "../chain/boundaries.ts";
import type { LedgerRow } from "../models/ledger.ts";
import type { Usage } from "../models/model.ts";
import { armCost, breakEvenTurns, compactionCalls, compactionCost, costPerPointNano } from "./cost.ts";
import { publishedBaseline, publishedCost, publishedNames } from "./cost-published.ts";
import { articleCosting, assumedShares, coldAndCachedNano, perTurnNano } from "./costing.ts";

const costing = articleCosting();
/** Nano as a printed amount of so many places. */
const printed = (nano: number | null, places: number): string => ((nano ?? Number.NaN) / 1e9).toFixed(places);
const usage = (inputTokens: number, outputTokens = 0): Usage => ({
  freshInputTokens: inputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens,
});

describe("the article's arithmetic", () => {
  it("is met to the printed digit per turn, from the medians", () => {
    expect(publishedNames.map((name) => printed(publishedCost(name).perTurnNano, 6))).toEqual([
      "0.000480",
      "0.000394",
      "0.000204",
      "0.000135",
      "0.000068",
    ]);
    expect(printed(publishedBaseline().perTurnNano, 6)).toBe("0.009219");
  });

  it("is met for break-even turns as published, where the total stands against one turn", () => {
    const turns = (name: (typeof publishedNames)[number]): number =>
      Math.round(publishedCost(name).asPublished.breakEvenTurns ?? Number.NaN);
    expect([turns("summarized"), turns("opencode"), turns("main"), turns("codex")]).toEqual([61, 110, 91, 46]);
  });

  it("is met for the cost of a point as published", () => {
    const cost = (name: (typeof publishedNames)[number]): string =>
      printed(publishedCost(name).asPublished.costPerPointNano, 4);
    expect([cost("summarized"), cost("opencode"), cost("codex")]).toEqual(["0.0070", "0.0217", "0.0112"]);
  });

  it("becomes a few turns where one compaction stands against one turn", () => {
    const turns = (name: (typeof publishedNames)[number]): string =>
      (publishedCost(name).breakEvenTurns ?? Number.NaN).toFixed(1);
    expect([turns("summarized"), turns("opencode"), turns("main"), turns("codex")]).toEqual([
      "2.5",
      "4.6",
      "3.8",
      "1.9",
    ]);
  });

  it("does not give the printed price of its measured compaction", () => {
    const { readTokens, ofTokens } = published.prices.measuredCacheHit;
    const { cold, cached } = coldAndCachedNano(usage(ofTokens), readTokens / ofTokens, costing.price);
    expect([printed(Number(cached), 6), printed(Number(cold), 6)]).toEqual(["0.004614", "0.212911"]);
    expect(printed(Number(cached), 3)).not.toBe(
      printed(published.prices.costOfThatCompaction.cachedAsPrinted * 1e9, 3),
    );
  });

  it("has the triggers of the call shape with its reservation and without one", () => {
    const { windowTokens, outputReserveTokens, effectiveTriggerTokens, economicTriggerTokens } = published.callShape;
    expect(scheduleChunkTokens({ windowTokens, outputReserveTokens })).toBe(effectiveTriggerTokens);
    expect(scheduleChunkTokens({ windowTokens, outputReserveTokens: 0 })).toBe(economicTriggerTokens);
    expect([economicTriggerTokens, effectiveTriggerTokens]).toEqual([800_000, 613_952]);
  });
});

const reserve = (reservation: string, arm: string, end: number, purpose: "compact" | "answer"): LedgerRow => ({
  row: "reserve",
  reservation,
  key: `key ${reservation.split(".")[0]}`,
  chain: "alder",
  end,
  arm,
  purpose,
  request: "",
  reservedNano: "0",
  at: "",
});
const settle = (reservation: string, billed: Usage | undefined): LedgerRow => ({
  row: "settle",
  reservation,
  costNano: "0",
  reply: { text: "", calls: [], finish: "stop", ...(billed && { usage: billed }) },
  at: "",
});

describe("compactionCalls", () => {
  it("takes an arm's compactions alone, and a key that was settled twice once", () => {
    const rows = [
      reserve("a.1", "codex", 8, "compact"),
      settle("a.1", usage(10)),
      reserve("a.2", "codex", 8, "compact"),
      settle("a.2", usage(10)),
      reserve("b.3", "codex", 8, "answer"),
      settle("b.3", usage(99)),
      reserve("c.4", "opencode", 8, "compact"),
      settle("c.4", usage(77)),
      reserve("d.5", "codex", 16, "compact"),
      settle("d.5", undefined),
    ];
    expect(compactionCalls(rows, "codex")).toEqual([
      { chain: "alder", end: 8, usages: [usage(10)] },
      { chain: "alder", end: 16, usages: [undefined] },
    ]);
  });
});

describe("a call that was lost", () => {
  const lost = (reservation: string) =>
    ({ row: "settle", reservation, costNano: null, lost: "reset", at: "then" }) as const;

  it("makes its compaction's amounts unknown, unless it was answered after that", () => {
    const rows = [
      reserve("a.1", "codex", 8, "compact"),
      lost("a.1"),
      reserve("a.2", "codex", 8, "compact"),
      settle("a.2", usage(10)),
      reserve("b.3", "codex", 16, "compact"),
      lost("b.3"),
    ];
    expect(compactionCalls(rows, "codex").map(({ end, usages }) => [end, usages])).toEqual([
      [8, [usage(10)]],
      [16, [undefined]],
    ]);
  });
});

describe("a compaction that writes to the cache", () => {
  it("is billed for what it writes, where that has a price", () => {
    const price = { ...costing.price, cacheWriteNano: 1_250_000_000n };
    const measured = { kind: "measured", rules: "anthropic", shareOf: () => 0.2, writtenShareOf: () => 0.5 } as const;
    const cost = (at: typeof price): number | null =>
      compactionCost(
        "codex",
        { chain: "alder", end: 8, usages: [usage(1_000_000, 0)] },
        { ...costing, price: at, cache: measured },
      ).cachedNano;
    expect(cost(price)).toBe(300_000_000 + 4_000_000 + 625_000_000);
    expect(cost({ ...price, cacheWriteNano: 0n })).toBe(800_000_000 + 4_000_000);
  });
});

describe("a turn", () => {
  it("is billed at the rates of an input of its length", () => {
    const { price } = costing;
    const dearer = { ...price, inputNano: 2n * price.inputNano, cacheReadNano: 2n * price.cacheReadNano };
    const tiered = { ...costing, price: { ...price, longInput: [{ aboveTokens: 200_000, rates: dearer }] } };
    expect(perTurnNano(200_000, tiered)).toBe(perTurnNano(200_000, costing));
    expect(perTurnNano(600_000, tiered)).toBe(2 * perTurnNano(600_000, costing));
  });
});

describe("compactionCost", () => {
  const calls = { chain: "alder", end: 8, usages: [usage(1_000_000, 500), usage(2_000, 0)] };

  it("reads the assumed share from cache only for arms whose request begins as the session's does", () => {
    const eligible = compactionCost("codex", calls, costing);
    const other = compactionCost("opencode", calls, costing);
    expect(eligible).toMatchObject({
      coldNano: 1_004_000_000,
      cachedNano: 20_000_000 + 19_600_000 + 2_000_000 + 40_000 + 39_200,
    });
    expect(other).toMatchObject({ coldNano: 1_004_000_000, cachedNano: 1_004_000_000 });
  });

  it("takes a measured share by boundary, and knows no cached cost where none was measured", () => {
    const cache = {
      kind: "measured",
      rules: "openai",
      shareOf: ({ end }: { end: number }) => (end === 8 ? 0.5 : null),
    } as const;
    const measured = { ...costing, cache };
    expect(compactionCost("opencode", calls, measured).cachedNano).toBe(501_000_000 + 10_020_000 + 2_000_000);
    expect(compactionCost("opencode", { ...calls, end: 9 }, measured)).toMatchObject({
      coldNano: 1_004_000_000,
      cachedNano: null,
    });
  });

  it("invents no amount for a reply without usage", () => {
    expect(compactionCost("codex", { ...calls, usages: [usage(5), undefined] }, costing)).toMatchObject({
      coldNano: null,
      cachedNano: null,
    });
  });

  it("is never more cached than cold, whatever the share", () => {
    fc.assert(
      fc.property(
        fc.nat(3_000_000),
        fc.nat(9_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (input, output, share) => {
          const { coldNano, cachedNano } = compactionCost(
            "codex",
            { chain: "alder", end: 8, usages: [usage(input, output)] },
            { ...costing, cache: assumedShares(share) },
          );
          expect(cachedNano).toBeLessThanOrEqual(coldNano ?? -1);
        },
      ),
    );
  });
});

describe("armCost", () => {
  const baseline = { medianTokens: 100_000, perTurnNano: 4_000_000, doesNotFit: { boundaries: 0, of: 3 } };
  const facts = {
    compactions: 3,
    cacheShare: 1,
    total: { coldNano: 90_000_000, cachedNano: 30_000_000 },
    medianProjectionTokens: 1000,
    recallShare: 0.5,
  };

  it("divides by the compactions, and keeps the article's mixture beside it", () => {
    const cost = armCost(facts, baseline, costing);
    const saved = 4_000_000 - perTurnNano(1000, costing);
    expect(cost.perCompaction).toEqual({ coldNano: 30_000_000, cachedNano: 10_000_000 });
    expect(cost.breakEvenTurns).toBeCloseTo(10_000_000 / saved, 9);
    expect(cost.asPublished.breakEvenTurns).toBeCloseTo(30_000_000 / saved, 9);
    expect(cost.costPerPointNano).toBeCloseTo((10_000_000 + 100 * perTurnNano(1000, costing)) / 50, 6);
  });

  it("says nothing per compaction where there was none", () => {
    expect(armCost({ ...facts, compactions: 0, medianProjectionTokens: null }, baseline, costing)).toMatchObject({
      perCompaction: { coldNano: null, cachedNano: null },
      perTurnNano: null,
      breakEvenTurns: null,
      costPerPointNano: null,
    });
  });

  it("has no break-even where a turn saves nothing, and no cost of a point without recall", () => {
    expect(breakEvenTurns(1, 5, 5)).toBeNull();
    expect(breakEvenTurns(10, 3, 5)).toBe(5);
    expect(costPerPointNano(1, 1, 0, 100)).toBeNull();
  });
});
