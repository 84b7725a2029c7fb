import { describe, expect, it } from "vitest";
import type { Price } from "../models/prices.ts";
import { boundaryTable, summaries, summaryTable } from "./share-tables.ts";
import type { BoundaryShare } from "./shares.ts";

const price: Price = {
  id: "p",
  currency: "EUR",
  inputNano: 1_000_000_000n,
  outputNano: 4_000_000_000n,
  cacheReadNano: 100_000_000n,
  cacheWriteNano: 0n,
};
/** A request of 1,000 tokens, so many of them read and written, and a reply of 10. */
const share = (end: number, read: number, written = 0, over: Partial<BoundaryShare> = {}): BoundaryShare => ({
  arm: "a",
  chain: "alder",
  end,
  style: "anthropic",
  outputTokens: 10,
  shared: {
    bytes: 4 * read,
    ofBytes: 4_000,
    tokens: read,
    ofTokens: 1_000,
    besideTools: { tokens: read / 2, ofTokens: 500 },
    isWhole: true,
    usage: {
      anthropic: {
        freshInputTokens: 1_000 - read - written,
        cacheReadTokens: read,
        cacheWriteTokens: written,
        cacheWriteHourTokens: 0,
      },
    },
  },
  ...over,
});

describe("summaries", () => {
  it("are medians of shares, and their range", () => {
    const [one] = summaries([share(1, 900), share(2, 100), share(3, 700)], price);
    expect(one).toMatchObject({
      arm: "a",
      rules: "anthropic",
      compactions: 3,
      medianBytesShare: 0.7,
      medianTokensShare: 0.7,
      medianBesideTools: 0.7,
      read: { median: 0.7, least: 0.1, most: 0.9 },
    });
  });

  it("cost a compaction cold and cached: read tokens at their rate, everything else at the input's", () => {
    const [one] = summaries([share(1, 900)], price);
    expect(one?.medianColdNano).toBe(1_000 * 1_000 + 10 * 4_000);
    expect(one?.medianCachedNano).toBe(100 * 1_000 + 900 * 100 + 10 * 4_000);
  });

  it("charge a cache write at its own rate, and as fresh input where it has none", () => {
    const cached = (written: number, cacheWriteNano: bigint): number | undefined =>
      summaries([share(1, 900, written)], { ...price, cacheWriteNano })[0]?.medianCachedNano;
    expect(cached(100, 0n)).toBe(cached(0, 0n));
    expect(cached(100, 2_000_000_000n)).toBe(100 * 2_000 + 900 * 100 + 10 * 4_000);
  });

  it("are one for each arm and rules that something was measured for", () => {
    const other = share(1, 0, 0, { arm: "b" });
    expect(summaries([share(1, 900), other], price).map(({ arm, rules }) => `${arm} ${rules}`)).toEqual([
      "a anthropic",
      "b anthropic",
    ]);
    expect(summaries([], price)).toEqual([]);
  });
});

describe("tables", () => {
  it("show shares in per cent and money with four places", () => {
    const { title, rows } = summaryTable(summaries([share(1, 900)], price), price);
    expect(title).toContain("EUR at p prices");
    expect(rows).toEqual([
      ["a", "anthropic", "1", "90.0 %", "90.0 %", "90.0 %", "90.0 %", "90.0 %", "90.0 %", "0.0011", "0.0003"],
    ]);
  });

  it("show every boundary once, with a column for each rules that were measured", () => {
    const openai = share(1, 896, 0, { style: "openai" });
    const usage = { openai: { ...openai.shared.usage.anthropic } } as BoundaryShare["shared"]["usage"];
    const { head, rows } = boundaryTable([
      { ...openai, shared: { ...openai.shared, usage } },
      share(1, 900),
      share(2, 0),
    ]);
    expect(head).toEqual(["arm", "chain", "end", "tokens", "bytes", "openai", "anthropic"]);
    expect(rows).toEqual([
      ["a", "alder", "1", "1,000", "89.6 %", "89.6 %", "90.0 %"],
      ["a", "alder", "2", "1,000", "0.0 %", "", "0.0 %"],
    ]);
  });
});
