/** What a part of a ledger cost. */
import type { LedgerRow, Reserve } from "../models/ledger.ts";

const nano = (text: string | null): bigint => (text === null ? 0n : BigInt(text));

/** What the attempts that `belongs` accepts count as spent, in nano: their costs, and reservations that nobody settled or whose cost nobody knows. */
export function spentNano(rows: readonly LedgerRow[], belongs: (row: Reserve) => boolean): bigint {
  const open = new Map<string, Reserve>();
  let spent = 0n;
  for (const row of rows) {
    if (row.row === "reserve") {
      if (belongs(row)) open.set(row.reservation, row);
      continue;
    }
    const reserve = open.get(row.reservation);
    if (reserve === undefined) continue;
    open.delete(row.reservation);
    if (row.row === "settle") spent += row.costNano === null ? nano(reserve.reservedNano) : BigInt(row.costNano);
  }
  for (const { reservedNano } of open.values()) spent += nano(reservedNano);
  return spent;
}
