import { describe, expect, it } from "vitest";
import { extract, pool } from "../../exam/extract.ts";
import { schedule, scheduleChunkTokens } from "../boundaries.ts";
import type { ChainRecord } from "../record.ts";
import { textTokens } from "../tokens.ts";
import { structured, structuredChainNames } from "./structured.ts";

const seeds = [1, 2, 77];
const chains = seeds.flatMap((seed) =>
  structuredChainNames.map((name) => ({ seed, name, chain: structured(name, seed) })),
);
const firstSeed = chains.filter(({ seed }) => seed === 1);

const textOf = (record: ChainRecord): string => (record.kind === "tool_call" ? "" : record.text);
const find = (records: readonly ChainRecord[], id: string): ChainRecord => {
  const record = records.find((one) => one.id === id);
  if (record === undefined) throw new Error(`no record ${id}`);
  return record;
};
const text = (records: readonly ChainRecord[], id: string): string => textOf(find(records, id));
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Whether a number is within 3 % of what the original has. */
const near = (number: number, original: number): boolean => Math.abs(number / original - 1) <= 0.03;

/** Sizes of the original: least and most characters of a part, and the sum of all texts. */
const original = {
  export: {
    result: [88_664, 92_575],
    tail: [16_405, 16_695],
    report: [7_213, 7_252],
    user: [196, 272],
    sum: 8_171_493,
  },
  analysis: {
    result: [88_667, 92_578],
    tail: [16_405, 16_695],
    report: [7_213, 7_252],
    user: [199, 277],
    sum: 8_171_786,
  },
  pipeline: { result: [88_611, 92_522], tail: [7_879, 8_169], report: [109, 450], user: [125, 200], sum: 8_041_253 },
} as const;

