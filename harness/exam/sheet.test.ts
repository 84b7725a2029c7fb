import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Chain, ChainRecord } from "../chain/record.ts";
import { UsageError } from "../errors.ts";
import { extract, pool } from "./extract.ts";
import type { ChainQuotas } from "./presets.ts";
import { decoysOf, targetsOf } from "./question.ts";
import { buildSheets, type SheetRequest } from "./sheet.ts";
import { stands } from "./stands.ts";
import { assistant, call, chainOf, result, user } from "./testing.ts";

/** Rounds of five records with fresh values of every source; sources share some. */
const session = (rounds: number): Chain =>
  chainOf(
    "session",
    ...Array.from({ length: rounds }, (_, round) => [
      user(`limit ${300 + round} MiB for worker-${round}/main.rs`),
      assistant(`DEC_${1000 + round} changes src/part${round}.ts, PR #${7000 + round}, ${300 + round} MiB`),
      call("read", { path: `src/part${round}.ts` }),
      result(`header ver_${5000 + round} ${"noise 123456 ".repeat(20)} ${(0xabcdef00 + round).toString(16)}`),
      assistant(`round ${round} is done`),
    ]).flat(),
  );
const quotas = (...rows: readonly (readonly [number, number, number, number])[]): ChainQuotas => ({
  sheets: rows.map(([assistant, user, tool, decoys]) => ({ targets: { assistant, user, tool }, decoys })),
  poolFactor: 2,
});
const build = (overrides: Partial<SheetRequest> = {}) =>
  buildSheets({
    chain: session(12),
    cuts: [25, 60],
    quotas: quotas([4, 2, 3, 8], [6, 2, 4, 8]),
    seed: 1,
    avoid: [],
    ...overrides,
  });
const textOfRecord = (record: ChainRecord): string =>
  record.kind === "tool_call" ? `${record.tool} ${JSON.stringify(record.args)}` : record.text;
const valuesOf = (questions: readonly { value: string }[]): string[] => questions.map(({ value }) => value);

