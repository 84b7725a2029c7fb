/** Where a compaction divides a history: everything before the cut is removed, the rest is kept as it is. */
import { internalSummary, type MarkedMessage } from "./marked.ts";

/**
 * Index of the oldest message to keep, by whole user turns of at most `keepTokens` together; the length of the history
 * to keep none; undefined where no cut exists. `costs` are those of the messages; `manual` allows to keep none. Linear.
 *
 * Source: futuregene/future-os, turn-aware cut.
 */
export function turnAwareCut(
  messages: readonly MarkedMessage[],
  costs: readonly number[],
  keepTokens: number,
  manual: boolean,
): number | undefined {
  const starts = messages.flatMap((marked, index) => (startsTurn(marked) ? [index] : []));
  const first = starts[0];
  if (first === undefined) {
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    return manual && total <= keepTokens ? messages.length : fallbackCut(messages, costs, keepTokens);
  }
  let accepted: number | undefined;
  let used = 0;
  let end = messages.length;
  for (let turn = starts.length - 1; turn >= 0; turn--) {
    const start = starts[turn] ?? 0;
    for (let index = start; index < end; index++) used += costs[index] ?? 0;
    if (used > keepTokens) break;
    accepted = start;
    end = start;
  }
  if (accepted === first && manual) return messages.length;
  return accepted === undefined || accepted === 0 ? fallbackCut(messages, costs, keepTokens) : accepted;
}

const startsTurn = (marked: MarkedMessage): boolean =>
  marked.message.role === "user" && marked.mark !== "anchor" && internalSummary(marked) === undefined;

/**
 * The cut by messages instead of turns: the newest ones of at most `keepTokens`, the last in any case, from the
 * assistant message on whose results they begin with. Undefined where nothing would be removed or nothing kept.
 *
 * Source: futuregene/future-os, fallback cut.
 */
export function fallbackCut(
  messages: readonly MarkedMessage[],
  costs: readonly number[],
  keepTokens: number,
): number | undefined {
  if (messages.length < 2) return undefined;
  let cut = messages.length - 1;
  let used = costs[cut] ?? 0;
  while (cut > 0 && used + (costs[cut - 1] ?? 0) <= keepTokens) {
    cut--;
    used += costs[cut] ?? 0;
  }
  if (cut === 0) cut = 1;
  while (messages[cut]?.message.role === "tool") cut--;
  return cut > 0 && cut < messages.length ? cut : undefined;
}
