/** Counts of an import while it goes on. Memory: the open call ids, and a number for each distinct reason and model. */
import { toMessages } from "../chain/message.ts";
import { type ChainRecord, orderKey } from "../chain/record.ts";
import { renderMessage } from "../chain/render.ts";
import { quarterTokens, tokensOfQuarters } from "../chain/tokens.ts";
import type { LeftOut } from "./entry.ts";

/** A number for each name. */
export type Counts = Map<string, number>;

export const add = (counts: Counts, name: string, count = 1): void => {
  counts.set(name, (counts.get(name) ?? 0) + count);
};

/** Distinct reasons and models counted at most; a file that makes up more has the rest counted as one. */
const maxNames = 100;

/** The name to count under: the rest's where the names known are already many. */
export const boundedName = (known: ReadonlyMap<string, unknown>, name: string, rest: string): string =>
  known.size < maxNames || known.has(name) ? name : rest;

const recordKinds = ["user text", "assistant text", "tool call", "tool result"] as const;
export type RecordKind = (typeof recordKinds)[number];

const kindOf = (record: ChainRecord): RecordKind => {
  switch (record.kind) {
    case "text":
      return record.role === "user" ? "user text" : "assistant text";
    case "tool_call":
      return "tool call";
    case "tool_result":
      return "tool result";
  }
};

export interface KindCounts {
  records: number;
  characters: number;
}

/** Everything counted about entries, pieces and records. */
export interface Tally {
  entries: { read: number; used: number; readonly skipped: Counts };
  pieces: { read: number; readonly leftOut: Map<string, KindCounts> };
  readonly kinds: Readonly<Record<RecordKind, KindCounts>>;
  readonly openCalls: Counts;
  orphanResults: number;
  callsWithoutId: number;
  images: number;
  reasoning: KindCounts;
  opaque: KindCounts;
  replacementCharacters: number;
  /** Quarter-tokens of the flat rendering so far. */
  quarters: number;
  messages: number;
  /** Records of the stored message that is still growing. */
  growing: ChainRecord[];
  records: number;
}

const none = (): KindCounts => ({ records: 0, characters: 0 });

export const emptyTally = (): Tally => ({
  entries: { read: 0, used: 0, skipped: new Map() },
  pieces: { read: 0, leftOut: new Map() },
  kinds: { "user text": none(), "assistant text": none(), "tool call": none(), "tool result": none() },
  openCalls: new Map(),
  orphanResults: 0,
  callsWithoutId: 0,
  images: 0,
  reasoning: none(),
  opaque: none(),
  replacementCharacters: 0,
  quarters: 0,
  messages: 0,
  growing: [],
  records: 0,
});

/** Counts an entry that becomes no record. */
export function tallySkipped(tally: Tally, reason: string): void {
  add(tally.entries.skipped, boundedName(tally.entries.skipped, reason, "another reason"));
}

/** Counts content that becomes no record. */
export function tallyLeftOut(tally: Tally, { what, reason: given, characters }: LeftOut): void {
  const reason = boundedName(tally.pieces.leftOut, given, "another reason");
  const counts = tally.pieces.leftOut.get(reason) ?? none();
  counts.records++;
  counts.characters += characters;
  tally.pieces.leftOut.set(reason, counts);
  if (what === "image") tally.images++;
  if (what === "opaque" || what === "reasoning") {
    tally[what].records++;
    tally[what].characters += characters;
  }
}

/** Counts a record, in the order of the chain. */
export function tallyRecord(tally: Tally, record: ChainRecord): void {
  const text = record.kind === "tool_call" ? "" : record.text;
  const counts = tally.kinds[kindOf(record)];
  counts.records++;
  counts.characters += record.kind === "tool_call" ? JSON.stringify(record.args ?? {}).length : text.length;
  tally.replacementCharacters += occurrencesOf(text, "\ufffd");
  if (record.kind === "tool_call") add(tally.openCalls, record.call);
  else if (record.kind === "tool_result") {
    const open = tally.openCalls.get(record.call) ?? 0;
    if (open === 0) tally.orphanResults++;
    else if (open === 1) tally.openCalls.delete(record.call);
    else tally.openCalls.set(record.call, open - 1);
  }
  const last = tally.growing.at(-1);
  if (last !== undefined && orderKey(last, tally.records - 1) !== orderKey(record, tally.records)) closeMessage(tally);
  tally.growing.push(record);
  tally.records++;
}

/** Adds the size of the stored message that has just ended. */
function closeMessage(tally: Tally): void {
  for (const message of toMessages(tally.growing)) {
    tally.quarters += quarterTokens(renderMessage(message)) + (tally.messages === 0 ? 0 : 2);
    tally.messages++;
  }
  tally.growing = [];
}

/** Estimated tokens of all records as a raw history: what every table of a run prints for them. */
export function tallyTokens(tally: Tally): number {
  closeMessage(tally);
  return tokensOfQuarters(tally.quarters);
}

function occurrencesOf(text: string, value: string): number {
  let count = 0;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) count++;
  return count;
}
