/** The quantities of tokens that decide when and how far a session is compacted. Source: futuregene/future-os, context budget. */
import type { FutureosOptions, SummarizedOptions } from "./options.ts";

/** `value`, or 0 where it is negative. */
export const saturated = (value: number): number => Math.max(0, value);

export interface Budget {
  /** Newest messages that a compaction leaves alone. */
  readonly keepTokens: number;
  /** What is kept free for estimates that are too low. */
  readonly marginTokens: number;
  /** What a request may cost, fixed tokens included. */
  readonly inputLimitTokens: number;
  /** The size of a request from which the automatic trigger compacts. */
  readonly triggerTokens: number;
}

/** Budget of a window and an output reservation, whole tokens. A window of at most 1 keeps nothing. */
export function budgetOf(
  windowTokens: number,
  outputReserveTokens: number,
  options: Pick<FutureosOptions, "recentTokens" | "marginTokens">,
): Budget {
  const thresholdTokens = Math.max(1, Math.floor((4 * windowTokens) / 5));
  const marginTokens = Math.min(options.marginTokens, Math.floor(windowTokens / 16));
  const inputLimitTokens = saturated(saturated(windowTokens - outputReserveTokens) - marginTokens);
  const degenerate = windowTokens <= 1;
  return {
    keepTokens: degenerate ? 0 : Math.max(1, Math.min(options.recentTokens, Math.floor(thresholdTokens / 4))),
    marginTokens,
    inputLimitTokens,
    triggerTokens: Math.min(degenerate ? windowTokens : thresholdTokens, inputLimitTokens),
  };
}

/** Room for index, header and summary: an eighth of the window, at least 1 and at most `capTokens`. */
export const slotOf = (windowTokens: number, capTokens: number): number =>
  Math.min(Math.max(Math.floor(windowTokens / 8), 1), capTokens);

/** What the history may cost at the very most: three quarters of what the fixed tokens leave of the input limit. */
export const expandedLimit = (inputLimitTokens: number, fixedTokens: number, maxExpandedTokens: number): number =>
  Math.min(maxExpandedTokens, Math.floor((saturated(inputLimitTokens - fixedTokens) * 3) / 4));

/** Length asked of the summary in this window. */
export const summaryReserve = (windowTokens: number, options: Pick<SummarizedOptions, "summaryTokens">): number =>
  Math.min(Math.floor(windowTokens / 16), options.summaryTokens);

/** What is left of a slot for the lines of the index. */
export const evidenceBudget = (
  slotTokens: number,
  noteTokens: number,
  summaryTokens: number,
  headerReserveTokens: number,
): number => saturated(saturated(saturated(slotTokens - noteTokens) - summaryTokens) - headerReserveTokens);
