/**
 * The ledger: an append-only file of reservations and what became of them, one JSON row a line. A reply is part of the
 * row that settles it, so a reply that was paid for is on disk in the same write as its price.
 *
 * One process owns it (the run folder's lock), so a reservation found open belongs to a dead run: it stays spent.
 */
import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { ArtifactError, BudgetError, UsageError } from "../errors.ts";
import { decimalOf } from "./prices.ts";
import type { ModelReply, ModelRequest, Usage } from "./model.ts";

/** Which step of the run a call belongs to. */
export interface LedgerCell {
  readonly chain: string;
  /** Records before the boundary. */
  readonly end: number;
  readonly arm: string;
  /** Round of the open book and the reply's number in its dialogue; missing in the closed book. */
  readonly round?: string;
  readonly turn?: number;
}

export interface Reserve extends LedgerCell {
  readonly row: "reserve";
  readonly reservation: string;
  readonly key: string;
  readonly purpose: ModelRequest["purpose"];
  /** The request body's digest (`measureBody`). */
  readonly request: string;
  /** Nano, or null where the price is unknown. */
  readonly reservedNano: string | null;
  readonly at: string;
}

export type Outcome =
  | {
      readonly row: "settle";
      readonly reservation: string;
      /** Nano, or null where usage or price is unknown: then the reservation is spent. */
      readonly costNano: string | null;
      readonly reply: ModelReply;
      readonly at: string;
    }
  /** Nobody can know whether it was billed: the reservation is spent. */
  | {
      readonly row: "settle";
      readonly reservation: string;
      readonly costNano: null;
      readonly lost: string;
      readonly at: string;
    }
  /** Refused before billing. `overflow`: the request does not fit, which is an answer and is not asked again. */
  | {
      readonly row: "release";
      readonly reservation: string;
      readonly reason: string;
      readonly overflow: boolean;
      readonly at: string;
    };

export type LedgerRow = Reserve | Outcome;

/** What the ledger knows about a request key. */
export type Known =
  | { readonly kind: "reply"; readonly reply: ModelReply }
  | { readonly kind: "overflow"; readonly reason: string };

export interface Ledger {
  known(key: string): Known | undefined;
  /** Writes a reservation down. Throws BudgetError, with nothing written, if spent and open money could then exceed the budget. */
  reserve(row: Reserve): void;
  /** Writes down what became of an open reservation. */
  close(row: Outcome): void;
  /** Settled costs, and reservations that stay spent. Nano. */
  spentNano(): bigint;
  openNano(): bigint;
  /** A number that no reservation of this file has had. */
  nextReservation(): number;
  rows(): readonly LedgerRow[];
  dispose(): void;
}

/** Rows of a ledger file and the byte length of its whole lines; a torn last line is no row. Throws ArtifactError for a broken line before the last. */
export function parseLedger(path: string, content: Buffer): { readonly rows: LedgerRow[]; readonly bytes: number } {
  const bytes = content.lastIndexOf(10) + 1;
  const lines = content.toString("utf8", 0, bytes).split("\n").slice(0, -1);
  const rows = lines.map((line, index) => {
    try {
      const row = JSON.parse(line) as Partial<LedgerRow> | null;
      if (typeof row?.row !== "string" || typeof row.reservation !== "string")
        throw new TypeError("no row of a ledger");
      return row as LedgerRow;
    } catch (cause) {
      throw new ArtifactError(
        path,
        `line ${index + 1} is no row of a ledger, so the money spent is not certain. Restore the file from a copy.`,
        { cause },
      );
    }
  });
  return { rows, bytes };
}

/** The number of a reservation, behind its last dot; 0 where it has none. */
const numberOf = (reservation: string): number => Number(/\.(\d+)$/.exec(reservation)?.[1] ?? 0);

const nano = (text: string | null): bigint => (text === null ? 0n : BigInt(text));

export interface LedgerOptions {
  /** @default no limit */
  readonly budgetNano?: bigint | undefined;
  /** Of the budget, for its message. */
  readonly currency?: string;
  /**
   * `power`: a row is on the disk when the call that wrote it returns. `process`: it is with the system, which outlives this
   * process but no power cut; enough where nothing is billed. @default "power"
   */
  readonly survives?: "power" | "process";
}

/** Whether a call was made that may have been billed at a price that nobody knows. */
function hasUnpriced(rows: readonly LedgerRow[]): boolean {
  const released = new Set(rows.flatMap((row) => (row.row === "release" ? [row.reservation] : [])));
  return rows.some((row) => row.row === "reserve" && row.reservedNano === null && !released.has(row.reservation));
}

