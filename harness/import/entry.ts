/**
 * What a reader makes of a session file. An entry is what the file counts by: a line of JSONL, a message of a document.
 * Every entry is either skipped for one named reason or holds pieces; nothing is left out of the list.
 */
import type { ChainRecord } from "../chain/record.ts";
import type { JsonObject } from "../json.ts";

/** `raw`: everything, as if never compacted, where the file still has it. `live`: what the agent last saw. */
export type History = "raw" | "live";
export const histories = ["raw", "live"] as const satisfies readonly History[];

/** One piece of content of a stored message. All but the left-out ones become records. */
export type Piece =
  | { readonly kind: "text"; readonly role: "user" | "assistant"; readonly text: string }
  /** `call` is undefined where the file gives no id. */
  | { readonly kind: "call"; readonly call: string | undefined; readonly tool: string; readonly args: JsonObject }
  | { readonly kind: "result"; readonly call: string | undefined; readonly text: string; readonly error: boolean }
  /** A record in this project's own format, taken as it is. */
  | { readonly kind: "record"; readonly record: ChainRecord }
  | LeftOut;

export interface LeftOut {
  readonly kind: "left-out";
  /** `image` and `opaque` have counts of their own in the report. */
  readonly what: "image" | "reasoning" | "opaque" | "other";
  readonly reason: string;
  /** Of the text, or of the encrypted or encoded data. */
  readonly characters: number;
}

export const leftOut = (what: LeftOut["what"], reason: string, characters: number): LeftOut => ({
  kind: "left-out",
  what,
  reason,
  characters,
});

/** Pieces of one stored message. */
export interface StoredMessage {
  /** Neighbours with the same group are one stored message; without one it stands alone. */
  readonly group?: string | undefined;
  readonly pieces: readonly Piece[];
}

export type Entry =
  | { readonly kind: "skipped"; readonly reason: string }
  | {
      readonly kind: "stored";
      /** Where it is in the file, unique among its entries: `L12` is line 12, `M3` message 3. Record ids begin with it. */
      readonly place: string;
      readonly messages: readonly StoredMessage[];
    };

export const skipped = (reason: string): Entry => ({ kind: "skipped", reason });

/** An entry that holds one stored message. */
export const stored = (place: string, pieces: readonly Piece[], group?: string): Entry => ({
  kind: "stored",
  place,
  messages: [{ group, pieces }],
});

/** A name out of a file as part of a reason: short, on one line, so that a report stays readable whatever a file says. */
export const named = (kind: string, name: unknown): string => {
  const text = typeof name === "string" ? name : (JSON.stringify(name) ?? "nothing");
  return `${kind} ${JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)}`;
};
