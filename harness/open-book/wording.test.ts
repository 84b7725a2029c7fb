import { describe, expect, it } from "vitest";
import { matches, type PatternName } from "../exam/patterns.ts";
import { openSheetOpening, sheetOpening, sheetText } from "../exam/prompt.ts";
import { fileInterface } from "./file-tools.ts";
import { journalInterface } from "./journal-tools.ts";
import { rounds } from "./rounds.ts";
import { roundNamed, smallSheet } from "./testing.ts";
import { windowInterface } from "./window-tools.ts";
import { roundSheetText, roundSystem } from "./wording.ts";

const textOf = (name: (typeof rounds)[number]["round"]): string => roundSheetText(roundNamed(name), smallSheet);

describe("the wording of a round", () => {
  it("is the closed book's own in round closed, byte for byte", () => {
    expect(textOf("closed")).toBe(sheetText(smallSheet));
    expect(roundSystem("production", roundNamed("closed"), "guide")).toBe("production");
  });

  it("opens every sheet once, as open or closed, and lists the values last", () => {
    for (const round of rounds) {
      const text = roundSheetText(round, smallSheet);
      const opening = round.design === "no tools" ? sheetOpening : openSheetOpening;
      expect(text.split("\n")[0]).toBe(opening);
      expect(text.split(opening)).toHaveLength(2);
      expect(text.endsWith(`Values:\n${smallSheet.questions.map(({ value }) => `- ${value}`).join("\n")}`)).toBe(true);
    }
  });

  it("calls the projection the record up to round 2 and a view of the session from round 3 on", () => {
    for (const { round } of rounds) {
      const early = round === "closed" || round === 1 || round === 2;
      expect(textOf(round).includes("is the record of"), String(round)).toBe(early);
      expect(textOf(round).includes("condensed view"), String(round)).toBe(!early);
    }
  });

  it("forbids tools in the control as in round closed, and says the same of the history as round 3", () => {
    expect(textOf(4)).toContain("Use no tools");
    const historyLine = (text: string): string | undefined => text.split("\n")[2];
    expect(historyLine(textOf(4))).toBe(historyLine(textOf(3)));
    expect(roundSystem("production", roundNamed(4), "guide")).toBe("production");
  });

  it("orders verification in round 5 alone", () => {
    for (const { round } of rounds) expect(textOf(round).includes("Verify before you answer")).toBe(round === 5);
  });

  it("keeps the production prompt in front and points to the lookups more strongly from round 2 on", () => {
    const systems = ([1, 2, 3, 5] as const).map((name) => roundSystem("production", roundNamed(name), "the guide"));
    for (const system of systems) expect(system).toMatch(/^production\n\n# Earlier[^]*the guide/);
    expect(systems[1]?.startsWith(systems[0] ?? "?")).toBe(true);
    expect(systems[1]?.length).toBeGreaterThan(systems[0]?.length ?? 0);
    expect(new Set(systems.slice(1)).size).toBe(1);
  });

  it("holds no value of the kinds that a sheet asks, so none can be confirmed from it", () => {
    const patterns: readonly PatternName[] = [
      ...(["path", "hex", "pr", "size", "tick", "prefixed", "cap", "project", "num", "count"] as const),
    ];
    const offers = [journalInterface, fileInterface, windowInterface];
    const texts = offers.flatMap((offer) => [
      JSON.stringify(offer.tools),
      ...rounds.flatMap((round) => [roundSystem("", round, offer.guide), roundSheetText(round, { questions: [] })]),
    ]);
    for (const text of texts)
      for (const pattern of patterns) expect(matches(pattern, text, 9), `${pattern} in ${text}`).toEqual([]);
  });
});