describe("the sheets of a chain", () => {
  const { records } = session(12);

  it("ask as many questions of each source as their row says, and as many decoys", () => {
    const sheets = build();
    expect(sheets.map(({ chain, stage, end }) => [chain, stage, end])).toEqual([
      ["session", 0, 25],
      ["session", 1, 60],
    ]);
    const counts = sheets.map((sheet) => {
      const sources = targetsOf(sheet).map(({ source }) => source);
      return ["assistant", "user", "tool"].map((name) => sources.filter((source) => source === name).length);
    });
    expect(counts).toEqual([
      [4, 2, 3],
      [6, 2, 4],
    ]);
    expect(sheets.map((sheet) => decoysOf(sheet).length)).toEqual([8, 8]);
  });

  it("draw targets out of the pool of the covered history, each once, none part of another; decoys occur nowhere in the chain", () => {
    const everything = records.map((record) => JSON.stringify(record)).join("\n");
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        for (const sheet of build({ seed })) {
          const values = valuesOf(sheet.questions);
          for (const target of targetsOf(sheet)) {
            const source = target.source === "given" ? "tool" : target.source;
            expect(valuesOf(pool(extract(records), source, sheet.end))).toContain(target.value);
          }
          for (const decoy of decoysOf(sheet)) expect(everything).not.toContain(decoy.value);
          for (const value of values) expect(values.filter((other) => other.includes(value))).toEqual([value]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("place every target at its last standing in the covered records", () => {
    for (const sheet of build())
      for (const { value, place } of targetsOf(sheet)) {
        const index = records.findIndex(({ id }) => id === place?.record);
        const later = records.slice(index + 1, sheet.end);
        expect(later.some((record) => stands(textOfRecord(record), value))).toBe(false);
        expect(place?.age).toBe(later.length / sheet.end);
        expect(place?.source).toBe(records[index]?.role);
      }
  });

  it("are equal for equal seeds and differ for others", () => {
    expect(build()).toEqual(build());
    expect(build({ seed: 2 })).not.toEqual(build());
  });

  it("do not depend on each other's seats", () => {
    const [first] = build();
    const [same, changed] = build({ quotas: quotas([4, 2, 3, 8], [1, 1, 1, 3]) });
    expect(same).toEqual(first);
    expect(changed?.questions).toHaveLength(6);
  });

  it("mix targets and decoys", () => {
    const kinds = build().map((sheet) => sheet.questions.map(({ kind }) => kind).join(" "));
    for (const order of kinds) expect(order).not.toMatch(/^(target ?)*(decoy ?)*$/);
  });

  it("ask nothing that every request carries anyway, or that is a part of it", () => {
    const carried = Array.from({ length: 12 }, (_, round) => `DEC_${1000 + round} xver_${5000 + round}`);
    const few = quotas([4, 2, 2, 8], [6, 2, 4, 8]);
    const asked = Array.from({ length: 20 }, (_, seed) => build({ seed, avoid: carried, quotas: few })).flat();
    const values = asked.flatMap((sheet) => valuesOf(targetsOf(sheet)));
    expect(values.filter((value) => /^(DEC|ver)_/.test(value))).toEqual([]);
    const free = Array.from({ length: 20 }, (_, seed) => build({ seed })).flat();
    expect(free.flatMap((sheet) => valuesOf(targetsOf(sheet))).some((value) => value.startsWith("ver_"))).toBe(true);
  });

  it("need twice as many values as targets in every pool, else the error names chain, stage, source, found and needed", () => {
    const attempt = () => build({ quotas: quotas([4, 2, 3, 8], [6, 2, 13, 8]) });
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(
      /^Chain "session", stage 1: 24 distinct tool values found, 26 needed for 13 tool targets\./,
    );
    expect(() => build({ quotas: { ...quotas([4, 2, 3, 8], [6, 2, 13, 8]), poolFactor: 1 } })).not.toThrow();
  });

  it("need enough values that are no part of one another", () => {
    const chain = chainOf("nested", user("100 MiB, 100"), user("2100 MiB"), user("3100 MiB"));
    const attempt = () => buildSheets({ chain, cuts: [1], quotas: quotas([0, 2, 0, 0]), seed: 1, avoid: [] });
    expect(() => buildSheets({ chain, cuts: [1], quotas: quotas([0, 1, 0, 0]), seed: 1, avoid: [] })).not.toThrow();
    expect(attempt).toThrow(/^Chain "nested", stage 0: 2 distinct user values found, 4 needed/);
    expect(() =>
      buildSheets({ chain, cuts: [1], quotas: { ...quotas([0, 2, 0, 0]), poolFactor: 1 }, seed: 1, avoid: [] }),
    ).toThrow(/^Chain "nested", stage 0: 1 user values found that are not part of another target, 2 needed\./);
  });
});

describe("sampling", () => {
  it("draws every distinct value of the history equally often, late ones and rare ones too", () => {
    const chain = chainOf("ten", ...Array.from({ length: 10 }, (_, index) => user(`set ${100 + index}. 100.`)));
    const drawn = new Map<string, number>();
    const seeds = 600;
    for (let seed = 0; seed < seeds; seed++) {
      const request = { chain, cuts: [10], quotas: quotas([0, 2, 0, 0]), seed, avoid: [] };
      for (const sheet of buildSheets(request))
        for (const value of valuesOf(sheet.questions)) drawn.set(value, (drawn.get(value) ?? 0) + 1);
    }
    const expected = (2 * seeds) / 10;
    const chiSquare = Array.from({ length: 10 }, (_, index) => drawn.get(String(100 + index)) ?? 0).reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0,
    );
    expect(drawn.size).toBe(10);
    expect(chiSquare).toBeLessThan(27.9);
  });
});

describe("decoys that occur in the chain", () => {
  const paths = ["src", "lib", "app", "packages"].flatMap((folder) =>
    ["cache", "router", "adapter", "parser"].flatMap((file) =>
      ["rs", "ts", "py"].map((extension) => `${folder}/${file}.${extension}`),
    ),
  );
  const pulls = Array.from({ length: 899 }, (_, index) => `PR #${100 + index}`);
  const crowded = chainOf(
    "crowded",
    user("one 100 MiB, two 200 MiB"),
    call("shell", { command: `ls x${paths.join("x")}x` }),
    result("none"),
    assistant(pulls.join("1 ")),
  );
  const request = { chain: crowded, cuts: [1], quotas: quotas([0, 1, 0, 8]), avoid: [] };

  it("are drawn again and counted, also where they occur inside a word, in a call, or after the cut", () => {
    let redrawn = 0;
    for (let seed = 0; seed < 30; seed++)
      for (const sheet of buildSheets({ ...request, seed })) {
        redrawn += sheet.redrawn;
        expect(decoysOf(sheet)).toHaveLength(8);
        for (const { value } of decoysOf(sheet)) expect([...paths, ...pulls]).not.toContain(value);
      }
    expect(redrawn / 30).toBeGreaterThan(2);
    expect(redrawn / 30).toBeLessThan(6);
  });

  it("leave the others as they would be without them", () => {
    const free = chainOf("crowded", user("one 100 MiB, two 200 MiB"));
    for (let seed = 0; seed < 30; seed++) {
      const [crowdedSheet] = buildSheets({ ...request, seed });
      const [freeSheet] = buildSheets({ ...request, chain: free, seed });
      expect(freeSheet?.redrawn).toBe(0);
      const kept = freeSheet && decoysOf(freeSheet).filter(({ pattern }) => pattern !== "path" && pattern !== "pr");
      expect(crowdedSheet && valuesOf(decoysOf(crowdedSheet))).toEqual(expect.arrayContaining(valuesOf(kept ?? [])));
    }
  });
});
