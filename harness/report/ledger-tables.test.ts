import { describe, expect, it } from "vitest";
import type { LedgerRow, Reserve } from "../models/ledger.ts";
import { attemptsCsv, ledgerLines, ledgerTable } from "./ledger-tables.ts";

const reserve = (reservation: string, over: Partial<Reserve> = {}): Reserve => ({
  row: "reserve",
  reservation,
  key: `key ${reservation}`,
  chain: "export",
  end: 28,
  arm: "codex",
  purpose: "answer",
  request: "0",
  reservedNano: "1000000000",
  at: "t",
  ...over,
});
const usage = { freshInputTokens: 1000, cacheReadTokens: 20, cacheWriteTokens: 3, outputTokens: 4 };
const reply = { text: "", calls: [], finish: "stop", usage } as const;
const { usage: _usage, ...silent } = reply;

const rows: LedgerRow[] = [
  reserve("a", { purpose: "compact" }),
  { row: "settle", reservation: "a", costNano: "250000000", reply, at: "t" },
  reserve("b", { key: "twice" }),
  { row: "release", reservation: "b", reason: "429, slow down", overflow: false, at: "t" },
  reserve("c", { key: "twice" }),
  { row: "settle", reservation: "c", costNano: null, lost: "reset", at: "t" },
  reserve("d", { key: "twice" }),
  { row: "settle", reservation: "d", costNano: null, reply: silent, at: "t" },
  reserve("e"),
];

describe("a ledger in tables", () => {
  it("sums by arm and purpose: replies apart from attempts, and what was spent whatever became of it", () => {
    expect(ledgerTable(rows).rows).toEqual([
      ["codex, compact", "1", "1", "1,000", "20", "3", "4", "0.250000"],
      ["codex, answer", "1", "4", "0", "0", "0", "0", "3.000000"],
      ["all", "2", "5", "1,000", "20", "3", "4", "3.250000"],
    ]);
  });

  it("says what the sums hide", () => {
    expect(ledgerLines(rows)).toEqual([
      "Left open by a run that ended: 1 reservations, counted as spent: 1.000000.",
      "Lost without a reply: 1, counted as spent: 1.000000. Released: 1.",
      "Attempts beyond a request's first: 2. Replies without usage, at their reservation: 1.",
    ]);
  });

  it("calls a sum unknown that has an attempt at an unknown price in it, and says how many", () => {
    const unknown: LedgerRow[] = [
      reserve("a", { reservedNano: null }),
      { row: "settle", reservation: "a", costNano: null, reply, at: "t" },
    ];
    expect(ledgerTable(unknown).rows.at(-1)?.at(-1)).toBe("unknown");
    expect(ledgerLines(unknown).at(-1)).toBe("Attempts at an unknown price: 1.");
  });

  it("writes every attempt as one CSV line with its outcome", () => {
    const lines = attemptsCsv(rows).trimEnd().split("\n");
    expect(lines).toHaveLength(6);
    expect(lines.slice(1).map((line) => /,(reply|released|lost|open),/.exec(line)?.[1])).toEqual([
      "reply",
      "released",
      "lost",
      "reply",
      "open",
    ]);
    expect(lines[2]).toContain('"429, slow down"');
  });
});
