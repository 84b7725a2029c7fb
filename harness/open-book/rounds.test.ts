import { describe, expect, it } from "vitest";
import published from "../../fixtures/published.json" with { type: "json" };
import { UsageError } from "../errors.ts";
import { parseRounds, rounds, roundTitle } from "./rounds.ts";

describe("rounds", () => {
  it("are the published ones, in their order and with their designs", () => {
    expect(rounds.map(({ round, design }) => ({ round, design }))).toEqual(
      published.openBook.rounds.map(({ round, design }) => ({ round, design })),
    );
  });

  it("label as an upper bound the one whose first call is forced, and no other", () => {
    for (const round of rounds) {
      expect(round.bound).toBe(round.design === "required" ? "upper bound" : null);
      expect(roundTitle(round).includes("upper bound")).toBe(round.round === 5);
    }
  });

  it("are read in report order", () => {
    expect(parseRounds(["5", "closed", "3"]).map(({ round }) => round)).toEqual(["closed", 3, 5]);
  });

  it.each([
    [["6"], /^No round "6"\. Rounds: closed, 1, 2, 3, 4, 5\.$/],
    [["1", "1"], /"1" is named twice/],
    [[], /names no round/],
  ])("refuse %j with what there is", (names, message) => {
    expect(() => parseRounds(names)).toThrow(UsageError);
    expect(() => parseRounds(names)).toThrow(message);
  });
});
