/** Shortens the history that the summariser is shown. */
import type { Message } from "../../harness/chain/message.ts";
import { repairPairs } from "./pairs.ts";

/**
 * All messages where they cost at most `budgetTokens`; otherwise the first two and the longest run of newest ones that
 * still fits beside them, or the first two alone. Pairs are repaired in any case.
 *
 * Source: futuregene/future-os, summarized-evidence-v1.
 */
export function fit(
  messages: readonly Message[],
  budgetTokens: number,
  costOf: (message: Message) => number,
): Message[] {
  const costs = messages.map(costOf);
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  if (total <= budgetTokens) return repairPairs(messages);
  const first = Math.min(2, messages.length);
  let used = costs.slice(0, first).reduce((sum, cost) => sum + cost, 0);
  let start = messages.length;
  while (start > first) {
    const cost = costs[start - 1] ?? 0;
    if (used + cost > budgetTokens) break;
    used += cost;
    start--;
  }
  return repairPairs([...messages.slice(0, first), ...messages.slice(start)]);
}
