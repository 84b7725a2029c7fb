/**
 * What a piece of history costs OpenCode's tail selection: the length of the JSON of its model messages (AI SDK form) in
 * UTF-16 units, divided by 4 and rounded half up. The length is a sum over stored messages, so each is measured once.
 *
 * Source: anomalyco/opencode 1.18.31, captured at ±1 character.
 */
import type { Block, CallBlock } from "../../harness/chain/message.ts";
import type { StoredMessage, StoredPart } from "./stored.ts";

/** Length of some model messages' JSON without what joins them, and how many they are. Adds up. */
export interface Size {
  readonly chars: number;
  readonly messages: number;
}

/** Tokens of an array of model messages of this size: brackets and commas included, `[]` for none. */
export const sizeTokens = ({ chars, messages }: Size): number =>
  Math.floor((2 + chars + Math.max(0, messages - 1) + 2) / 4);

export const addSizes = (left: Size, right: Size): Size => ({
  chars: left.chars + right.chars,
  messages: left.messages + right.messages,
});

/** Size of a stored message. `interrupted` is the note that stands for a missing result. */
export function storedSize({ kind, spoken }: StoredMessage, interrupted: string): Size {
  const parts = spoken.flatMap((part) => part.parts);
  if (kind === "user") return messageSize("user", parts.filter(isSaid).map(partChars));
  const said = messageSize("assistant", parts.map(partChars));
  return addSizes(said, messageSize("tool", parts.flatMap(resultChars(interrupted))));
}

/** Size of one user text. */
export const userTextSize = (text: string): Size => messageSize("user", [textChars("text", text)]);

/** An empty user text has no model message. */
const isSaid = (part: StoredPart): boolean => part.block.kind !== "text" || part.block.text !== "";

function messageSize(role: string, contentChars: readonly number[]): Size {
  if (contentChars.length === 0) return { chars: 0, messages: 0 };
  let chars = JSON.stringify({ role, content: [] }).length + contentChars.length - 1;
  for (const part of contentChars) chars += part;
  return { chars, messages: 1 };
}

function partChars({ block }: StoredPart): number {
  switch (block.kind) {
    case "call":
      return callChars(block);
    case "image":
      return imageFrameChars + 2 * block.mediaType.length + block.data.length;
    case "text":
    case "reasoning":
      return blockChars(block, () => textChars(block.kind, block.text));
  }
}

/** The media type stands in a field and in the data URL. */
const imageFrameChars = JSON.stringify({ type: "file", mediaType: "", data: "data:;base64," }).length;

const callChars = (block: CallBlock): number =>
  blockChars(
    block,
    () => JSON.stringify({ type: "tool-call", toolCallId: block.call, toolName: block.tool, input: block.args }).length,
  );

const resultChars =
  (interrupted: string) =>
  (part: StoredPart): number[] => {
    if (part.kind !== "tool") return [];
    const { call, tool } = part.block;
    const type = part.answer === undefined || part.answer.block.error ? "error-text" : "text";
    const frame = { type: "tool-result", toolCallId: call, toolName: tool, output: { type, value: "" } };
    const { answer } = part;
    const valueChars = answer
      ? blockChars(answer.block, () => stringChars(answer.block.text))
      : stringChars(interrupted);
    return [JSON.stringify(frame).length - 2 + valueChars];
  };

const textChars = (type: string, text: string): number =>
  JSON.stringify({ type, text: "" }).length - 2 + stringChars(text);

/** Length of a text as JSON. The product stores UTF-8, which holds no lone surrogate. */
const stringChars = (text: string): number => JSON.stringify(text.toWellFormed()).length;

const measured = new WeakMap<Block, number>();

function blockChars(block: Block, measure: () => number): number {
  const known = measured.get(block);
  if (known !== undefined) return known;
  const chars = measure();
  measured.set(block, chars);
  return chars;
}