describe.each(chains)("$name of seed $seed", ({ name, chain }) => {
  const { records } = chain;
  const stages = Array.from({ length: 8 }, (_, stage) => records.slice(28 * stage, 28 * (stage + 1)));
  const id = (stage: number, suffix: string): string => `${name}-0${stage}-${suffix}`;

  it("has boundaries at 28, 96, 112, 180 and 224 with the default call shape", () => {
    const chunkTokens = scheduleChunkTokens({ windowTokens: 1_000_000, outputReserveTokens: 384_000 });
    expect(schedule(chain, chunkTokens)).toEqual([
      { end: 28, stage: 0 },
      { end: 96, stage: undefined },
      { end: 112, stage: 1 },
      { end: 180, stage: undefined },
      { end: 224, stage: 2 },
    ]);
  });

  it("has eight stages of 28 records: requirement, report, eleven pairs, and a tail of four", () => {
    const files = [
      "config.snapshot",
      "validation.log",
      "trace.log",
      ...[3, 4, 5, 6, 7, 8, 9, 10].map((n) => `metrics-${n}.log`),
    ];
    stages.forEach((stage, number) => {
      const suffixes = [
        "u",
        "a",
        ...files.flatMap((_, i) => [`call-${i}`, `result-${i}`]),
        "tail-u",
        "tail-call",
        "tail-result",
        "tail-a",
      ];
      expect(stage.map((record) => record.id)).toEqual(suffixes.map((suffix) => id(number, suffix)));
      const read = stage.filter((record) => record.kind !== "text");
      expect(read.map(({ path }) => path)).toEqual([...files, "tail-status.log"].flatMap((file) => [file, file]));
      for (const record of read) expect(record.call).toMatch(/-call(?:-\d+)?$/);
    });
    expect(records.map(({ order }) => order)).toEqual(records.map((_, index) => index + 1));
    expect(records.some((record) => "args" in record || "tool" in record)).toBe(false);
  });

  it("has the original's sizes within 3 %", () => {
    const sizes = original[name];
    const check = (suffix: RegExp, [least, most]: readonly [number, number], count: number): void => {
      const lengths = records.filter((record) => suffix.test(record.id)).map((record) => textOf(record).length);
      expect(lengths).toHaveLength(count);
      for (const length of lengths) {
        expect(length).toBeGreaterThanOrEqual(least * 0.97);
        expect(length).toBeLessThanOrEqual(most * 1.03);
      }
    };
    check(/-result-\d+$/, sizes.result, 88);
    check(/-tail-result$/, sizes.tail, 8);
    check(/-\d\d-a$/, sizes.report, 8);
    check(/-\d\d-u$/, sizes.user, 8);
    expect(near(sum(records.map((record) => textOf(record).length)), sizes.sum)).toBe(true);
  });

  it("has a version id in the head of every config.snapshot", () => {
    const at = stages.map((_, stage) => text(records, id(stage, "result-0")).search(/(?<= )ver_[0-9a-f]{12}\n/));
    for (const start of at) expect(start >= 90 && start <= 106).toBe(true);
  });

  it("has a trace id across the exact middle of every trace.log and nowhere else", () => {
    stages.forEach((_, stage) => {
      const trace = text(records, id(stage, "result-2"));
      const [value = ""] = /trace_[0-9a-f]{16}/.exec(trace) ?? [];
      expect(Math.abs(trace.indexOf(value) + value.length / 2 - trace.length / 2)).toBeLessThanOrEqual(1);
      expect(records.filter((record) => textOf(record).includes(value))).toHaveLength(1);
    });
  });

  it("fails the validations of stages 2 and 5 and nothing else", () => {
    const failed = records.flatMap((record) => (record.kind === "tool_result" && record.error ? [record.id] : []));
    expect(failed).toEqual([id(2, "result-1"), id(5, "result-1")]);
    for (const [stage] of stages.entries()) {
      const head = text(records, id(stage, "result-1")).split("\n", 4);
      expect(head[1]).toBe(stage === 2 || stage === 5 ? "status: failed" : "status: passed");
      expect(head[2]).toMatch(stage === 2 || stage === 5 ? /^blocker: \w+ \w+/ : /^blocker: none$/);
      expect(head[3]).toMatch(/^deployment: /);
    }
  });

  it("carries at least eight values in every report and one user value that is not a bare number in every requirement", () => {
    const found = extract(records);
    stages.forEach((_, stage) => {
      const report = found.assistant.filter(({ record }) => records[record]?.id === id(stage, "a"));
      expect(new Set(report.map(({ value }) => value)).size).toBeGreaterThanOrEqual(8);
      const user = found.user.filter(
        ({ record, pattern }) => pattern !== "num" && records[record]?.id === id(stage, "u"),
      );
      expect(user.length).toBeGreaterThan(0);
    });
  });

  it("offers new values of every source in every stage, and results at several depths", () => {
    const found = extract(records);
    for (const source of ["assistant", "user", "tool"] as const)
      stages.forEach((_, stage) => {
        const before = pool(found, source, 28 * stage).length;
        const more = pool(found, source, 28 * (stage + 1)).length - before;
        expect(more, `${source} in stage ${stage}`).toBeGreaterThanOrEqual({ assistant: 8, user: 2, tool: 9 }[source]);
      });
    const depths = found.tool.map(({ value, record }) => {
      const body = textOf(records[record] as ChainRecord);
      return Math.round((4 * body.indexOf(value)) / body.length);
    });
    for (const quarter of [0, 1, 2, 3, 4])
      expect(depths.filter((depth) => depth === quarter).length).toBeGreaterThanOrEqual(8);
  });

  it("shows no value in the tail's counters", () => {
    const tails = records.filter((record) => record.id.endsWith("-tail-result"));
    expect(extract(tails).tool).toEqual([]);
    for (const tail of tails) expect(textOf(tail).split("\n")).toHaveLength(180);
  });
});

describe("the seed", () => {
  it("decides everything: equal ones give equal chains", () => {
    expect(structured("pipeline", 5)).toEqual(structured("pipeline", 5));
  });

  it("gives other values and the same shape when it changes", () => {
    const [one, other] = [structured("export", 1), structured("export", 2)];
    const values = (records: readonly ChainRecord[]): Set<string> =>
      new Set(extract(records).tool.map(({ value }) => value));
    const others = values(other.records);
    expect([...values(one.records)].filter((value) => others.has(value))).toEqual([]);
    expect(one.records.map(({ id, kind }) => `${id} ${kind}`)).toEqual(
      other.records.map(({ id, kind }) => `${id} ${kind}`),
    );
  });

  it("keeps every text ASCII, so that estimates are a quarter of the characters", () => {
    for (const { chain } of firstSeed)
      for (const record of chain.records) expect(textTokens(textOf(record))).toBe(Math.ceil(textOf(record).length / 4));
  });
});
