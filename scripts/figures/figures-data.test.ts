import { describe, expect, it } from "vitest";
import published from "../../fixtures/published.json" with { type: "json" };
import { compactJson } from "./compact-json.ts";
import { publishedRounds } from "./open-book.ts";
import { amount, listed, subjectOfPublished, subjectOfRun } from "./subject.ts";
import { armReport, smallReport } from "./testing.ts";
import { derive } from "./trigger.ts";
import { sizeRecall } from "./size-recall.ts";
import { waffle } from "./waffle.ts";

describe("the trigger", () => {
  it("is what the article's call shape gives, 613,952, and 800,000 without a reservation", () => {
    expect(derive(subjectOfPublished()).triggerTokens).toBe(613_952);
    expect(derive({ window: { windowTokens: 1_000_000, outputReserveTokens: 0 } }).triggerTokens).toBe(800_000);
    expect(derive(subjectOfPublished()).economicTokens).toBe(800_000);
  });

  it("has parts that add up to the window", () => {
    const { windowTokens, limitTokens, marginTokens, reserveTokens } = derive(subjectOfPublished());
    expect(limitTokens + marginTokens + reserveTokens).toBe(windowTokens);
  });
});

describe("the published rounds", () => {
  it("have every value somewhere, and the hits that the article reports", () => {
    const rounds = publishedRounds();
    expect(
      rounds.map(({ keptConfirmed, keptMissed, found, gone }) => keptConfirmed + keptMissed + found + gone),
    ).toEqual(rounds.map(() => published.openBook.values));
    expect(rounds.map(({ keptConfirmed, found }) => keptConfirmed + found)).toEqual(
      published.openBook.rounds.map(({ hits }) => hits),
    );
  });

  it("leave four values of round 5 that stand in the projection and were missed", () => {
    expect(publishedRounds().at(-1)).toMatchObject({ keptConfirmed: 146, keptMissed: 4, found: 20, gone: 8 });
  });
});

/** The rows of a waffle by what became of them: counts of squares. */
const squares = (spec: unknown): { arm: string; outcome: string; count: number }[] =>
  JSON.stringify(spec)
    .match(/\{[^{}]*"outcome":"[^{}]*\}/g)
    ?.map((text) => JSON.parse(text) as { arm: string; outcome: string; from: number; to: number })
    .map(({ arm, outcome, from, to }) => ({ arm, outcome, count: to - from })) ?? [];

describe("the waffle", () => {
  it("has a square for every target, kept, lost or not asked, and the decoys apart", () => {
    const rows = squares(waffle([subjectOfRun(smallReport())]));
    const of = (arm: string, outcomes: readonly string[]): number =>
      rows
        .filter((row) => row.arm === arm && outcomes.includes(row.outcome))
        .reduce((sum, { count }) => sum + count, 0);
    for (const { id, recall } of smallReport().arms) {
      expect(of(id, ["kept", "lost", "not asked"])).toBe(20);
      expect(of(id, ["kept"])).toBe(recall.hits);
      expect(of(id, ["decoy confirmed", "decoy left out"])).toBe(8);
    }
    expect(of("full", ["not asked"])).toBe(6);
    expect(of("codex", ["decoy confirmed"])).toBe(1);
  });

  it("has 178 squares an arm of the article", () => {
    const rows = squares(waffle([subjectOfPublished()]));
    const kept = rows.filter(({ outcome }) => outcome === "kept");
    expect(kept.map(({ count }) => count)).toEqual([147, 127, 83, 68, 68]);
    for (const { arm } of kept)
      expect(
        rows
          .filter((row) => row.arm === arm && !row.outcome.startsWith("decoy"))
          .reduce((sum, { count }) => sum + count, 0),
      ).toBe(178);
  });
});

describe("the frontier", () => {
  const titleOf = (spec: unknown): string => (spec as { title: { text: string[] } }).title.text.join(" ");

  it("leaves out an arm that another beats with fewer tokens", () => {
    const report = smallReport([
      armReport("a", "Small", "mirror", { hits: 10, tokens: 1000 }),
      armReport("b", "Large", "mirror", { hits: 8, tokens: 9000 }),
      armReport("c", "Best", "mirror", { hits: 15, tokens: 12_000 }),
    ]);
    expect(titleOf(sizeRecall([subjectOfRun(report)]))).toBe(
      "Small and Best are on the frontier of size and recall, Large is not",
    );
  });
});

describe("numbers in words", () => {
  it("have two significant digits", () => {
    expect([0, 18_213_557, 311_783_500, 466_160, 1_500_000_000].map(amount)).toEqual([
      "0",
      "0.018",
      "0.31",
      "0.00047",
      "1.50",
    ]);
  });

  it("are listed as in a sentence", () => {
    expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(listed)).toEqual(["", "a", "a and b", "a, b and c"]);
  });
});

describe("compactJson", () => {
  it("reads back as what it was, and keeps what is short on its line", () => {
    const value = {
      rows: Array.from({ length: 40 }, (_, index) => ({ index, text: "a: b, {c}" })),
      empty: {},
      none: null,
    };
    const text = compactJson(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(text.split("\n").length).toBe(46);
    expect(text).toContain('{ "index": 39, "text": "a: b, {c}" }');
  });
});
