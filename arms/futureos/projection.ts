/** The history that a session's next request carries. Source: futuregene/future-os, projection. */
import { type ProjectedMessage, verbatim } from "../../harness/arm.ts";
import type { Message } from "../../harness/chain/message.ts";
import { type Checkpoint, checkpointMessage } from "./checkpoint.ts";
import { isBlank, type MarkedMessage, protectedForm } from "./marked.ts";
import { repairPairs } from "./pairs.ts";

/**
 * The raw history without a checkpoint; with one, the originals that it protects, its message, and what came after its
 * cutoff. Where the cutoff is not found, everything came after it. Linear.
 *
 * Beyond upstream, a result that came after the cutoff is dropped where its call was removed (a cutoff between parallel results).
 */
export function project(raw: readonly Message[], checkpoint: Checkpoint | undefined): MarkedMessage[] {
  if (checkpoint === undefined) return raw.map((message) => ({ mark: "journal", message }));
  const tailStart = raw.findIndex(({ id }) => id === checkpoint.cutoff_entry_id) + 1;
  const isProtected = new Set(checkpoint.protected_entry_ids);
  const projected: MarkedMessage[] = [];
  for (const message of raw.slice(0, tailStart)) {
    const form = isProtected.has(message.id) ? protectedForm({ mark: "journal", message }) : undefined;
    if (form !== undefined) projected.push({ mark: "anchor", message: form });
  }
  if (!isBlank(checkpoint.summary)) {
    const { message } = checkpointMessage(checkpoint.entry_id, checkpoint.summary);
    projected.push({ mark: "checkpoint", message });
  }
  for (const message of repairPairs(raw.slice(tailStart))) projected.push({ mark: "journal", message });
  return projected;
}

/** The messages with their spans: anchors are originals, a checkpoint is `checkpoint`'s, the rest is the untouched end. */
export const withSpans = (
  messages: readonly MarkedMessage[],
  checkpoint: Pick<Checkpoint, "entry_id" | "summary"> | undefined,
): ProjectedMessage[] =>
  messages.map(({ mark, message }) => {
    if (mark === "checkpoint" && checkpoint !== undefined)
      return checkpointMessage(checkpoint.entry_id, checkpoint.summary);
    return verbatim(mark === "anchor" ? "original" : "tail", message);
  });
