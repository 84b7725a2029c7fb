import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import profiles from "../../../fixtures/profiles.json" with { type: "json" };
import { extract, pool } from "../../exam/extract.ts";
import { examPreset, quotasOf } from "../../exam/presets.ts";
import { targetSources } from "../../exam/question.ts";
import { safeAfter, scoredCuts } from "../boundaries.ts";
import { pairFaults, toMessages } from "../message.ts";
import { argsOf, type Chain, type ChainRecord } from "../record.ts";
import { sessionChainNames, sessionShaped } from "./session-shaped.ts";
import { codePoints } from "./session/exact.ts";

const chains = sessionChainNames.map((name) => sessionShaped(name, 1));
const anySeed = fc.integer({ min: 2, max: 1_000_000 });
const anyName = fc.constantFrom(...sessionChainNames);

type TextOf<Kind extends ChainRecord["kind"]> = Extract<ChainRecord, { kind: Kind }>;
const ofKind = <Kind extends ChainRecord["kind"]>(chain: Chain, kind: Kind): TextOf<Kind>[] =>
  chain.records.filter((record): record is TextOf<Kind> => record.kind === kind);
const results = (chain: Chain): string[] => ofKind(chain, "tool_result").map(({ text }) => text);
const said = (chain: Chain, role: "user" | "assistant"): string[] =>
  ofKind(chain, "text").flatMap((record) => (record.role === role ? [record.text] : []));
const sum = (texts: readonly string[], length: (text: string) => number): number =>
  texts.reduce((total, text) => total + length(text), 0);

