/** The evidence index: one line a tool result, within a budget of tokens. */
import type { Estimator } from "../../harness/arm.ts";
import type { Message } from "../../harness/chain/message.ts";
import { byPriority, type Candidate, candidatesOf } from "./candidates.ts";
import { headOf, isLonger, tailOf } from "./excerpt.ts";
import type { FutureosOptions, RowLimits } from "./options.ts";
import { noteLine } from "./prompt.ts";
import { budgetExceeded } from "./refusals.ts";

export interface EvidenceIndex {
  readonly text: string;
  readonly rows: number;
  /** Rows among them with the small limits. */
  readonly smallRows: number;
}

/**
 * The index of `covered`, the raw history up to and with the cutoff: the cutoff's line, the user's note, and as many
 * rows as fit in `budgetTokens`. Throws CompactionRefusedError where not even the first lines fit.
 *
 * Source: futuregene/future-os, evidence index. Linear in the number of results; of a body it reads what it shows.
 */
export function evidenceIndex(
  covered: readonly Message[],
  cutoffId: string,
  note: string | undefined,
  budgetTokens: number,
  options: Pick<FutureosOptions, "normalRow" | "smallRow" | "rowRoomTokens" | "entryIdCodePoints">,
  estimate: Estimator,
): EvidenceIndex {
  const lines = [`Coverage cutoff: ${JSON.stringify(cutoffId)}`, ...(note === undefined ? [] : [noteLine(note)])];
  let text = lines.join("\n");
  let room = budgetTokens - estimate.text(text);
  let rows = 0;
  let smallRows = 0;
  for (const candidate of byPriority(candidatesOf(covered, options.entryIdCodePoints))) {
    if (room < options.rowRoomTokens) break;
    const fits = (row: string): boolean => estimate.text(row) + 2 <= room;
    const normal = rowOf(candidate, options.normalRow);
    const isSmall = !fits(normal);
    const row = isSmall ? rowOf(candidate, options.smallRow) : normal;
    if (isSmall && !fits(row)) continue;
    text += `\n${row}`;
    room = budgetTokens - estimate.text(text);
    rows++;
    if (isSmall) smallRows++;
  }
  if (room < 0)
    throw budgetExceeded(`The evidence index may take ${budgetTokens} tokens and needs ${budgetTokens - room}`);
  return { text, rows, smallRows };
}

/** One result as compact JSON. A body of at most head and tail together is shown whole. */
export function rowOf(candidate: Candidate, limits: RowLimits): string {
  const { headCodePoints, tailCodePoints, metadataCodePoints } = limits;
  const middleOmitted = isLonger(candidate.body, headCodePoints + tailCodePoints);
  const shown = (text: string | null): string | null => (text === null ? null : clipped(text, metadataCodePoints));
  return JSON.stringify({
    entryId: candidate.entryId,
    blockIndex: candidate.blockIndex,
    sourceOrder: candidate.sourceOrder,
    toolCallId: shown(candidate.call),
    tool: shown(candidate.tool),
    target: shown(candidate.target),
    isError: candidate.error,
    head: middleOmitted ? headOf(candidate.body, headCodePoints) : candidate.body,
    tail: middleOmitted ? tailOf(candidate.body, tailCodePoints) : "",
    middleOmitted,
  });
}

const clipped = (text: string, codePoints: number): string =>
  isLonger(text, codePoints) ? `${headOf(text, codePoints)}… [metadata truncated]` : text;
