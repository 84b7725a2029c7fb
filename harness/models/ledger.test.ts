import { appendFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ArtifactError, BudgetError, UsageError } from "../errors.ts";
import { openLedger, type Reserve, spending } from "./ledger.ts";

const file = (): string => join(mkdtempSync(join(tmpdir(), "ledger-")), "ledger.jsonl");
const usage = { freshInputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 };
const reserve = (reservation: string, reservedNano: string | null, key = `key-${reservation}`): Reserve => ({
  row: "reserve",
  reservation,
  key,
  chain: "export",
  end: 28,
  arm: "codex",
  purpose: "answer",
  request: "0",
  reservedNano,
  at: "then",
});
const settled = (reservation: string, costNano: string | null) =>
  ({
    row: "settle",
    reservation,
    costNano,
    reply: { text: "yes", calls: [], finish: "stop", usage },
    at: "then",
  }) as const;

describe("ledger", () => {
  it("counts a reservation as open, then as its cost, and never both", () => {
    const ledger = openLedger(file(), { budgetNano: 100n });
    ledger.reserve(reserve("a", "60"));
    expect([ledger.spentNano(), ledger.openNano()]).toEqual([0n, 60n]);
    ledger.close(settled("a", "25"));
    expect([ledger.spentNano(), ledger.openNano()]).toEqual([25n, 0n]);
  });

  it("keeps no budget on top of calls whose price nobody knows", () => {
    const path = file();
    const before = openLedger(path);
    before.reserve(reserve("a", null));
    expect(() => openLedger(path, { budgetNano: 100n })).toThrow(UsageError);
    before.close({ row: "release", reservation: "a", reason: "429", overflow: false, at: "then" });
    expect(openLedger(path, { budgetNano: 100n }).spentNano()).toBe(0n);
  });

  it("numbers reservations on from the highest that it has, so that no two share one after a crash", () => {
    const path = file();
    const ledger = openLedger(path);
    ledger.reserve(reserve("a.1", "1"));
    ledger.reserve(reserve("b.3", "1"));
    expect(openLedger(path).nextReservation()).toBe(4);
  });

  it("refuses a reservation that could exceed the budget and writes nothing", () => {
    const path = file();
    const ledger = openLedger(path, { budgetNano: 100n });
    ledger.reserve(reserve("a", "60"));
    const before = readFileSync(path, "utf8");
    expect(() => ledger.reserve(reserve("b", "41"))).toThrow(BudgetError);
    expect(readFileSync(path, "utf8")).toBe(before);
    ledger.reserve(reserve("c", "40"));
  });

  it("gives a released reservation back, and keeps a lost one spent", () => {
    const ledger = openLedger(file());
    ledger.reserve(reserve("a", "60"));
    ledger.close({ row: "release", reservation: "a", reason: "429", overflow: false, at: "then" });
    expect(ledger.spentNano()).toBe(0n);
    ledger.reserve(reserve("b", "7"));
    ledger.close({ row: "settle", reservation: "b", costNano: null, lost: "reset", at: "then" });
    expect(ledger.spentNano()).toBe(7n);
    expect(ledger.known("key-b")).toBeUndefined();
  });

  it("spends the reservation of a reply whose cost is unknown", () => {
    const ledger = openLedger(file());
    ledger.reserve(reserve("a", "60"));
    ledger.close(settled("a", null));
    expect(ledger.spentNano()).toBe(60n);
  });

  it("remembers replies and overflows across processes", () => {
    const path = file();
    const first = openLedger(path);
    first.reserve(reserve("a", "1"));
    first.close(settled("a", "1"));
    first.reserve(reserve("b", "1"));
    first.close({ row: "release", reservation: "b", reason: "too long", overflow: true, at: "then" });
    first.dispose();
    const second = openLedger(path);
    expect(second.known("key-a")).toMatchObject({ kind: "reply", reply: { text: "yes" } });
    expect(second.known("key-b")).toEqual({ kind: "overflow", reason: "too long" });
  });

  it("counts a reservation that a dead run left open as spent, also after further runs", () => {
    const path = file();
    openLedger(path).reserve(reserve("a", "60"));
    const second = openLedger(path, { budgetNano: 100n });
    expect([second.spentNano(), second.openNano()]).toEqual([60n, 0n]);
    second.reserve(reserve("b", "40"));
    second.close(settled("b", "5"));
    expect(openLedger(path).spentNano()).toBe(65n);
  });

  it("drops a torn last line and goes on in a line of its own", () => {
    const path = file();
    openLedger(path).reserve(reserve("a", "60"));
    appendFileSync(path, '{"row":"settle","reserv');
    const second = openLedger(path);
    expect(second.spentNano()).toBe(60n);
    second.reserve(reserve("b", "1"));
    second.close(settled("b", "1"));
    expect(openLedger(path).spentNano()).toBe(61n);
  });

  it("refuses a file with a broken line before the last, naming the line", () => {
    const path = file();
    appendFileSync(path, "{oops\n{}\n");
    expect(() => openLedger(path)).toThrow(ArtifactError);
    expect(() => openLedger(path)).toThrow("line 1");
  });

  it("counts each settled key once, and unknown usage apart", () => {
    const ledger = openLedger(file());
    for (const reservation of ["a1", "a2"]) {
      ledger.reserve(reserve(reservation, "1", "same"));
      ledger.close(settled(reservation, "1"));
    }
    ledger.reserve(reserve("b", "1"));
    ledger.close({ ...settled("b", null), reply: { text: "", calls: [], finish: "stop" } });
    expect(spending(ledger.rows(), () => true)).toEqual({ calls: 2, unknownUsage: 1, usage });
  });
});
