/** Looking into a journal by text and by entry id: what a projection leaves out stays findable, as with the product's own history command. */
import { type Block, type Message, readableBlock } from "../chain/message.ts";
import { type ChainRecord, orderKey } from "../chain/record.ts";

/** One place where a searched text stands. */
export interface Hit {
  /** Id of the journal entry. */
  readonly entry: string;
  readonly kind: Block["kind"];
  readonly role: Message["role"];
  /** Where the match starts in the entry's text, in characters (UTF-16 units). */
  readonly offset: number;
  /** The match with some text on both sides, on one line. */
  readonly excerpt: string;
}

/** An entry's text as `get` prints it: its blocks, joined by newline. */
export const entryText = (message: Message): string => message.blocks.map(readableBlock).join("\n");

/**
 * The journal entry that a record became part of: several records of one stored message share the entry of the first
 * that is no result. Undefined where the chain has no such record.
 */
export function entryIdOf(records: readonly ChainRecord[], recordId: string): string | undefined {
  const at = records.findIndex(({ id }) => id === recordId);
  const record = records[at];
  if (record === undefined || record.kind === "tool_result") return record?.id;
  const key = orderKey(record, at);
  let entry = record.id;
  for (let index = at - 1; index >= 0; index--) {
    const before = records[index] as ChainRecord;
    if (orderKey(before, index) !== key) break;
    if (before.kind !== "tool_result") entry = before.id;
  }
  return entry;
}

/** At most `limit` hits, newest entries first, one a block: the first match in it. Letter case does not matter. */
export function searchJournal(journal: readonly Message[], text: string, limit: number, sideChars = 60): Hit[] {
  const wanted = new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), "iu");
  const hits: Hit[] = [];
  for (let index = journal.length - 1; index >= 0 && hits.length < limit; index--) {
    const message = journal[index] as Message;
    let before = 0;
    for (const block of message.blocks) {
      const body = readableBlock(block);
      const match = wanted.exec(body);
      if (match !== null && hits.length < limit)
        hits.push({
          entry: message.id,
          kind: block.kind,
          role: message.role,
          offset: before + match.index,
          excerpt: excerptOf(body, match.index, match[0].length, sideChars),
        });
      before += body.length + 1;
    }
  }
  return hits;
}

function excerptOf(body: string, at: number, length: number, sideChars: number): string {
  const from = Math.max(0, at - sideChars);
  const to = Math.min(body.length, at + length + sideChars);
  const inside = body.slice(from, to).toWellFormed().replaceAll(/\s+/gu, " ");
  return `${from > 0 ? "…" : ""}${inside}${to < body.length ? "…" : ""}`;
}
