import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../harness/json.ts";
import { compareOutcomes, describeDifference } from "./compare.ts";
import type { RoundOutcome } from "./scenario.ts";

const message = (role: string, text: string): JsonObject => ({ role, text });
const outcome = (history: readonly JsonObject[], requests: readonly (readonly JsonObject[])[] = []): RoundOutcome => ({
  result: "compacted",
  requests,
  history,
});

const histories = fc.array(
  fc.record({ role: fc.constantFrom("user", "assistant"), text: fc.string({ unit: "grapheme" }) }),
  { minLength: 1, maxLength: 8 },
);

describe("a comparison", () => {
  it("finds nothing between equal outcomes, whatever order their fields have", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const turned = history.map(({ role, text }) => ({ text, role }));
        expect(compareOutcomes([outcome(history)], [outcome(turned)])).toEqual({
          items: history.length + 1,
          equal: history.length + 1,
          differences: [],
        });
      }),
    );
  });

  it("finds every item of which a single character is another", () => {
    fc.assert(
      fc.property(histories, fc.nat(), (history, nth) => {
        const at = nth % history.length;
        const changed = history.map((item, index) => (index === at ? { ...item, text: `${item.text}.` } : item));
        expect(compareOutcomes([outcome(history)], [outcome(changed)]).differences.map(({ place }) => place)).toEqual([
          `round 1, history, item ${at}`,
        ]);
      }),
    );
  });

  it("finds another order, another role and another result", () => {
    const [a, b] = [message("user", "a"), message("user", "b")];
    expect(compareOutcomes([outcome([a, b])], [outcome([b, a])]).differences).toHaveLength(2);
    expect(compareOutcomes([outcome([a])], [outcome([message("assistant", "a")])]).differences).toHaveLength(1);
    expect(compareOutcomes([outcome([a])], [{ ...outcome([a]), result: "unchanged" }]).differences).toHaveLength(1);
  });

  it("counts what only one side has, in histories, requests and rounds", () => {
    const [a, b] = [message("user", "a"), message("user", "b")];
    const product = [outcome([a, b], [[a]]), outcome([a])];
    expect(compareOutcomes(product, [outcome([a])])).toMatchObject({ items: 6, equal: 2 });
    expect(compareOutcomes([outcome([a])], product)).toMatchObject({ items: 6, equal: 2 });
  });
});

it("describes a difference from the first character that is another", () => {
  const text = describeDifference({
    place: "round 1, history, item 0",
    product: "x".repeat(500),
    arm: `${"x".repeat(300)}y`,
  });
  expect(text).toMatch(/^round 1, history, item 0, from character 301\n {2}product: …x/);
  expect(text.length).toBeLessThan(600);
});
