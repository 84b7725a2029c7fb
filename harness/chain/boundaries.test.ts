import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../errors.ts";
import { safeAfter, schedule, scheduleChunkTokens, scoredCuts } from "./boundaries.ts";
import { pairFaults, paired, toMessages } from "./message.ts";
import { type ChainRecord, orderKey } from "./record.ts";
import { plainTokens } from "./render.ts";
import { anyRecords, chainOf, orderlyRecords } from "./testing.ts";

const text = (id: string, position?: number): ChainRecord => ({
  id,
  kind: "text",
  role: "assistant",
  text: id,
  ...(position === undefined ? {} : { position }),
});
const call = (id: string, name: string): ChainRecord => ({ id, kind: "tool_call", role: "assistant", call: name });
const result = (id: string, name: string): ChainRecord => ({
  id,
  kind: "tool_result",
  role: "tool",
  call: name,
  text: "",
});

/** Record counts after which the chain may be split. */
const safeEnds = (records: readonly ChainRecord[]): number[] =>
  safeAfter(records).flatMap((safe, index) => (safe ? [index + 1] : []));

/** Whether a split after `end` records would part a call from its result, or the records of one stored message. */
function splits(records: readonly ChainRecord[], end: number): boolean {
  const [before, after] = [records.slice(0, end), records.slice(end)];
  const last = records[end - 1];
  const next = records[end];
  const parted = before.some(
    (one) => one.kind === "tool_call" && after.some((other) => other.kind === "tool_result" && other.call === one.call),
  );
  return parted || (last !== undefined && next !== undefined && orderKey(last, end - 1) === orderKey(next, end));
}

describe("safe endpoints", () => {
  it("are exactly those that split no pair and no stored message", () => {
    fc.assert(
      fc.property(orderlyRecords, (records) => {
        const expected = records.map((_, index) => index + 1).filter((end) => !splits(records, end));
        expect(safeEnds(records)).toEqual(expected);
      }),
    );
  });

  it("leave whole pairs on both sides, so that both halves can be sent", () => {
    fc.assert(
      fc.property(orderlyRecords, (records) => {
        const all = paired(toMessages(records)).map(({ id }) => id);
        for (const end of safeEnds(records)) {
          const halves = [records.slice(0, end), records.slice(end)].map((half) => paired(toMessages(half)));
          expect(halves.flat().map(({ id }) => id)).toEqual(all);
          for (const half of halves) expect(pairFaults(half)).toEqual([]);
        }
      }),
    );
  });

  it("never split a stored message, whatever the calls in it", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        for (const end of safeEnds(records).filter((one) => one < records.length))
          expect(records[end]?.position).not.toBe(records[end - 1]?.position);
      }),
    );
  });

  it("exist after a call that is never answered", () => {
    expect(safeEnds([text("a"), call("b", "k"), text("c"), call("d", "l"), result("e", "l")])).toEqual([1, 2, 3, 5]);
  });

  it("do not lie between parallel calls and the last of their results, also when they come in another order", () => {
    expect(safeEnds([call("a", "k"), call("b", "l"), result("c", "l"), result("d", "k"), text("e")])).toEqual([4, 5]);
  });

  it("exist in a chain that begins with a result whose call is missing", () => {
    expect(safeEnds([result("a", "k"), text("b")])).toEqual([1, 2]);
  });
});

describe("scored cuts", () => {
  const pair = [text("a"), call("b", "k"), result("c", "k"), text("d"), text("e", 5), text("f", 5)];
  const cutsOf = (ends: readonly number[], kind: "moved" | "exact"): number[] =>
    scoredCuts(chainOf(pair, ends, kind), safeAfter(pair));

  it("that are computed slide back to the next safe endpoint", () => {
    expect(cutsOf([2, 5, 6], "moved")).toEqual([1, 4, 6]);
  });

  it("that are given stay where they are", () => {
    expect(cutsOf([1, 3, 6], "exact")).toEqual([1, 3, 6]);
  });

  it.each([
    [[2], "exact", 'Chain "test": cut 2 splits a message or leaves a call open; the nearest safe cut before it is 1.'],
    [
      [3, 5],
      "exact",
      'Chain "test": cut 5 splits a message or leaves a call open; the nearest safe cut before it is 4.',
    ],
    [[1, 2], "moved", 'Chain "test": cuts must increase, but they are 1, 1 at safe endpoints.'],
    [[4, 3], "exact", 'Chain "test": cuts must increase, but they are 4, 3 at safe endpoints.'],
    [[7], "moved", 'Chain "test": cut 7 is outside its 6 records.'],
    [[0], "exact", 'Chain "test": cut 0 is outside its 6 records.'],
    [[1.5], "exact", 'Chain "test": cut 1.5 is outside its 6 records.'],
    [[], "exact", 'Chain "test" has no cuts, so nothing would be asked. Give some with --cuts.'],
  ] as const)("%j, %s, are refused in a sentence that names the chain and the cut", (ends, kind, message) => {
    expect(() => cutsOf(ends, kind)).toThrow(new UsageError(message));
  });

  it("before the first safe endpoint are refused", () => {
    const open = [call("a", "k"), result("b", "k")];
    expect(() => scoredCuts(chainOf(open, [1], "exact"), safeAfter(open))).toThrow(/no safe cut lies before it/);
    expect(() => scoredCuts(chainOf(open, [1], "moved"), safeAfter(open))).toThrow(/cuts must increase/);
  });
});

describe("the schedule", () => {
  it("ends at the last cut, asks at every cut, and compacts in between at the first safe endpoint with a full chunk", () => {
    const cases = fc.record({
      records: orderlyRecords,
      chunkTokens: fc.integer({ min: 1, max: 120 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(cases, ({ records, chunkTokens, share }) => {
        const ends = safeEnds(records);
        const cuts = [...new Set([ends[Math.floor(share * (ends.length - 1))] ?? 0, ends.at(-1) ?? 0])];
        const boundaries = schedule(chainOf(records, cuts), chunkTokens);
        expect(boundaries.filter(({ stage }) => stage !== undefined)).toEqual(
          cuts.map((end, stage) => ({ end, stage })),
        );
        expect(boundaries.at(-1)?.end).toBe(cuts.at(-1));
        const cost = (from: number, to: number): number =>
          records.slice(from, to).reduce((sum, record) => sum + plainTokens(record) + 12, 0);
        let from = 0;
        for (const { end, stage } of boundaries) {
          expect(ends).toContain(end);
          expect(stage !== undefined || cost(from, end) >= chunkTokens).toBe(true);
          for (const earlier of ends.filter((one) => one > from && one < end))
            expect(cost(from, earlier)).toBeLessThan(chunkTokens);
          from = end;
        }
      }),
    );
  });

  it("leaves records after the last cut without a boundary", () => {
    expect(schedule(chainOf([text("a"), text("b"), text("c")], [1]), 1)).toEqual([{ end: 1, stage: 0 }]);
  });

  it("has a chunk of 613,952 tokens with the default call shape, and never more than four fifths of the window", () => {
    expect(scheduleChunkTokens({ windowTokens: 1_000_000, outputReserveTokens: 384_000 })).toBe(613_952);
    expect(scheduleChunkTokens({ windowTokens: 200_000, outputReserveTokens: 8_000 })).toBe(160_000);
    expect(scheduleChunkTokens({ windowTokens: 16_000, outputReserveTokens: 14_000 })).toBe(1_000);
  });
});
