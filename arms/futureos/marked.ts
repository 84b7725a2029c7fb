/** Messages with the two marks that the product keeps on them: an original kept from an earlier compaction, or a checkpoint. */
import type { Block, Message } from "../../harness/chain/message.ts";

export interface MarkedMessage {
  /** `journal`: as it was stored. `anchor`: kept text of a message that was compacted. `checkpoint`: an earlier compaction's. */
  readonly mark: "journal" | "anchor" | "checkpoint";
  readonly message: Message;
}

/** What stands around a checkpoint's text in its message. */
export const checkpointOpening = "[Context compaction:";
export const checkpointClosing = "]";

/** Whether a text has nothing but white space in it. Reads no further than its first other character. */
export const isBlank = (text: string): boolean => !/\S/.test(text);

/** The text of an earlier checkpoint, without what stands around it; undefined for any other message and for a blank one. */
export function internalSummary({ mark, message }: MarkedMessage): string | undefined {
  if (mark !== "checkpoint" || message.role !== "user") return undefined;
  for (const block of message.blocks) {
    if (block.kind !== "text") continue;
    if (!block.text.startsWith(checkpointOpening) || !block.text.endsWith(checkpointClosing)) continue;
    const inside = block.text.slice(checkpointOpening.length, -checkpointClosing.length).trim();
    return inside === "" ? undefined : inside;
  }
  return undefined;
}

const hasText = (block: Block): boolean => block.kind === "text" && !isBlank(block.text);
const originals = new WeakMap<Message, Message>();

/**
 * What survives of a message that is compacted: the non-blank texts of a user or assistant, and nothing else of it;
 * undefined where there is none. The same message object where nothing is left out, and the same one each time.
 */
export function protectedForm({ mark, message }: MarkedMessage): Message | undefined {
  if (message.role === "tool" || mark === "checkpoint") return undefined;
  const known = originals.get(message);
  if (known !== undefined) return known;
  const blocks = message.blocks.filter(hasText);
  if (blocks.length === 0) return undefined;
  const form = blocks.length === message.blocks.length ? message : { ...message, blocks };
  originals.set(message, form);
  return form;
}

/** Whether a compaction would take something away with this message: not an anchor, not a checkpoint, not blank. */
export function isCompactable(marked: MarkedMessage): boolean {
  if (marked.mark === "anchor" || internalSummary(marked) !== undefined) return false;
  return marked.message.blocks.some((block) =>
    block.kind === "text" || block.kind === "reasoning" ? !isBlank(block.text) : true,
  );
}
