/**
 * Messages: the provider-neutral form of records. A journal keeps everything a session stored; `paired` is what may be
 * sent to a provider (every call answered right after it, no result without its call).
 */
import type { JsonObject } from "../json.ts";
import { argsOf, type ChainRecord, orderKey, toolOf } from "./record.ts";

export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
}
export interface CallBlock {
  readonly kind: "call";
  readonly call: string;
  readonly tool: string;
  readonly args: JsonObject;
}
export interface ResultBlock {
  readonly kind: "result";
  readonly call: string;
  readonly text: string;
  readonly error: boolean;
}
export interface ReasoningBlock {
  readonly kind: "reasoning";
  readonly text: string;
}
export interface ImageBlock {
  readonly kind: "image";
  readonly mediaType: string;
  readonly data: string;
}
export type Block = TextBlock | CallBlock | ResultBlock | ReasoningBlock | ImageBlock;

export interface Message {
  /** Id of the journal entry (its first record), or one that an arm derived for a message of its own. */
  readonly id: string;
  readonly role: "user" | "assistant" | "tool";
  readonly blocks: readonly Block[];
}

/** What a model can read of a block: a text, a result's body, a tool name with its compact JSON arguments; "" for an image. */
export function readableBlock(block: Block): string {
  switch (block.kind) {
    case "call":
      return `${block.tool} ${JSON.stringify(block.args)}`;
    case "image":
      return "";
    case "text":
    case "result":
    case "reasoning":
      return block.text;
  }
}

/** What a model can read of a message, one string a block, in order. */
export const readable = (message: Message): string[] => message.blocks.map(readableBlock);

/** The text blocks of a message, joined by newline. */
export const textOf = (message: Message): string =>
  message.blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n");

export const callsOf = (message: Message): CallBlock[] => message.blocks.filter((block) => block.kind === "call");

/**
 * Every stored message, in order, nothing dropped: adjacent records with one order key become one speaker message (text
 * bodies joined by newline, then the calls), and each tool result a message of its own under its record's id.
 * The messages of a prefix that ends between stored messages are a prefix of the messages.
 */
export function toMessages(records: readonly ChainRecord[]): Message[] {
  const messages: Message[] = [];
  for (let start = 0; start < records.length;) {
    let end = start + 1;
    const key = orderKey(records[start] as ChainRecord, start);
    while (end < records.length && orderKey(records[end] as ChainRecord, end) === key) end++;
    messages.push(...storedMessage(records.slice(start, end)));
    start = end;
  }
  return messages;
}

function storedMessage(group: readonly ChainRecord[]): Message[] {
  const texts = group.filter((record) => record.kind === "text");
  const calls = group.filter((record) => record.kind === "tool_call");
  const results = group.filter((record) => record.kind === "tool_result");
  const first = group.find((record) => record.kind !== "tool_result");
  const speaker: Message[] = [];
  if (first !== undefined) {
    const blocks: Block[] = [];
    if (texts.length > 0) blocks.push({ kind: "text", text: texts.map((record) => record.text).join("\n") });
    for (const record of calls)
      blocks.push({ kind: "call", call: record.call, tool: toolOf(record), args: argsOf(record) });
    speaker.push({ id: first.id, role: first.role, blocks });
  }
  const answers = results.map((record): Message => ({
    id: record.id,
    role: "tool",
    blocks: [{ kind: "result", call: record.call, text: record.text, error: record.error ?? false }],
  }));
  return group[0]?.kind === "tool_result" ? [...answers, ...speaker] : [...speaker, ...answers];
}

/**
 * The messages with every pair made whole: each speaker keeps the calls that have a result and is followed at once by
 * those results, one message each; calls without a result, results without a call, empty texts and messages left empty
 * are dropped. A result answers an open call under its id: the first one of the newest message before it that has any, or the
 * first one after it where none came before. Where an id is used again, the later use is named `id~2`, `id~3`, …: a
 * provider refuses an id used twice.
 *
 * Source: futuregene/future-os, record normalisation of the probe harness, except that it gives the first of several calls
 * under one id all results and drops the others. Linear; returns the same message objects where nothing changes.
 */
export function paired(messages: readonly Message[]): Message[] {
  const answers = answersOf(messages);
  const nameOf = callNames();
  const whole: Message[] = [];
  for (const message of messages) {
    if (message.role === "tool") continue;
    const results: Message[] = [];
    const blocks = message.blocks.flatMap((block): Block[] => {
      if (block.kind === "text" || block.kind === "reasoning") return block.text === "" ? [] : [block];
      if (block.kind !== "call") return block.kind === "image" ? [block] : [];
      const answer = answers.get(block);
      if (answer === undefined) return [];
      const call = nameOf(block.call);
      results.push(resultMessage(answer, call));
      return [call === block.call ? block : { ...block, call }];
    });
    const same = blocks.length === message.blocks.length && blocks.every((block, at) => block === message.blocks[at]);
    if (blocks.length > 0) whole.push(same ? message : { ...message, blocks });
    whole.push(...results);
  }
  return whole;
}

interface Answer {
  readonly message: Message;
  readonly block: ResultBlock;
}

/** The result of each call that has one. */
function answersOf(messages: readonly Message[]): Map<CallBlock, Answer> {
  const answers = new Map<CallBlock, Answer>();
  const open = new Map<string, CallBlock[]>();
  const early = new Map<string, Answer>();
  for (const message of messages) {
    // Backwards, so that the first call of a message is the first to be taken off.
    for (const call of callsOf(message).reverse()) {
      const calls = open.get(call.call);
      const answer = calls ? undefined : early.get(call.call);
      if (answer) answers.set(call, answer);
      if (calls) calls.push(call);
      else open.set(call.call, answer ? [] : [call]);
    }
    for (const block of message.blocks) {
      if (block.kind !== "result") continue;
      const call = open.get(block.call)?.pop();
      if (call) answers.set(call, { message, block });
      else if (!early.has(block.call)) early.set(block.call, { message, block });
    }
  }
  return answers;
}

/** Names the calls of one history, in order: an id as it is, `id~2`, `id~3`, … for each use after the first. */
function callNames(): (call: string) => string {
  const uses = new Map<string, number>();
  const taken = new Set<string>();
  return (call) => {
    let use = uses.get(call) ?? 0;
    let name: string;
    do name = ++use === 1 ? call : `${call}~${use}`;
    while (taken.has(name));
    uses.set(call, use);
    taken.add(name);
    return name;
  };
}

/** A result as a message of its own: the stored one where it holds nothing else, so that cached estimates are kept. */
function resultMessage({ message, block }: Answer, call: string): Message {
  if (call === block.call && message.role === "tool" && message.blocks.length === 1) return message;
  return { id: message.id, role: "tool", blocks: [call === block.call ? block : { ...block, call }] };
}

/** What is wrong with the pairs of a message list; empty for one that a provider accepts. */
export function pairFaults(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  let open = new Set<string>();
  const used = new Set<string>();
  const close = (where: string): void => {
    for (const call of open) faults.push(`call "${call}" has no result before ${where}`);
    open = new Set();
  };
  for (const message of messages) {
    if (message.role !== "tool") close(`message "${message.id}"`);
    for (const block of message.blocks) {
      if (block.kind === "call") {
        if (used.has(block.call)) faults.push(`call "${block.call}" is used twice`);
        used.add(block.call);
        open.add(block.call);
      } else if (block.kind === "result" && !open.delete(block.call))
        faults.push(`result "${block.call}" has no open call before it`);
    }
  }
  close("the end");
  return faults;
}