/** Opens or creates the ledger at `path`. Throws UsageError for a budget on calls of an unknown price. */
export function openLedger(
  path: string,
  { budgetNano, currency = "", survives = "power" }: LedgerOptions = {},
): Ledger {
  const file = openSync(path, "a+");
  const { rows, bytes } = parseLedger(path, readFileSync(path));
  ftruncateSync(file, bytes);
  const known = new Map<string, Known>();
  const open = new Map<string, Reserve>();
  let spent = 0n;
  let reserved = 0n;

  const apply = (row: LedgerRow): void => {
    if (row.row === "reserve") {
      open.set(row.reservation, row);
      reserved += nano(row.reservedNano);
      return;
    }
    const reservation = open.get(row.reservation);
    if (reservation === undefined)
      throw new ArtifactError(path, `reservation "${row.reservation}" is closed without being open.`);
    open.delete(row.reservation);
    reserved -= nano(reservation.reservedNano);
    if (row.row === "settle") spent += row.costNano === null ? nano(reservation.reservedNano) : BigInt(row.costNano);
    if (row.row === "settle" && "reply" in row) known.set(reservation.key, { kind: "reply", reply: row.reply });
    if (row.row === "release" && row.overflow) known.set(reservation.key, { kind: "overflow", reason: row.reason });
  };
  for (const row of rows) apply(row);
  spent += reserved;
  reserved = 0n;
  if (budgetNano !== undefined && hasUnpriced(rows)) {
    closeSync(file);
    throw new UsageError(
      `${path}: has calls at an unknown price, so no budget can be kept. Run without --budget, or anew under another --name.`,
    );
  }
  const abandoned = [...open.keys()];
  for (const reservation of abandoned) open.delete(reservation);

  // Numbers have gaps: one that was taken may never have been written down.
  let reservations = rows.reduce((most, row) => Math.max(most, numberOf(row.reservation)), 0);
  let wholeBytes = bytes;

  const amount = (sum: bigint): string => `${decimalOf(sum)} ${currency}`.trimEnd();
  const append = (row: LedgerRow): void => {
    const line = Buffer.from(`${JSON.stringify(row)}\n`);
    try {
      for (let written = 0; written < line.length;) written += writeSync(file, line, written);
      if (survives === "power") fdatasyncSync(file);
    } catch (error) {
      // A torn row must not be in front of the next one.
      ftruncateSync(file, wholeBytes);
      throw error;
    }
    wholeBytes += line.length;
    rows.push(row);
    apply(row);
  };
  return {
    known: (key) => known.get(key),
    reserve: (row) => {
      const needed = nano(row.reservedNano);
      if (budgetNano !== undefined && spent + reserved + needed > budgetNano) {
        const left = budgetNano - spent - reserved;
        throw new BudgetError(
          `The next call may cost ${amount(needed)} but ${amount(left < 0n ? 0n : left)} is left. Raise --budget and run again; finished work is kept.`,
          needed,
          left,
        );
      }
      append(row);
    },
    close: append,
    spentNano: () => spent,
    openNano: () => reserved,
    nextReservation: () => ++reservations,
    rows: () => rows,
    dispose: () => closeSync(file),
  };
}

/** Calls and tokens of one arm, each settled key counted once. */
export interface Spending {
  readonly calls: number;
  /** Settled calls whose reply carried no usage; their tokens are in no sum. */
  readonly unknownUsage: number;
  readonly usage: Usage;
}

const noUsage: Usage = { freshInputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

/** Calls and usage of the settled keys that `belongs` accepts. A key that was settled again after a crash counts once. */
export function spending(rows: readonly LedgerRow[], belongs: (row: Reserve) => boolean): Spending {
  const reserves = new Map<string, Reserve>();
  const settled = new Map<string, Usage | undefined>();
  for (const row of rows) {
    if (row.row === "reserve") reserves.set(row.reservation, row);
    else if (row.row === "settle" && "reply" in row) {
      const reserve = reserves.get(row.reservation);
      if (reserve !== undefined && belongs(reserve)) settled.set(reserve.key, row.reply.usage);
    }
  }
  const known = [...settled.values()].filter((usage) => usage !== undefined);
  const usage = known.reduce<Usage>(
    (sum, one) => ({
      freshInputTokens: sum.freshInputTokens + one.freshInputTokens,
      cacheReadTokens: sum.cacheReadTokens + one.cacheReadTokens,
      cacheWriteTokens: sum.cacheWriteTokens + one.cacheWriteTokens,
      outputTokens: sum.outputTokens + one.outputTokens,
    }),
    noUsage,
  );
  return { calls: settled.size, unknownUsage: settled.size - known.length, usage };
}
