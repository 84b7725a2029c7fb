/**
 * The token estimator. Counts quarter-tokens per code point: ASCII 1, CJK, kana and hangul 6, anything else 2; a text
 * costs its quarters rounded up to whole tokens. Quarters of joined texts add up, so nothing is ever scanned twice.
 *
 * Source: futuregene/future-os, the experiment's estimator (weights and ranges; the agent's own differs in 4DC0-4DFF).
 */
import type { Block, Message } from "./message.ts";

/** Quarter-tokens of a text. */
export function quarterTokens(text: string): number {
  if (Buffer.byteLength(text) === text.length) return text.length;
  let quarters = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) quarters += 1;
    else if (unit < 0x3040) quarters += 2;
    else if (unit >= 0xd800 && unit < 0xdc00) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next < 0xe000) {
        index++;
        const point = 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00);
        quarters += point >= 0x20000 && point <= 0x2a6df ? 6 : 2;
      } else quarters += 2;
    } else quarters += isWide(unit) ? 6 : 2;
  }
  return quarters;
}

const isWide = (unit: number): boolean =>
  (unit >= 0x3400 && unit <= 0x9fff) ||
  (unit >= 0x3040 && unit <= 0x30ff) ||
  (unit >= 0xac00 && unit <= 0xd7af) ||
  (unit >= 0xf900 && unit <= 0xfaff);

export const tokensOfQuarters = (quarters: number): number => (quarters + 3) >> 2;

/** Estimated tokens of a text; 0 for an empty one. */
export const textTokens = (text: string): number => tokensOfQuarters(quarterTokens(text));

const costs = new WeakMap<Message, number>();

/**
 * Estimated tokens of one message in a request: every block rounded up on its own, 6 for the frame, 2,048 an image.
 * Call ids, roles and the error flag cost nothing. Cached with the message.
 */
export function messageTokens(message: Message): number {
  const known = costs.get(message);
  if (known !== undefined) return known;
  let cost = 6;
  for (const block of message.blocks) cost += blockTokens(block);
  costs.set(message, cost);
  return cost;
}

function blockTokens(block: Block): number {
  switch (block.kind) {
    case "call":
      return textTokens(block.tool) + textTokens(JSON.stringify(block.args));
    case "image":
      return 2048;
    case "text":
    case "result":
    case "reasoning":
      return textTokens(block.text);
  }
}

export function messagesTokens(messages: readonly Message[]): number {
  let total = 0;
  for (const message of messages) total += messageTokens(message);
  return total;
}
