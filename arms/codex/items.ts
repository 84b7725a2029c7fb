/**
 * Codex's history: a flat list of items (a message's text, a thought, a call, an output), finer than messages.
 *
 * Source: openai/codex 0.155.0, as observed: how a request's history is normalised, and what an overflow drops.
 */
import type { Block, CallBlock, Message, ResultBlock } from "../../harness/chain/message.ts";

interface TextItem {
  readonly kind: "text" | "reasoning";
  readonly from: Message;
  readonly blocks: readonly Block[];
}
interface CallItem {
  readonly kind: "call";
  readonly from: Message;
  readonly block: CallBlock;
  output: OutputItem | undefined;
}
interface OutputItem {
  readonly kind: "output";
  /** Undefined where the output was put in for a call that has none. */
  readonly from: Message | undefined;
  readonly block: ResultBlock;
  call: CallItem | undefined;
}
export type Item = TextItem | CallItem | OutputItem;

export interface Normalised {
  readonly items: readonly Item[];
  /** Calls that got the output `aborted`. */
  readonly abortedCalls: number;
  /** Outputs left out because they answer no call. */
  readonly orphanOutputs: number;
}

/**
 * The items of a history as any request sends them: a call without output gets the output `aborted` right after it, an
 * output without call is left out, nothing else moves. An output answers the newest open call of its id before it, else
 * one after it; a second output of a call is left out, because no provider takes it.
 */
export function normalise(history: readonly Message[]): Normalised {
  const items = history.flatMap(itemsOf);
  const open = new Map<string, CallItem[]>();
  const early: OutputItem[] = [];
  for (const item of items)
    if (item.kind === "call") {
      const sameId = open.get(item.block.call);
      if (sameId) sameId.push(item);
      else open.set(item.block.call, [item]);
    } else if (item.kind === "output" && !answer(item, open)) early.push(item);
  for (const item of early) answer(item, open);

  let abortedCalls = 0;
  let orphanOutputs = 0;
  const normalised = items.flatMap((item): Item[] => {
    if (item.kind === "output" && item.call === undefined) {
      orphanOutputs++;
      return [];
    }
    if (item.kind !== "call" || item.output !== undefined) return [item];
    abortedCalls++;
    const block: ResultBlock = { kind: "result", call: item.block.call, text: "aborted", error: false };
    item.output = { kind: "output", from: undefined, block, call: item };
    return [item, item.output];
  });
  return { items: normalised, abortedCalls, orphanOutputs };
}

/** Joins an output to an open call of its id: the newest message's, and of that the first. Says whether there was one. */
function answer(output: OutputItem, open: Map<string, CallItem[]>): boolean {
  const calls = open.get(output.block.call) ?? [];
  const newest = calls.at(-1)?.from;
  const index = calls.findIndex(({ from }) => from === newest);
  const [call] = calls.splice(index, index < 0 ? 0 : 1);
  if (call === undefined) return false;
  call.output = output;
  output.call = call;
  return true;
}

/** Neighbouring texts and images of a message are one item; each thought, call and output is one of its own. */
function itemsOf(message: Message): Item[] {
  const items: Item[] = [];
  let text: Block[] = [];
  const close = (): void => {
    if (text.length > 0) items.push({ kind: "text", from: message, blocks: text });
    text = [];
  };
  for (const block of message.blocks) {
    if (block.kind === "text" || block.kind === "image") {
      text.push(block);
      continue;
    }
    close();
    if (block.kind === "call") items.push({ kind: "call", from: message, block, output: undefined });
    else if (block.kind === "result") items.push({ kind: "output", from: message, block, call: undefined });
    else items.push({ kind: "reasoning", from: message, blocks: [block] });
  }
  close();
  return items;
}

/** The items without the oldest; a call takes its output along and an output its call, wherever they stand. */
export function withoutOldest([oldest, ...rest]: readonly Item[]): readonly Item[] {
  if (oldest?.kind === "call") return rest.filter((item) => item !== oldest.output);
  return oldest?.kind === "output" ? rest.filter((item) => item !== oldest.call) : rest;
}

/** The text of the newest assistant message that is not blank, or "" without one. */
export function newestAssistantText(history: readonly Message[], isBlank: (text: string) => boolean): string {
  for (let index = history.length - 1; index >= 0; index--) {
    const message = history[index] as Message;
    if (message.role !== "assistant") continue;
    const texts = itemsOf(message).map((item) =>
      item.kind === "text" ? item.blocks.map((block) => (block.kind === "text" ? block.text : "")).join("") : "",
    );
    const newest = texts.findLast((text) => !isBlank(text));
    if (newest !== undefined) return newest;
  }
  return "";
}
