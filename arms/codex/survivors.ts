/**
 * What a compaction by Codex leaves: the newest user texts within a budget, and the summary.
 *
 * Source: openai/codex 0.155.0, as observed (20,000 tokens of 4 bytes, middle cut, left-out messages).
 */
import { generated, type ProjectedMessage, verbatim } from "../../harness/arm.ts";
import type { Block, Message } from "../../harness/chain/message.ts";
import { isHarnessWritten } from "./markers.ts";

const bytesPerToken = 4;

/** Tokens of a text as the budget counts them: UTF-8 bytes / 4, rounded up. */
export const budgetTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken);

/**
 * A text cut in the middle to `keepTokens`: half of the bytes from either end, each shrunk to a character boundary, around
 * a note of how many tokens are gone. The note is not counted, so the result may be larger than the budget.
 */
export function cutMiddle(text: string, keepTokens: number): string {
  const bytes = Buffer.from(text);
  const half = (keepTokens * bytesPerToken) / 2;
  let headEnd = half;
  while (headEnd > 0 && isContinuation(bytes[headEnd])) headEnd--;
  let tailStart = bytes.length - half;
  while (tailStart < bytes.length && isContinuation(bytes[tailStart])) tailStart++;
  const gone = Math.ceil((bytes.length - 2 * half) / bytesPerToken);
  return `${bytes.toString("utf8", 0, headEnd)}…${gone} tokens truncated…${bytes.toString("utf8", tailStart)}`;
}

/** Whether a byte is inside a UTF-8 character and does not begin one. */
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** A message of the live history and the journal messages that it came from. */
export interface Live {
  readonly message: Message;
  readonly sources: readonly string[];
}

export interface Survivors {
  /** Oldest first. */
  readonly kept: readonly ProjectedMessage[];
  readonly cutTexts: number;
}

/**
 * The user texts that stay. From the newest back each is kept whole while it fits; the first that does not is cut to what
 * is left, and the walk ends; at nothing left it ends too, even before an empty text.
 */
export function survivors(live: readonly Live[], keepUserTokens: number, summaryPrefix: string): Survivors {
  const kept: ProjectedMessage[] = [];
  let leftTokens = keepUserTokens;
  let cutTexts = 0;
  for (let index = live.length - 1; index >= 0 && leftTokens > 0; index--) {
    const candidate = live[index] as Live;
    const text = userText(candidate.message, summaryPrefix);
    if (text === undefined) continue;
    const tokens = budgetTokens(text);
    if (tokens <= leftTokens) {
      kept.push(original(candidate, text));
      leftTokens -= tokens;
    } else {
      kept.push(original(candidate, cutMiddle(text, leftTokens)));
      cutTexts++;
      leftTokens = 0;
    }
  }
  return { kept: kept.reverse(), cutTexts };
}

/** The message itself where its text is all it holds, else one with that text. */
function original({ message, sources }: Live, text: string): ProjectedMessage {
  const only = message.blocks[0];
  const same = message.blocks.length === 1 && only?.kind === "text" && only.text === text;
  if (!same) return generated("original", `${sources[0] ?? message.id}/kept`, "user", text, sources);
  const [span] = verbatim("original", message).spans;
  return { message, spans: span === undefined ? [] : [{ ...span, sources }] };
}

/** The text of a user message, or undefined for any other message, for one that Codex wrote and for an earlier summary. */
function userText({ role, blocks }: Message, summaryPrefix: string): string | undefined {
  if (role !== "user" || blocks.length === 0) return undefined;
  const texts = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  if (texts.some(isHarnessWritten) || texts.join("").startsWith(`${summaryPrefix}\n`)) return undefined;
  return blocks.map((block, index) => (block.kind === "text" && !isImageTag(blocks, index) ? block.text : "")).join("");
}

/** Whether a text only opens or closes the image next to it: `<image>` or `<image name=…>` before, `</image>` after. */
function isImageTag(blocks: readonly Block[], index: number): boolean {
  const block = blocks[index];
  if (block?.kind !== "text") return false;
  const opens = block.text === "<image>" || (block.text.startsWith("<image name=") && block.text.endsWith(">"));
  if (opens && blocks[index + 1]?.kind === "image") return true;
  return blocks[index - 1]?.kind === "image" && block.text === "</image>";
}
