/** Items as messages that a provider accepts, as near to their order as that allows. */
import type { ProjectedMessage } from "../../harness/arm.ts";
import { type Block, type Message, readableBlock } from "../../harness/chain/message.ts";
import { callNames } from "../call-ids.ts";
import type { Item } from "./items.ts";

type CallItem = Extract<Item, { kind: "call" }>;
type OutputItem = Extract<Item, { kind: "output" }>;

/** A block on its way into a message, and the stored message that it came from. */
interface Piece {
  readonly from: Message;
  readonly block: Block;
}

/** A message, and for each of its blocks the stored message that it came from (undefined for an output put in). */
export interface Folded {
  readonly message: Message;
  readonly from: readonly (Message | undefined)[];
}

/**
 * Folds items into messages. What a stored message holds stays together, and outputs follow their calls in the items'
 * order. Providers want every call answered before anything else is said: where the items do not, parallel calls are
 * joined into one message and an output that stands further on is brought forward. `prefix` starts the ids of outputs
 * put in.
 */
export function fold(items: readonly Item[], prefix: string): Folded[] {
  const folded: Folded[] = [];
  const nameCall = callNames();
  const names = new Map<CallItem, string>();
  const open = new Set<CallItem>();
  const sent = new Set<OutputItem>();
  const speak = speaker();
  let pieces: Piece[] = [];

  const close = (): void => {
    if (pieces.length > 0) folded.push(speak(pieces));
    pieces = [];
  };
  const send = (call: CallItem, output: OutputItem): void => {
    close();
    open.delete(call);
    sent.add(output);
    folded.push(outputMessage(output, names.get(call) ?? call.block.call, prefix));
  };
  const answerOpenCalls = (): void => {
    for (const call of open) if (call.output) send(call, call.output);
  };

  for (const item of items) {
    if (item.kind === "output") {
      if (item.call && open.has(item.call)) send(item.call, item);
      continue;
    }
    const before = pieces.at(-1)?.from;
    const joins =
      before === item.from || (before?.role === "assistant" && open.size > 0 && item.from.role === "assistant");
    if (!joins) {
      answerOpenCalls();
      close();
    }
    if (item.kind !== "call") {
      for (const block of item.blocks) pieces.push({ from: item.from, block });
      continue;
    }
    const call = nameCall(item.block.call);
    names.set(item, call);
    open.add(item);
    pieces.push({ from: item.from, block: call === item.block.call ? item.block : { ...item.block, call } });
  }
  answerOpenCalls();
  close();
  return folded;
}

/** Makes messages of pieces: the stored message itself where they are all of it, else one with an id of its own. */
function speaker(): (pieces: readonly Piece[]) => Folded {
  const made = new Map<Message, number>();
  return (pieces) => {
    const [{ from: stored }] = pieces as [Piece];
    const blocks = pieces.map(({ block }) => block);
    const from = pieces.map((piece) => piece.from);
    const number = (made.get(stored) ?? 0) + 1;
    made.set(stored, number);
    const whole =
      blocks.length === stored.blocks.length && blocks.every((block, index) => block === stored.blocks[index]);
    const id = number === 1 ? stored.id : `${stored.id}/${number}`;
    return { message: whole ? stored : { id, role: stored.role, blocks }, from };
  };
}

function outputMessage({ from, block }: OutputItem, call: string, prefix: string): Folded {
  if (from?.blocks.length === 1 && call === block.call) return { message: from, from: [from] };
  const id = from?.id ?? `${prefix}/aborted/${call}`;
  return { message: { id, role: "tool", blocks: [{ ...block, call }] }, from: [from] };
}

/** Folded messages as a tail; a message that `known` has already keeps its own spans. */
export function asTail(folded: readonly Folded[], known: ReadonlyMap<Message, ProjectedMessage>): ProjectedMessage[] {
  return folded.map(
    ({ message, from }) =>
      known.get(message) ?? {
        message,
        spans: message.blocks.map((block, index) => {
          const source = from[index];
          return { part: "tail", chars: readableBlock(block).length, sources: source ? [source.id] : [] };
        }),
      },
  );
}
