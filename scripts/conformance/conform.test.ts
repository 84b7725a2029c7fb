import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { armProduct } from "./arm.ts";
import { conform, type Failure, smallest, writeFailure } from "./conform.ts";
import type { Product, RoundOutcome, Scenario } from "./scenario.ts";
import { codexKind, type Kind, openCodeKind } from "./subject.ts";

const armOf = <Prompts>(kind: Kind<Prompts>): Product => armProduct(kind.arm(kind.ownPrompts), kind.wire);
const scenarios = codexKind.rules(1, true, codexKind.ownPrompts).slice(0, 12);

/** The arm as a program that leaves out the last item of a history that holds a text. */
const forgetful = (product: Product, text: string): Product => ({
  run: async (scenario) =>
    (await product.run(scenario)).map((outcome): RoundOutcome =>
      JSON.stringify(outcome.history).includes(text) ? { ...outcome, history: outcome.history.slice(0, -1) } : outcome,
    ),
});

const withWish = (wish: string, many = 0): Scenario => {
  const [round] = scenarios[0]?.rounds ?? [];
  if (round === undefined) throw new Error("no round");
  const user = (id: string, text: string) => ({ id, role: "user" as const, blocks: [{ kind: "text" as const, text }] });
  const others = Array.from({ length: many }, (_, nth) => user(`other${nth}`, `other ${nth}`));
  const messages = [...others.slice(0, many / 2), user("wish", wish), ...others.slice(many / 2)];
  return {
    name: "wish",
    windowTokens: 1_000_000,
    outputReserveTokens: 0,
    options: {},
    rounds: [
      { ...round, messages },
      { ...round, messages: [] },
    ],
  };
};

describe.each([codexKind, openCodeKind] as const)("conformance of the $name arm with itself", (kind) => {
  it("compares every item of every scenario and finds no difference", async () => {
    const all = (kind as Kind<unknown>)
      .rules(1, true, kind.ownPrompts)
      .filter((scenario) => scenario.known === undefined && JSON.stringify(scenario).length < 60_000);
    const arm = armOf(kind as Kind<unknown>);
    const { histories, items, equal, different, failures } = await conform(all, arm, arm);
    expect({ histories, different, failures }).toEqual({ histories: all.length, different: 0, failures: [] });
    expect(items).toBe(equal);
    expect(items).toBeGreaterThan(all.length * 5);
  });
});

describe("conformance", () => {
  it("fails a scenario in which the program does otherwise, and tells what it did", async () => {
    const arm = armOf(codexKind);
    const failed: Failure[] = [];
    const result = await conform(
      [...scenarios, withWish("a wish of its own")],
      forgetful(arm, "a wish of its own"),
      arm,
      { onFailure: (failure) => failed.push(failure) },
    );
    expect(result.failures).toEqual(["wish"]);
    expect(result.different).toBeGreaterThan(0);
    const folder = mkdtempSync(join(tmpdir(), "closed-book-test-"));
    try {
      const place = writeFailure(folder, "codex", failed[0] as Failure);
      expect(readFileSync(join(place, "differences.txt"), "utf8")).toContain("round 1, history");
      for (const file of ["scenario.json", "product.json", "arm.json"])
        expect(existsSync(join(place, file))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("takes a known difference as one, and fails where it does not show any more", async () => {
    const arm = armOf(codexKind);
    const known = { ...withWish("a wish of its own"), known: "a reason" };
    expect(await conform([known], forgetful(arm, "a wish of its own"), arm)).toMatchObject({
      items: 0,
      different: 0,
      known: ["a reason"],
      failures: [],
    });
    expect(await conform([known], arm, arm)).toMatchObject({ known: [], failures: ["wish"] });
  });

  it("finds the smallest scenario that still differs", async () => {
    const arm = armOf(codexKind);
    const found = await smallest(withWish("a wish of its own", 20), forgetful(arm, "a wish of its own"), arm);
    expect(found.rounds.map(({ messages }) => messages.map(({ id }) => id))).toEqual([["wish"]]);
  });
});