describe("session-shaped chains", () => {
  it("have exactly the profile's records and characters, whatever the seed", () => {
    fc.assert(
      fc.property(anyName, anySeed, (name, seed) => {
        const chain = sessionShaped(name, seed);
        const profile = profiles[name];
        const cells = [results(chain), said(chain, "assistant"), said(chain, "user")] as const;
        expect(chain.records).toHaveLength(2 * profile.toolPairs + profile.assistantTexts + profile.userTexts);
        expect(cells.map((texts) => texts.length)).toEqual([
          profile.toolPairs,
          profile.assistantTexts,
          profile.userTexts,
        ]);
        const wanted = [profile.toolResultChars, profile.assistantChars, profile.userChars];
        expect(cells.map((texts) => sum(texts, codePoints))).toEqual(wanted);
        for (const [index, texts] of cells.entries())
          expect(sum(texts, (text) => text.length) / (wanted[index] ?? 0)).toBeCloseTo(1, 2);
      }),
      { numRuns: 8 },
    );
  });

  it("are equal for equal seeds, in new objects, and others for other seeds", () => {
    expect(sessionShaped("sim-visual", 1)).toEqual(chains[1]);
    expect(sessionShaped("sim-visual", 1).records).not.toBe(chains[1]?.records);
    expect(sessionShaped("sim-visual", 2)).not.toEqual(chains[1]);
  });

  it("are well-formed histories with unique ids and three safe scored cuts near 40, 70 and 100 %", () => {
    for (const chain of chains) {
      expect(new Set(chain.records.map(({ id }) => id)).size).toBe(chain.records.length);
      expect(chain.records.every(({ id }) => id.startsWith(`${chain.name}-`))).toBe(true);
      expect(pairFaults(toMessages(chain.records))).toEqual([]);
      const cuts = scoredCuts(chain, safeAfter(chain.records));
      const shares = cuts.map((cut) => cut / chain.records.length);
      for (const [index, share] of [0.4, 0.7, 1].entries()) {
        expect(shares[index]).toBeLessThanOrEqual(share);
        expect(shares[index]).toBeGreaterThan(share - 0.02);
      }
    }
  });

  it("put one stored message on one position and each result on its own", () => {
    for (const chain of chains) {
      const messages = toMessages(chain.records);
      expect(messages).toHaveLength(new Set(chain.records.map(({ position }) => position)).size);
      const calls = messages.map(({ blocks }) => blocks.filter(({ kind }) => kind === "call").length);
      expect(calls.filter((count) => count > 1).length).toBeGreaterThan(10);
      expect(messages.some(({ blocks }) => blocks[0]?.kind === "text" && blocks[1]?.kind === "call")).toBe(true);
    }
  });

  it("use the four tools with their arguments", () => {
    const keys = chains.flatMap((chain) =>
      ofKind(chain, "tool_call").map((call) => `${call.tool}: ${Object.keys(argsOf(call)).join(" ")}`),
    );
    expect(new Set(keys)).toEqual(
      new Set([
        "read: path",
        "read: path limit",
        "read: path offset limit",
        "write: path content",
        "edit: path old new",
        "shell: command",
        "shell: command timeout",
      ]),
    );
  });

  it("flag what failed and nothing else", () => {
    for (const chain of chains) {
      const flagged = ofKind(chain, "tool_result").filter(({ error }) => error);
      expect(flagged.length / results(chain).length).toBeGreaterThan(0.02);
      expect(flagged.length / results(chain).length).toBeLessThan(0.15);
      const failed = ofKind(chain, "tool_result").filter(({ text }) =>
        /^ENOENT|^Not edited|^Traceback|^FAILED tests|test result: FAILED/m.test(text),
      );
      expect(failed.length).toBeGreaterThan(3);
      expect(failed.every(({ error }) => error)).toBe(true);
    }
  });

  it("hold short results, long ones, and single ones of tens of thousands of characters", () => {
    for (const chain of chains) {
      const lengths = results(chain).map(({ length }) => length);
      const share = (test: (length: number) => boolean): number => lengths.filter(test).length / lengths.length;
      expect(share((length) => length < 600)).toBeGreaterThan(0.2);
      expect(share((length) => length > 3000)).toBeGreaterThan(0.1);
      expect(Math.max(...lengths)).toBeGreaterThan(15_000);
      expect(share((length) => length > 15_000)).toBeLessThan(0.03);
    }
  });

  it("are well-formed Unicode without empty texts or unfilled slots", () => {
    for (const chain of chains)
      for (const record of chain.records) {
        const text = record.kind === "tool_call" ? JSON.stringify(argsOf(record)) : record.text;
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toBe("");
      }
    const texts = chains.flatMap((chain) => ofKind(chain, "text"));
    expect(texts.filter(({ text }) => /[{}]|NaN|^\s|\s$/.test(text))).toEqual([]);
  });

  it("speak Chinese in every tenth text and in no other, to the end", () => {
    for (const chain of chains) {
      const chinese = ofKind(chain, "text").map(({ text }) => /\p{Script=Han}/u.test(text));
      expect(chinese).toEqual(chinese.map((_, index) => (index + 1) % 10 === 0));
    }
  });

  it("print JSON that parses", () => {
    const documents = chains.flatMap((chain) => results(chain).filter((text) => text.startsWith("{")));
    expect(documents.length).toBeGreaterThan(20);
    for (const document of documents) expect(() => JSON.parse(document) as unknown).not.toThrow();
  });

  it("print hunks with as many lines as their headings say", () => {
    let count = 0;
    for (const text of chains.flatMap(results))
      for (const [, oldLines, newLines, body] of text.matchAll(
        /^@@ -\d+,(\d+) \+\d+,(\d+) @@.*\n((?:[ +-].*(?:\n|$))*?)(?=^@@|^diff|(?![^]))/gm,
      )) {
        const marks = (body ?? "").split("\n").map((line) => line.charAt(0));
        count++;
        expect(marks.filter((mark) => mark === " " || mark === "-")).toHaveLength(Number(oldLines));
        expect(marks.filter((mark) => mark === " " || mark === "+")).toHaveLength(Number(newLines));
      }
    expect(count).toBeGreaterThan(100);
  });

  it("say no longer thing twice", () => {
    for (const chain of chains) {
      const long = said(chain, "assistant").filter((text) => codePoints(text) > 80);
      expect(new Set(long).size).toBe(long.length);
    }
  });

  it("tell three stories that share neither files nor requests", () => {
    const paths = chains.map((chain) => ofKind(chain, "tool_call").flatMap((call) => argsOf(call).path ?? []));
    const requests = chains.map((chain) => said(chain, "user"));
    for (const lists of [paths, requests]) {
      const distinct = lists.map((list) => new Set(list));
      const together = new Set(distinct.flatMap((set) => [...set]));
      expect(together.size).toBe(distinct.reduce((total, { size }) => total + size, 0));
      expect(together.size).toBeGreaterThan(40);
    }
  });

  it("offer twice what the exam asks for, at every scored boundary and for any seed", () => {
    const presets = [examPreset("reference"), examPreset("tool-heavy")];
    fc.assert(
      fc.property(anyName, anySeed, (name, seed) => {
        const chain = sessionShaped(name, seed);
        const found = extract(chain.records);
        for (const [stage, end] of scoredCuts(chain, safeAfter(chain.records)).entries())
          for (const source of targetSources) {
            const wanted = presets.map((preset) => quotasOf(preset, name, 3).sheets[stage]?.targets[source] ?? 0);
            expect(pool(found, source, end).length).toBeGreaterThanOrEqual(2 * Math.max(...wanted));
          }
      }),
      { numRuns: 6 },
    );
  });
});
