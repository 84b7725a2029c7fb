import { describe, expect, it } from "vitest";
import { UsageError } from "../errors.ts";
import { examPreset, examPresetNames, quotasOf, type SheetQuota } from "./presets.ts";

const chains = ["export", "analysis", "pipeline", "sim-yt", "sim-visual", "sim-stream"];
const rowsOf = (name: string): SheetQuota[] => chains.flatMap((chain) => quotasOf(examPreset(name), chain, 3).sheets);
const size = ({ targets }: SheetQuota): number => targets.assistant + targets.user + targets.tool;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const columns = (rows: readonly SheetQuota[]): number[] => [
  sum(rows.map(({ targets }) => targets.assistant)),
  sum(rows.map(({ targets }) => targets.user)),
  sum(rows.map(({ targets }) => targets.tool)),
  sum(rows.map(({ decoys }) => decoys)),
];

describe("the presets", () => {
  it("are three, the default first, and have rows for the six chains", () => {
    expect(examPresetNames()).toEqual(["reference", "article", "tool-heavy"]);
    for (const name of examPresetNames()) expect(Object.keys(examPreset(name).chains)).toEqual(chains);
  });

  it.each([
    ["reference", [142, 18, 18, 144]],
    ["article", [136, 17, 17, 8]],
    ["tool-heavy", [44, 14, 120, 144]],
  ])("%s sums to its assistant, user and tool targets and its decoys", (name, sums) => {
    expect(rowsOf(name)).toHaveLength(18);
    expect(columns(rowsOf(name))).toEqual(sums);
  });

  it("reference has the published sheet sizes and demands twice the seats in every pool", () => {
    expect(rowsOf("reference").map(size)).toEqual([4, 6, 6, 4, 6, 6, 5, 6, 6, 14, 15, 15, 12, 12, 12, 15, 17, 17]);
    expect(examPreset("reference").poolFactor).toBe(2);
    expect(examPreset("article").poolFactor).toBe(1);
  });

  it("article puts one decoy in place of a target on each of the eight largest sheets, ties to the earlier", () => {
    const reference = rowsOf("reference");
    const largest = new Set(
      reference
        .map((row, index) => ({ index, size: size(row) }))
        .sort((a, b) => b.size - a.size || a.index - b.index)
        .slice(0, 8)
        .map(({ index }) => index),
    );
    rowsOf("article").forEach((row, index) => {
      const original = reference[index] as SheetQuota;
      const replaced = largest.has(index) ? 1 : 0;
      expect(row.decoys).toBe(replaced);
      expect(size(row)).toBe(size(original) - replaced);
      for (const source of ["assistant", "user", "tool"] as const)
        expect(original.targets[source] - row.targets[source]).toBeOneOf(replaced === 1 ? [0, 1] : [0]);
    });
  });

  it("tool-heavy keeps the sheet sizes and asks at most 1, 4 and 6 tool targets of a structured chain's sheets", () => {
    expect(rowsOf("tool-heavy").map(size)).toEqual(rowsOf("reference").map(size));
    rowsOf("tool-heavy")
      .slice(0, 9)
      .forEach(({ targets }, index) => expect(targets.tool).toBeLessThanOrEqual([1, 4, 6][index % 3] as number));
  });

  it.each(["of-mine", "constructor", "__proto__"])(
    "give the chain %s, which has no row, the row for other chains",
    (chain) => {
      const other = { targets: { assistant: 10, user: 1, tool: 1 }, decoys: 8 };
      expect(quotasOf(examPreset("reference"), chain, 2)).toEqual({ sheets: [other, other], poolFactor: 2 });
    },
  );

  it("give a sheet beyond a chain's rows the row for other chains", () => {
    const preset = examPreset("reference");
    expect(quotasOf(preset, "export", 4).sheets).toEqual([...(preset.chains["export"] ?? []), preset.otherChains]);
  });

  it.each(["refrence", "toString"])("refuse the name %s with the list of names", (name) => {
    expect(() => examPreset(name)).toThrow(UsageError);
    expect(() => examPreset(name)).toThrow(/^No exam ".*Exams: reference, article, tool-heavy\.$/);
  });
});
