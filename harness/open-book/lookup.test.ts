import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LookupResult, refuse, resultBytes, resultText, withinAllowance } from "./lookup.ts";

const served = (...texts: string[]): LookupResult => ({
  kind: "served",
  pieces: texts.map((text, index) => ({ head: `[entry e${index}]`, text })),
  note: "",
});

describe("an allowance", () => {
  it("leaves a result alone that fits it exactly, and cuts one that is a byte too long", () => {
    const result = served("first text", "second text ".repeat(20));
    expect(withinAllowance(result, resultBytes(result))).toBe(result);
    const cut = withinAllowance(result, resultBytes(result) - 1);
    expect(cut).toMatchObject({ kind: "served", cut: true });
    expect(resultText(cut)).toContain("allowance");
    expect(resultText(cut)).toContain("first text");
  });

  it("refuses with a clear error where nothing is left", () => {
    expect(withinAllowance(served("text"), 10)).toMatchObject({ kind: "refused", why: "allowance" });
    expect(resultText(withinAllowance(served("text"), 0))).toContain("Answer from what you have");
  });

  it("is never exceeded, whatever the texts, and what is shown is their beginning", () => {
    const anyWellFormed = fc.string({ unit: "grapheme", maxLength: 60 });
    fc.assert(
      fc.property(fc.array(anyWellFormed, { maxLength: 5 }), fc.nat(400), (texts, left) => {
        const result = withinAllowance(served(...texts), left);
        expect(resultBytes(result)).toBeLessThanOrEqual(left);
        if (result.kind !== "served") return;
        expect(resultText(result).isWellFormed()).toBe(true);
        const shown = result.pieces.map(({ text }) => text);
        expect(shown.slice(0, -1)).toEqual(texts.slice(0, Math.max(0, shown.length - 1)));
        expect(texts[shown.length - 1]?.startsWith(shown.at(-1) ?? "")).toBe(shown.length > 0 ? true : undefined);
      }),
    );
  });

  it("costs a refusal nothing: a tool error shows nothing of the history", () => {
    expect(resultBytes(refuse("out of range", "no such entry"))).toBe(0);
  });
});
