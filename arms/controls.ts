/**
 * The three controls: everything kept, the newest stretch kept, nothing kept. They bound what any arm can reach.
 *
 * A control is defined by what it keeps, so it has no trigger of its own: it compacts at every boundary, under `automatic`
 * as under `forced`, always from the journal alone, and its state is null.
 */
import { defineArm, type Estimator, type ProjectedMessage, verbatim } from "../harness/arm.ts";
import { type Message, paired } from "../harness/chain/message.ts";

const compacted = (projection: readonly ProjectedMessage[]) =>
  ({ kind: "compacted", projection, state: null }) as const;

/**
 * Nothing removed but what no provider accepts (see `paired`). Labelled `original`: it is text kept from the journal, and
 * an end needs something in front of it that went.
 */
export const full = defineArm({
  id: "full",
  title: "No compaction",
  source: { kind: "control" },
  options: {},
  compact: ({ journal }) => Promise.resolve(compacted(paired(journal).map((message) => verbatim("original", message)))),
});

/** Nothing kept: what a model confirms here it guessed. */
export const empty = defineArm({
  id: "empty",
  title: "Nothing kept",
  source: { kind: "control" },
  options: {},
  compact: () => Promise.resolve(compacted([])),
});

/** The newest messages up to a number of estimated tokens, cut only between units; nothing where the last unit alone is larger. */
export const recent = defineArm({
  id: "recent",
  title: "Newest 8,000 tokens",
  source: { kind: "control" },
  options: { keepTokens: 8_000 },
  compact: ({ journal }, { options, estimate }) => {
    const history = paired(journal);
    const tail = history.slice(tailStart(history, options.keepTokens, estimate));
    return Promise.resolve(compacted(tail.map((message) => verbatim("tail", message))));
  },
});

/**
 * Where the longest end of a paired history begins that costs at most `keepTokens` and starts with no result, so that no
 * call is split from its results. The history's length where not even the last unit (a message and its results) fits.
 */
function tailStart(history: readonly Message[], keepTokens: number, estimate: Estimator): number {
  let start = history.length;
  let used = 0;
  for (let index = history.length - 1; index >= 0; index--) {
    const message = history[index] as Message;
    used += estimate.message(message);
    if (used > keepTokens) break;
    if (message.role !== "tool") start = index;
  }
  return start;
}
