import { describe, expect, it } from "vitest";
import type { RunPlan } from "./plan.ts";
import { parseCellChoice } from "./selection.ts";

const plan = { chains: [{ chain: { name: "export" } }], arms: [{ arm: { id: "codex" } }] } as unknown as RunPlan;

describe("choosing a cell", () => {
  it("takes chain/arm", () => {
    expect(parseCellChoice("export/codex", plan)).toEqual({ chain: "export", arm: "codex" });
  });

  it.each([
    ["export", /chain\/arm/],
    ["export/codex/1", /chain\/arm/],
    ["exprt/codex", /Did you mean "export"/],
    ["export/codx", /Did you mean "codex"/],
  ])("refuses %s", (text, message) => {
    expect(() => parseCellChoice(text, plan)).toThrow(message);
  });
});
