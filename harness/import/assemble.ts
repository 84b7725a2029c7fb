/** From entries to records: ids, positions, and every count of the report. */
import type { ChainRecord } from "../chain/record.ts";
import type { Entry, Piece } from "./entry.ts";
import { type Tally, tallyLeftOut, tallyRecord, tallySkipped } from "./tally.ts";

/**
 * The records of these entries, in order. A record's id says where it is in the file: `L12` for the first one of line 12,
 * then `L12.2`, `L12.3`. Texts and calls of one stored message share a position, every result has its own. A call
 * without an id is named after its place, and a result without one answers the oldest such call that is still open.
 * An entry counts as used where at least one record came out of it; else it is skipped for the reason of its first piece.
 */
export function* assemble(entries: Iterable<Entry>, tally: Tally): Generator<ChainRecord> {
  const name = callNamer(tally);
  let position = 0;
  let group: string | undefined;
  for (const entry of entries) {
    tally.entries.read++;
    if (entry.kind === "skipped") {
      tallySkipped(tally, entry.reason);
      continue;
    }
    let made = 0;
    let reason = "no content";
    for (const message of entry.messages) {
      let begun = false;
      for (const piece of message.pieces) {
        tally.pieces.read++;
        if (piece.kind === "left-out") {
          tallyLeftOut(tally, piece);
          if (reason === "no content") reason = `only ${piece.reason}`;
          continue;
        }
        if (!begun && (message.group === undefined || message.group !== group)) position++;
        begun = true;
        group = message.group;
        made++;
        if (piece.kind === "result") position++;
        const id = made === 1 ? entry.place : `${entry.place}.${made}`;
        const record = piece.kind === "record" ? piece.record : recordOf(piece, id, position, name);
        if (piece.kind === "result") position++;
        tallyRecord(tally, record);
        yield record;
      }
    }
    if (made > 0) tally.entries.used++;
    else tallySkipped(tally, reason);
  }
}

function recordOf(
  piece: Extract<Piece, { kind: "text" | "call" | "result" }>,
  id: string,
  position: number,
  name: ReturnType<typeof callNamer>,
): ChainRecord {
  switch (piece.kind) {
    case "text":
      return { id, position, kind: "text", role: piece.role, text: piece.text };
    case "call": {
      const tool = piece.tool === "" ? "unnamed" : piece.tool;
      return {
        id,
        position,
        kind: "tool_call",
        role: "assistant",
        call: name.call(piece.call, id),
        tool,
        args: piece.args,
      };
    }
    case "result":
      return {
        id,
        position,
        kind: "tool_result",
        role: "tool",
        call: name.result(piece.call, id),
        text: piece.text,
        ...(piece.error && { error: true }),
      };
  }
}

/** Names for calls that have none in the file. */
function callNamer(tally: Tally) {
  const open: string[] = [];
  return {
    call(call: string | undefined, id: string): string {
      if (call !== undefined && call !== "") return call;
      tally.callsWithoutId++;
      open.push(id);
      return id;
    },
    result: (call: string | undefined, id: string): string =>
      call !== undefined && call !== "" ? call : (open.shift() ?? id),
  };
}
