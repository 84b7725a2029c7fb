import { describe, expect, it } from "vitest";
import { limitsOf, openCodeDefaults } from "./limits.ts";

const limits = (windowTokens: number, outputTokens: number, options: Partial<typeof openCodeDefaults> = {}) =>
  limitsOf(windowTokens, outputTokens, { ...openCodeDefaults, ...options });

describe("the tail's budget", () => {
  it.each([
    [48_000, 32_000, 4_000],
    [72_000, 64_000, 10_000],
    [1_000_000, 384_000, 15_000],
    [1_000_000, 8_192, 15_000],
  ])("of a window of %i with an output limit of %i is %i", (windowTokens, outputTokens, tailTokens) => {
    expect(limits(windowTokens, outputTokens).tailTokens).toBe(tailTokens);
  });

  it.each([
    [8_192, null, 7_952],
    [32_000, null, 5_000],
    [32_000, 10_000, 7_500],
  ])("counts from an input limit of 40,000 (output %i, reserved %s): %i", (output, reservedTokens, tailTokens) => {
    const options = { inputLimitTokens: 40_000, reservedTokens };
    expect(limits(60_000, output, options).tailTokens).toBe(tailTokens);
  });

  it("is a quarter of what is usable, rounded down, from 2,000 to 15,000", () => {
    expect(limits(8_003, 0).tailTokens).toBe(2_000);
    expect(limits(8_004, 0).tailTokens).toBe(2_001);
    expect(limits(59_999, 0).tailTokens).toBe(14_999);
    expect(limits(60_001, 0).tailTokens).toBe(15_000);
    expect(limits(10, 100)).toEqual({ outputTokens: 100, usableTokens: 0, tailTokens: 2_000 });
  });

  it("is taken as it is from preserve_recent_tokens", () => {
    expect(limits(48_000, 32_000, { preserveRecentTokens: 50 }).tailTokens).toBe(50);
    expect(limits(48_000, 32_000, { preserveRecentTokens: 90_000 }).tailTokens).toBe(90_000);
  });
});

it("caps the output limit at 32,000, and with it what is held back of the window", () => {
  expect(limits(1_000_000, 384_000)).toMatchObject({ outputTokens: 32_000, usableTokens: 968_000 });
  expect(limits(1_000_000, 31_999)).toMatchObject({ outputTokens: 31_999, usableTokens: 968_001 });
});

it("ignores reserved tokens without an input limit, and everything without a window", () => {
  expect(limits(48_000, 32_000, { reservedTokens: 1 })).toEqual(limits(48_000, 32_000));
  expect(limits(0, 32_000, { inputLimitTokens: 40_000 }).usableTokens).toBe(0);
});
