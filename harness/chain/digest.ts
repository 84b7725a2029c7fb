/** What identifies a chain: its records as JSON lines and its cuts, hashed. */
import { createHash } from "node:crypto";
import { toMessages } from "./message.ts";
import type { Chain, ChainRecord } from "./record.ts";
import { renderedTokens } from "./render.ts";

/**
 * A record as one line of JSON, without the line end. Keys come in the order of the record format, whatever order the
 * record was built in; lone surrogates are escaped, so the line is well-formed UTF-8.
 */
export function recordLine(record: ChainRecord): string {
  const { id, order, position, kind, role } = record;
  const head = { id, order, position, kind, role };
  switch (record.kind) {
    case "text":
      return JSON.stringify({ ...head, text: record.text });
    case "tool_call":
      return JSON.stringify({ ...head, call: record.call, tool: record.tool, args: record.args, path: record.path });
    case "tool_result":
      return JSON.stringify({ ...head, call: record.call, text: record.text, error: record.error, path: record.path });
  }
}

/**
 * SHA-256, in hex, of the chain's records as JSON lines and one last line `{"cuts":[…]}` with the cuts as they were
 * given. Name and group do not count: a chain that was written to a file and read again has the same digest.
 */
export function chainDigest(chain: Chain): string {
  const hash = createHash("sha256");
  for (const record of chain.records) hash.update(recordLine(record)).update("\n");
  return hash.update(`${JSON.stringify({ cuts: chain.cuts.ends })}\n`).digest("hex");
}

/** A chain in one line of a table. */
export interface ChainDescription {
  readonly name: string;
  readonly records: number;
  /** Code points of all texts and results. */
  readonly characters: number;
  /** Of the raw history, rendered as every size in a report is. */
  readonly estimatedTokens: number;
  readonly sha256: string;
}

/** Counts, size and digest of a chain. */
export const describeChain = (chain: Chain): ChainDescription => ({
  name: chain.name,
  records: chain.records.length,
  characters: chain.records.reduce(
    (sum, record) => sum + (record.kind === "tool_call" ? 0 : codePoints(record.text)),
    0,
  ),
  estimatedTokens: renderedTokens(toMessages(chain.records)),
  sha256: chainDigest(chain),
});

function codePoints(text: string): number {
  if (Buffer.byteLength(text) === text.length) return text.length;
  let pairs = 0;
  for (let index = 1; index < text.length; index++)
    if (isUnit(text, index, 0xdc00) && isUnit(text, index - 1, 0xd800)) pairs++;
  return text.length - pairs;
}

/** Whether the unit at `index` is one of the 1,024 surrogates from `first`. */
const isUnit = (text: string, index: number, first: number): boolean => (text.charCodeAt(index) & 0xfc00) === first;
