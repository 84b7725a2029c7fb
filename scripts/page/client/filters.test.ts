import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PageQuestion } from "../data.ts";
import { behindMark, filtered, type Filters, fromHash, noFilters, outcomeName, toHash } from "./filters.ts";

const question = (
  id: string,
  source: string,
  outcomes: readonly string[],
  more: Partial<PageQuestion> = {},
): PageQuestion => ({
  id,
  chain: "alder",
  stage: 0,
  end: 8,
  kind: source === "decoy" ? "decoy" : "target",
  value: `value ${id}`,
  source,
  pattern: "path",
  age: "newest quarter",
  place: null,
  arms: outcomes.map((outcome) => ({ outcome })),
  ...more,
});
const questions = [
  question("a", "assistant", ["confirmed", "left out"]),
  question("b", "tool", ["left out", "left out"], { chain: "birch", age: null }),
  question("c", "decoy", ["left out", "confirmed"]),
  question("d", "user", ["confirmed", "does not fit"]),
];
const shown = (filters: Partial<Filters>): string =>
  filtered(questions, ["codex", "opencode"], { ...noFilters, ...filters })
    .map(({ id }) => id)
    .join("");

describe("filtered", () => {
  it("shows all targets without filters, and decoys where they are asked for", () => {
    expect(shown({})).toBe("abd");
    expect(shown({ source: "decoy" })).toBe("c");
  });

  it("asks for an outcome in one arm, or in any", () => {
    expect(shown({ arm: "codex", outcome: "kept" })).toBe("ad");
    expect(shown({ arm: "opencode", outcome: "kept" })).toBe("");
    expect(shown({ arm: "opencode", outcome: "lost" })).toBe("ab");
    expect(shown({ outcome: "lost" })).toBe("ab");
    expect(shown({ arm: "opencode", outcome: "not asked" })).toBe("d");
    expect(shown({ arm: "opencode", outcome: "kept", source: "decoy" })).toBe("c");
  });

  it("asks for chain, source, age and a part of the value", () => {
    expect(shown({ chain: "birch" })).toBe("b");
    expect(shown({ source: "user" })).toBe("d");
    expect(shown({ age: "newest quarter" })).toBe("ad");
    expect(shown({ text: "VALUE D" })).toBe("d");
    expect(shown({ text: "nowhere" })).toBe("");
  });
});

describe("outcomeName", () => {
  it("calls every miss lost, and what was never asked not asked", () => {
    expect(
      ["confirmed", "left out", "wrapped", "no answer", "does not fit", "failed", "pending"].map(outcomeName),
    ).toEqual(["kept", "lost", "lost", "lost", "not asked", "not asked", "not asked"]);
  });
});

describe("an address", () => {
  it("holds any filters and gives them back", () => {
    const text = fc.string({ unit: "grapheme" }).filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(fc.record({ chain: text, source: text, age: text, arm: text, outcome: text, text }), (filters) => {
        expect(fromHash(`#${toHash(filters)}`)).toEqual(filters);
      }),
    );
  });

  it("is empty without filters, and unknown names in it are left out", () => {
    expect(toHash(noFilters)).toBe("");
    expect(fromHash("#arm=codex&theme=dark")).toEqual({ ...noFilters, arm: "codex" });
  });
});

describe("behindMark", () => {
  const known = { arms: ["codex"], chains: ["alder"] };
  const behind = (mark: Parameters<typeof behindMark>[0]) => behindMark(mark, known);

  it("finds a square's own question by its place among those of its kind", () => {
    expect(behind({ arm: "codex", outcome: "lost", from: 12, square: 15 })).toEqual({
      filters: { arm: "codex", outcome: "lost" },
      at: 3,
    });
    expect(behind({ arm: "codex", outcome: "decoy left out", from: 1, square: 1 })).toEqual({
      filters: { arm: "codex", source: "decoy", outcome: "lost" },
      at: 0,
    });
    expect(behind({ arm: "codex", outcome: "decoy confirmed", from: 0, square: 0 })?.filters.outcome).toBe("kept");
  });

  it("finds an arm's questions behind its bar, and a source's behind a share", () => {
    expect(behind({ arm: "codex" })).toEqual({ filters: { arm: "codex", outcome: "" }, at: 0 });
    expect(behind({ chain: "alder", drawnFrom: "tool" })).toEqual({
      filters: { chain: "alder", source: "tool" },
      at: 0,
    });
    expect(behind({ chain: "", drawnFrom: "user" })?.filters).toEqual({ chain: "", source: "user" });
  });

  it("finds none behind a mark of another experiment, of a chain that was not asked about, or of no question", () => {
    expect(behind({ arm: "futureos-main" })).toBeUndefined();
    expect(behind({ chain: "birch", drawnFrom: "tool" })).toBeUndefined();
    expect(behind({})).toBeUndefined();
  });
});
