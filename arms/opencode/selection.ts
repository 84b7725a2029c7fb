/** Which end of a history OpenCode keeps as it is. */
import { addSizes, type Size, sizeTokens } from "./size.ts";

/** What the selection needs to know of one stored message. */
export interface Sized {
  /** Whether a turn begins with it: a user message does, a compaction's question does not. */
  readonly opensTurn: boolean;
  size(): Size;
}

/**
 * Index at which the kept tail begins, or undefined where nothing is kept and all of it is summarised. Turns are kept
 * whole from the newest back while each fits what is left of the budget; of the first that does not, its longest end
 * without its user message stays if it fits. A tail that would hold everything is no tail.
 *
 * Source: anomalyco/opencode 1.18.31, captured. One pass, and nothing before the first misfit is measured.
 */
export function tailStart(
  history: readonly Sized[],
  budgetTokens: number,
  maxTurns: number | null,
): number | undefined {
  const firstTurn = history.findIndex(({ opensTurn }) => opensTurn);
  if (firstTurn < 0 || maxTurns === 0) return undefined;
  let leftTokens = budgetTokens;
  let start = history.length;
  let turns = 0;
  let turn: Size = { chars: 0, messages: 0 };
  for (let index = history.length - 1; index >= firstTurn; index--) {
    const message = history[index] as Sized;
    const grown = addSizes(message.size(), turn);
    if (sizeTokens(grown) > leftTokens) {
      start = index + 1;
      break;
    }
    turn = grown;
    if (!message.opensTurn) continue;
    leftTokens -= sizeTokens(turn);
    start = index;
    turn = { chars: 0, messages: 0 };
    if (++turns === maxTurns) break;
  }
  return start === 0 || start === history.length ? undefined : start;
}
