/**
 * What a compaction leaves in OpenCode's storage, and the context that is read from it. Nothing is deleted: a compaction
 * appends a pair (its question as a user message, its summary as an assistant message) and remembers where the kept tail
 * begins. The context puts the newest pair first and then everything from that tail on, older pairs in place.
 *
 * Source: anomalyco/opencode 1.18.31, captured, the stale pairs included.
 */
import { type SpokenJournal, type StoredMessage, storedMessages } from "./stored.ts";

/** A completed compaction. Its summary is "" where the reply was empty. */
export type Pair = { readonly kind: "pair"; readonly id: string; readonly summary: string };
/** The text by which an automatic compaction sends the session on. */
export type Continue = { readonly kind: "continue"; readonly id: string };

/** Stored things in storage order, journal messages as index ranges. */
export type Entry = { readonly kind: "journal"; readonly from: number; readonly to: number } | Pair | Continue;

/** Storage from the kept tail on; it holds the newest pair and the older ones that stand in the tail. */
export type OpenCodeState = { readonly storage: readonly Entry[] };

export type Item = StoredMessage | Pair | Continue;

/** Storage up to now, in storage order. */
export function storedItems(
  state: OpenCodeState | undefined,
  journal: SpokenJournal,
  freshMessages: number,
): readonly Item[] {
  const end = journal.at.length;
  const entries: Entry[] = [...(state?.storage ?? []), { kind: "journal", from: end - freshMessages, to: end }];
  return entries.flatMap((entry): Item[] =>
    entry.kind === "journal" ? storedMessages(journal, entry.from, entry.to) : [entry],
  );
}

/** The reverse of `storedItems`. */
export function stateOf(items: readonly Item[]): OpenCodeState {
  const storage: Entry[] = [];
  for (const item of items) {
    const last = storage.at(-1);
    if (item.kind === "pair" || item.kind === "continue") storage.push(item);
    else if (last?.kind === "journal") storage[storage.length - 1] = { ...last, to: item.to };
    else storage.push({ kind: "journal", from: item.from, to: item.to });
  }
  return { storage };
}

const pairsOf = (items: readonly Item[]): Pair[] => items.filter((item) => item.kind === "pair");

/** The context of the next request: the newest pair, then the rest in storage order. */
export function inContextOrder(items: readonly Item[]): readonly Item[] {
  const newest = pairsOf(items).at(-1);
  return newest === undefined ? items : [newest, ...items.filter((item) => item !== newest)];
}

/**
 * The summary that the next compaction is shown, or undefined for none: that of the last pair in context order. The newest
 * pair stands first there, so with a stale pair in the tail it is the stale summary. The product behaves so.
 */
export function priorSummary(items: readonly Item[]): string | undefined {
  const [newest, ...stale] = pairsOf(inContextOrder(items));
  const prior = (stale.at(-1) ?? newest)?.summary.trim();
  return prior === "" ? undefined : prior;
}
