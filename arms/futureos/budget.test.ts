import { describe, expect, it } from "vitest";
import { budgetOf, evidenceBudget, expandedLimit, slotOf, summaryReserve } from "./budget.ts";
import { upstreamOptions, upstreamSummarizedOptions } from "./options.ts";

const budget = (windowTokens: number, outputReserveTokens: number) =>
  budgetOf(windowTokens, outputReserveTokens, upstreamOptions);

describe("the quantities of the default call shape", () => {
  it("limit the input to 613,952 tokens, which is also the trigger", () => {
    expect(budget(1_000_000, 384_000)).toEqual({
      keepTokens: 8_000,
      marginTokens: 2_048,
      inputLimitTokens: 613_952,
      triggerTokens: 613_952,
    });
  });

  it("trigger at four fifths of the window where the output reservation is small", () => {
    expect(budget(1_000_000, 32_000)).toMatchObject({ inputLimitTokens: 965_952, triggerTokens: 800_000 });
  });

  it("leave the deterministic index 1,936 tokens and the summarized arm's 2,448", () => {
    expect(evidenceBudget(slotOf(1_000_000, 2_048), 0, 0, 112)).toBe(1_936);
    const summaryTokens = summaryReserve(1_000_000, upstreamSummarizedOptions);
    expect(summaryTokens).toBe(4_096);
    expect(evidenceBudget(slotOf(1_000_000, 2_048 + summaryTokens + 512), 0, summaryTokens, 112)).toBe(2_448);
  });
});

describe("small windows", () => {
  it("shrink the margin, the recent messages, the slot and the summary with the window", () => {
    expect(budget(16_000, 4_000)).toEqual({
      keepTokens: 3_200,
      marginTokens: 1_000,
      inputLimitTokens: 11_000,
      triggerTokens: 11_000,
    });
    expect(slotOf(16_000, 6_656)).toBe(2_000);
    expect(summaryReserve(16_000, upstreamSummarizedOptions)).toBe(1_000);
  });

  it("keep nothing when the window is at most one token", () => {
    expect(budget(1, 0)).toMatchObject({ keepTokens: 0, triggerTokens: 1 });
    expect(budget(0, 10)).toMatchObject({ keepTokens: 0, inputLimitTokens: 0, triggerTokens: 0 });
    expect(slotOf(1, 2_048)).toBe(1);
  });
});

it("limits the history to three quarters of what fixed tokens leave, and to 128,000", () => {
  expect(expandedLimit(613_952, 3_000, 128_000)).toBe(128_000);
  expect(expandedLimit(10_000, 2_001, 128_000)).toBe(5_999);
  expect(expandedLimit(10_000, 20_000, 128_000)).toBe(0);
});

it("never leaves an index less than nothing", () => {
  expect(evidenceBudget(100, 300, 0, 112)).toBe(0);
  expect(evidenceBudget(100, 0, 60, 112)).toBe(0);
});
