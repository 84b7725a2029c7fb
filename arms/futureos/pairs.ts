/** Makes a shortened history one that a provider accepts. */
import type { Message } from "../../harness/chain/message.ts";

/**
 * The messages without calls that have no result anywhere in the list, without results that have no call, and without
 * messages that this leaves empty. The same message objects where nothing is dropped.
 *
 * Source: futuregene/future-os, pair repair of the summary request.
 */
export function repairPairs(messages: readonly Message[]): Message[] {
  const calls = new Set<string>();
  const results = new Set<string>();
  for (const message of messages)
    for (const block of message.blocks)
      if (block.kind === "call") calls.add(block.call);
      else if (block.kind === "result") results.add(block.call);
  return messages.flatMap((message) => {
    const blocks = message.blocks.filter(
      (block) =>
        (block.kind !== "call" || results.has(block.call)) && (block.kind !== "result" || calls.has(block.call)),
    );
    if (blocks.length === message.blocks.length) return [message];
    return blocks.length === 0 ? [] : [{ ...message, blocks }];
  });
}
