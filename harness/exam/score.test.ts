import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMessages } from "../chain/message.ts";
import type { Sheet } from "./question.ts";
import { scoreSheet, survivalOf } from "./score.ts";
import { standsInHistory } from "./stands.ts";
import { assistant, call, chainOf, result, user } from "./testing.ts";

const sheetOf = (targets: readonly string[], decoys: readonly string[]): Sheet => ({
  chain: "c",
  stage: 0,
  end: 4,
  redrawn: 0,
  questions: [
    ...decoys.map((value) => ({ kind: "decoy", value, pattern: "hex" }) as const),
    ...targets.map((value) => ({ kind: "target", value, source: "given", pattern: "given" }) as const),
  ],
});
const sheet = sheetOf(["64 MiB", "ver_1", "src/a.rs"], ["PR #100", "11.5 MB"]);

describe("a score", () => {
  it("counts confirmed targets and decoys, each under its own denominator", () => {
    const answer = { label: "clean", reported: ["ver_1", "PR #100", "64 MiB"] } as const;
    expect(scoreSheet(sheet, answer)).toEqual({
      usable: true,
      outcomes: ["confirmed", "left out", "confirmed", "confirmed", "left out"],
      confirmed: [true, false, true, true, false],
      recall: { hits: 2, of: 3 },
      decoys: { confirmed: 1, of: 2 },
      invented: 0,
      wrapped: 0,
    });
  });

  it("demands equality: case, parts and wrapped values miss, the latter counted apart from invented ones", () => {
    const reported = ["VER_1", "64", "`src/a.rs`", '"11.5 MB"', "`made up`"];
    const score = scoreSheet(sheet, { label: "wrapped", reported });
    expect(score).toMatchObject({ recall: { hits: 0 }, decoys: { confirmed: 0 }, invented: 3, wrapped: 2 });
    expect(score.outcomes).toEqual(["left out", "wrapped", "left out", "left out", "wrapped"]);
  });

  it("of a value that is asked with its quotes is a hit with them", () => {
    const score = scoreSheet(sheetOf(['"a"'], []), { label: "wrapped", reported: ['"a"'] });
    expect(score).toMatchObject({ recall: { hits: 1, of: 1 }, wrapped: 0 });
  });

  it("of an unusable reply hits nothing inside the denominator", () => {
    expect(scoreSheet(sheet, { label: "truncated" })).toMatchObject({
      usable: false,
      outcomes: Array.from({ length: 5 }, () => "no answer"),
      recall: { hits: 0, of: 3 },
      decoys: { confirmed: 0, of: 2 },
      invented: 0,
    });
  });

  it("of an answer that confirms nothing is not that of no answer", () => {
    expect(scoreSheet(sheet, { label: "clean", reported: [] })).toMatchObject({
      usable: true,
      recall: { hits: 0, of: 3 },
    });
  });
});

describe("survival", () => {
  const history = toMessages(
    chainOf("c", user("64 MiB"), assistant("xver_1"), call("read", { path: "src/a.rs" }), result("PR #100")).records,
  );

  it("is answered for each question in the sheet's order", () => {
    expect(survivalOf(sheet, history)).toEqual([true, false, true, false, true]);
    expect(survivalOf(sheet, [])).toEqual([false, false, false, false, false]);
  });

  it("is the rule of matching on any history", () => {
    const unit = fc.constantFrom(..."ab1_ \\n中".split(""));
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit, maxLength: 20 }), { maxLength: 4 }),
        fc.uniqueArray(fc.string({ unit, minLength: 1, maxLength: 4 }), { maxLength: 5 }),
        (texts, values) => {
          const messages = toMessages(chainOf("c", ...texts.map(assistant)).records);
          expect(survivalOf(sheetOf(values, []), messages)).toEqual(
            values.map((value) => standsInHistory(messages, value)),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });
});
