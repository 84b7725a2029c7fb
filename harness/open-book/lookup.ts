/** A lookup: what an interface lets a model read of a session's history, and how what it read is rendered and bounded. */
import type { Message } from "../chain/message.ts";
import type { JsonObject } from "../json.ts";
import type { ToolDefinition } from "../models/model.ts";

/** A stretch of the history. Only `text` comes out of the history; whatever else a model reads of a result does not. */
export interface Piece {
  /** A bracketed line that says where the text stands; "" where the text says so itself. */
  readonly head: string;
  readonly text: string;
}

/** Why a lookup showed nothing, as reports count it. */
export const refusals = [
  /** A tool that the request does not define. */
  "not given",
  /** A tool of the session's own: declared as in production, but nothing can be run here. */
  "not runnable",
  "broken arguments",
  /** Arguments that fit the definition and name nothing that exists. */
  "out of range",
  /** The sheet's allowance of bytes is used up. */
  "allowance",
] as const;
export type Refusal = (typeof refusals)[number];

/** What a lookup showed: pieces of the history, and a last line about what it did not show. */
export interface Served {
  readonly kind: "served";
  readonly pieces: readonly Piece[];
  /** "" where there is nothing to add. */
  readonly note: string;
  /** Set where the sheet's allowance cut it short. */
  readonly cut?: true;
}

export type LookupResult =
  | Served
  /** `message` is the tool error that the model reads. */
  | { readonly kind: "refused"; readonly why: Refusal; readonly message: string };

export const refuse = (why: Refusal, message: string): LookupResult => ({ kind: "refused", why, message });

/** What a design offers for looking back. */
export interface Interface {
  readonly id: string;
  readonly title: string;
  readonly tools: readonly ToolDefinition[];
  /** A paragraph about the tools for the system prompt. */
  readonly guide: string;
  /** What a call was looking for, as text; undefined for one that reads a known place. */
  aim(tool: string, args: JsonObject): string | undefined;
  /** The lookups at one boundary: nothing after it can be seen through them. Pure; equal calls get equal results. */
  open(history: OpenHistory): Lookups;
}

/** What lookups at a boundary may see. */
export interface OpenHistory {
  /** Messages before the boundary. */
  readonly journal: readonly Message[];
  /** Journal lengths at which the arm had compacted so far, increasing. */
  readonly compactedAt: readonly number[];
}

export interface Lookups {
  /** Serves one call of one of the interface's tools. */
  serve(tool: string, args: JsonObject): LookupResult;
}

/** The text of a result, as the model reads it. */
export function resultText(result: LookupResult): string {
  if (result.kind === "refused") return result.message;
  const parts = result.pieces.map(({ head, text }) => (head === "" ? text : `${head}\n${text}`));
  return [...parts, ...(result.note === "" ? [] : [result.note])].join("\n\n");
}

export const resultBytes = (result: LookupResult): number =>
  result.kind === "refused" ? 0 : Buffer.byteLength(resultText(result));

const cutNote = "(Cut here: the reading allowance of this check is used up.)";
const usedUp = "The reading allowance of this check is used up. Answer from what you have.";

/** A result within `leftBytes`: whole pieces as far as they fit, the next one cut between code points, or a refusal where nothing fits. */
export function withinAllowance(result: LookupResult, leftBytes: number): LookupResult {
  if (result.kind === "refused" || resultBytes(result) <= leftBytes) return result;
  const pieces: Piece[] = [];
  let left = leftBytes - Buffer.byteLength(cutNote);
  for (const { head, text } of result.pieces) {
    const textBytes = left - Buffer.byteLength(`${head}\n\n\n`);
    const kept = cutToBytes(text, textBytes);
    if (kept === "") break;
    pieces.push({ head, text: kept });
    if (kept !== text) break;
    left = textBytes - Buffer.byteLength(text);
  }
  return pieces.length === 0 ? refuse("allowance", usedUp) : { kind: "served", pieces, note: cutNote, cut: true };
}

/** The longest beginning of a text that takes at most so many bytes of UTF-8, never through a code point. */
function cutToBytes(text: string, maxBytes: number): string {
  if (maxBytes <= 0) return "";
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
