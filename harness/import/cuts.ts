/** Scored cuts of a session that is read record by record: what safe endpoints depend on is remembered as numbers. */
import { safeAfter } from "../chain/boundaries.ts";
import { type ChainRecord, orderKey } from "../chain/record.ts";
import { intColumn, numbering } from "./columns.ts";

export interface CutFinder {
  /** Takes the next record of the chain. */
  add(record: ChainRecord): void;
  /** 40, 70 and 100 % of the records, each moved back to a safe endpoint; what is then 0 or not above the cut before is left out. */
  cuts(): number[];
}

const shares = [0.4, 0.7, 1];

export function cutFinder(): CutFinder {
  const kinds: ChainRecord["kind"][] = [];
  const calls = intColumn();
  const messages = intColumn();
  const callNumbers = numbering();
  const callNames: string[] = [];
  let key: number | undefined;
  let message = 0;

  /** A record without its text, under the call id that the whole one has: as much of it as safe endpoints depend on. */
  const bare = (kind: ChainRecord["kind"], index: number): ChainRecord => {
    const position = messages.at(index);
    const call = callNames[calls.at(index)] ?? "";
    if (kind === "text") return { id: "", position, kind, role: "user", text: "" };
    return kind === "tool_call"
      ? { id: "", position, kind, role: "assistant", call }
      : { id: "", position, kind, role: "tool", call, text: "" };
  };

  return {
    add(record) {
      const order = orderKey(record, kinds.length);
      if (order !== key) message++;
      key = order;
      messages.push(message);
      kinds.push(record.kind);
      const number = record.kind === "text" ? -1 : callNumbers.of(record.call);
      if (record.kind !== "text" && number === callNames.length) callNames.push(record.call);
      calls.push(number);
    },
    cuts() {
      const safe = safeAfter(kinds.map(bare));
      const ends: number[] = [];
      for (const share of shares) {
        let end = Math.floor(kinds.length * share);
        while (end > 0 && !safe[end - 1]) end--;
        if (end > (ends.at(-1) ?? 0)) ends.push(end);
      }
      return ends;
    },
  };
}
