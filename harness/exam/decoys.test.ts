import { describe, expect, it } from "vitest";
import { randomStream } from "../random.ts";
import { drawDecoy, fitDecoys } from "./decoys.ts";
import type { Decoy } from "./question.ts";

const decoy = (value: string): Decoy => ({ kind: "decoy", pattern: "hex", value });
const rules = { count: 2, occurs: () => false, targets: [], avoid: [] };
const fit = (values: readonly string[], overrides: Partial<Parameters<typeof fitDecoys>[1]>) => {
  const { decoys, redrawn } = fitDecoys(values.map(decoy), { ...rules, ...overrides });
  return { values: decoys.map(({ value }) => value), redrawn };
};

describe("a drawn decoy", () => {
  it("has one of the six shapes, each about equally often", () => {
    const shapes: Readonly<Record<string, RegExp>> = {
      hex: /^[1-9a-f][0-9a-f]{7}$/,
      pr: /^PR #[1-9]\d\d$/,
      version: /^[1-9]\d\.\d\.[0-8]-diag$/,
      path: /^(src|lib|app|packages)\/(cache|router|adapter|parser)\.(rs|ts|py)$/,
      size: /^[1-9]\d\.[0-8] (MiB|MB)$/,
      count: /^1?\d{3} 项测试$/,
    };
    const random = randomStream(1, "decoys");
    const seen = new Map<string, number>();
    for (let count = 0; count < 3000; count++) {
      const { pattern, value } = drawDecoy(random);
      expect(value).toMatch(shapes[pattern] ?? /$^/);
      seen.set(pattern, (seen.get(pattern) ?? 0) + 1);
    }
    expect([...seen.keys()].sort()).toEqual(Object.keys(shapes).sort());
    for (const times of seen.values()) expect(Math.abs(times - 500)).toBeLessThan(90);
  });
});

describe("choosing decoys", () => {
  it("takes the first draws that do not occur in the chain and counts those that do", () => {
    const occurs = (value: string) => value !== "bbb" && value !== "ddd";
    expect(fit(["aaa", "bbb", "ccc", "ddd", "eee"], { occurs })).toEqual({ values: ["bbb", "ddd"], redrawn: 2 });
  });

  it("passes over a repeat, and over draws that are part of an earlier one", () => {
    expect(fit(["aaaa", "aaaa", "aa", "xaaaax", "b"], {})).toEqual({ values: ["aaaa", "b"], redrawn: 0 });
  });

  it("passes over draws that contain a target or are part of one", () => {
    expect(fit(["PR #482", "82", "ok", "fine"], { targets: ["482"] }).values).toEqual(["ok", "fine"]);
  });

  it("passes over draws that every request carries, if only inside a word", () => {
    expect(fit(["read", "ok", "fine"], { avoid: ["already"] }).values).toEqual(["ok", "fine"]);
  });

  it("gives fewer where the draws do not suffice", () => {
    expect(fit(["aaa"], {}).values).toEqual(["aaa"]);
  });
});
