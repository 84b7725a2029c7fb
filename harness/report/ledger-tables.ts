/** A ledger's rows as attempts, and their sums. */
import { stringify } from "csv-stringify/sync";
import type { LedgerRow, Outcome, Reserve } from "../models/ledger.ts";
import { decimalOf } from "../models/prices.ts";
import type { Table } from "./tables.ts";

/** One reservation and what became of it; `outcome` undefined: the process that made it is gone, or still at work. */
interface Attempt {
  readonly reserve: Reserve;
  readonly outcome: Outcome | undefined;
}

function attemptsOf(rows: readonly LedgerRow[]): Attempt[] {
  const outcomes = new Map(rows.flatMap((row) => (row.row === "reserve" ? [] : [[row.reservation, row] as const])));
  return rows.flatMap((row) =>
    row.row === "reserve" ? [{ reserve: row, outcome: outcomes.get(row.reservation) }] : [],
  );
}

const nano = (text: string | null): bigint => (text === null ? 0n : BigInt(text));

/** What an attempt counts as spent: its cost, or its reservation where nobody knows or nobody came back. */
const spentNano = ({ reserve, outcome }: Attempt): bigint => {
  if (outcome?.row === "release") return 0n;
  return outcome?.row === "settle" && outcome.costNano !== null ? BigInt(outcome.costNano) : nano(reserve.reservedNano);
};

/** It may have been billed, at a price that nobody knows. */
const isUnpriced = ({ reserve, outcome }: Attempt): boolean =>
  reserve.reservedNano === null && outcome?.row !== "release";

/** What a group counts as spent, or "unknown" where that of one attempt is not known. */
const spentOf = (group: readonly Attempt[]): string =>
  group.some(isUnpriced) ? "unknown" : decimalOf(group.reduce((sum, attempt) => sum + spentNano(attempt), 0n));

const replyOf = ({ outcome }: Attempt) => (outcome?.row === "settle" && "reply" in outcome ? outcome.reply : undefined);

/** Totals by arm and purpose, and of all. `currency`: of the amounts, where a run says it. */
export function ledgerTable(rows: readonly LedgerRow[], currency?: string): Table {
  const groups = new Map<string, Attempt[]>();
  const attempts = attemptsOf(rows);
  for (const attempt of attempts) {
    const { arm, purpose, round } = attempt.reserve;
    const name = `${arm}, ${purpose}${round === undefined ? "" : `, round ${round}`}`;
    groups.set(name, [...(groups.get(name) ?? []), attempt]);
  }
  const line = (name: string, group: readonly Attempt[]): string[] => {
    const usages = group.flatMap((attempt) => replyOf(attempt)?.usage ?? []);
    const sum = (count: (usage: (typeof usages)[number]) => number): string =>
      usages.reduce((total, usage) => total + count(usage), 0).toLocaleString("en-US");
    return [
      name,
      String(group.filter((attempt) => replyOf(attempt) !== undefined).length),
      String(group.length),
      sum((usage) => usage.freshInputTokens),
      sum((usage) => usage.cacheReadTokens),
      sum((usage) => usage.cacheWriteTokens),
      sum((usage) => usage.outputTokens),
      spentOf(group),
    ];
  };
  const spent = currency === undefined ? "spent" : `spent, ${currency}`;
  return {
    title: "Ledger",
    head: ["arm, purpose", "replies", "attempts", "fresh input", "cache read", "cache write", "output", spent],
    rows: [...[...groups].map(([name, group]) => line(name, group)), line("all", attempts)],
  };
}

/** What a sum does not show: money that stays reserved, attempts beyond the first, replies without usage. */
export function ledgerLines(rows: readonly LedgerRow[]): string[] {
  const attempts = attemptsOf(rows);
  const open = attempts.filter(({ outcome }) => outcome === undefined);
  const lost = attempts.filter(({ outcome }) => outcome?.row === "settle" && "lost" in outcome);
  const released = attempts.filter(({ outcome }) => outcome?.row === "release");
  const silent = attempts.filter((attempt) => replyOf(attempt) !== undefined && replyOf(attempt)?.usage === undefined);
  const unknown = attempts.filter(isUnpriced);
  const retries = attempts.length - new Set(attempts.map(({ reserve }) => reserve.key)).size;
  return [
    `Left open by a run that ended: ${open.length} reservations, counted as spent: ${spentOf(open)}.`,
    `Lost without a reply: ${lost.length}, counted as spent: ${spentOf(lost)}. Released: ${released.length}.`,
    `Attempts beyond a request's first: ${retries}. Replies without usage, at their reservation: ${silent.length}.`,
    ...(unknown.length === 0 ? [] : [`Attempts at an unknown price: ${unknown.length}.`]),
  ];
}

/** Every attempt as CSV. */
export function attemptsCsv(rows: readonly LedgerRow[]): string {
  const lines = attemptsOf(rows).map((attempt) => {
    const { row: _row, ...reserve } = attempt.reserve;
    const { outcome } = attempt;
    const usage = replyOf(attempt)?.usage;
    return {
      ...reserve,
      outcome: outcome === undefined ? "open" : "reply" in outcome ? "reply" : "lost" in outcome ? "lost" : "released",
      reason:
        outcome !== undefined && "lost" in outcome ? outcome.lost : outcome?.row === "release" ? outcome.reason : null,
      closedAt: outcome?.at ?? null,
      spentNano: isUnpriced(attempt) ? null : spentNano(attempt).toString(),
      freshInputTokens: usage?.freshInputTokens ?? null,
      cacheReadTokens: usage?.cacheReadTokens ?? null,
      cacheWriteTokens: usage?.cacheWriteTokens ?? null,
      outputTokens: usage?.outputTokens ?? null,
    };
  });
  return stringify(lines, { header: true });
}
