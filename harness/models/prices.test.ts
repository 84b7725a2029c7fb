import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { callNano, decimalOf, nanoOf, priceTableSchema, reservationNano } from "./prices.ts";

const table = priceTableSchema.parse(
  JSON.parse(readFileSync(new URL("../../fixtures/prices.json", import.meta.url), "utf8")),
);
const entry = table["article-flash"];
if (entry === undefined) throw new Error("fixtures/prices.json has no article-flash");
const { perMillionTokens: rates } = entry;
const price = {
  id: "article-flash",
  currency: entry.currency,
  inputNano: rates.input,
  outputNano: rates.output,
  cacheReadNano: rates.cacheRead,
  cacheWriteNano: rates.cacheWrite,
};

describe("prices", () => {
  it("reads decimals as whole nano and refuses what is none", () => {
    expect(nanoOf("0.02")).toBe(20_000_000n);
    expect(nanoOf("12")).toBe(12_000_000_000n);
    for (const wrong of ["", "-1", "1e3", ".5", "1.0000000001", "one"])
      expect(() => nanoOf(wrong)).toThrow(`"${wrong}"`);
  });

  it("costs the article's measured compaction what its own prices say, not what it prints", () => {
    const usage = {
      freshInputTokens: 212_911 - 212_548,
      cacheReadTokens: 212_548,
      cacheWriteTokens: 0,
      outputTokens: 0,
    };
    expect(decimalOf(callNano(usage, price))).toBe("0.004614");
    expect(decimalOf(callNano({ ...usage, freshInputTokens: 212_911, cacheReadTokens: 0 }, price))).toBe("0.212911");
  });

  it("rounds a call up once, not count by count", () => {
    const cheap = { ...price, inputNano: 1n, outputNano: 1n, cacheReadNano: 1n, cacheWriteNano: 1n };
    expect(callNano({ freshInputTokens: 1, cacheReadTokens: 1, cacheWriteTokens: 1, outputTokens: 1 }, cheap)).toBe(1n);
  });

  it("reserves at the dearer of input and cache write, with the whole output limit", () => {
    const dearWrites = { ...price, cacheWriteNano: 2_000_000_000n };
    expect(reservationNano(1_000_000, 1_000_000, price)).toBe(5_000_000_000n);
    expect(reservationNano(1_000_000, 1_000_000, dearWrites)).toBe(6_000_000_000n);
  });

  it("prints sums rounded up, never as less than they are", () => {
    expect(decimalOf(1n)).toBe("0.000001");
    expect(decimalOf(1_000_000_000n, 0)).toBe("1");
    expect(decimalOf(1_230_000_001n, 4)).toBe("1.2301");
  });
});
