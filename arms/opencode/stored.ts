/**
 * A session as OpenCode stores it: one stored message a user text, one a step (one call of the model). A tool result is no
 * message but the state of the call in its step, so the two never part.
 *
 * Source: anomalyco/opencode 1.18.31, as observed on sessions loaded into it.
 */
import type {
  CallBlock,
  ImageBlock,
  Message,
  ReasoningBlock,
  ResultBlock,
  TextBlock,
} from "../../harness/chain/message.ts";

export interface Answer {
  /** The journal message that holds the result. */
  readonly message: Message;
  readonly block: ResultBlock;
}

export type StoredPart =
  | { readonly kind: "block"; readonly block: TextBlock | ReasoningBlock | ImageBlock }
  | { readonly kind: "tool"; readonly block: CallBlock; readonly answer: Answer | undefined };

/** A journal message that is no result, in parts. */
export interface Spoken {
  readonly message: Message;
  readonly parts: readonly StoredPart[];
}

export interface StoredMessage {
  readonly kind: "user" | "step";
  /** Its range of the journal, results that follow it included. */
  readonly from: number;
  readonly to: number;
  readonly spoken: readonly Spoken[];
}

/** A journal in parts, undefined where a message holds only results; `orphans` counts the results that no earlier call takes. */
export interface SpokenJournal {
  readonly at: readonly (Spoken | undefined)[];
  readonly orphans: number;
}

/** Finds the result of every call. A result belongs to the newest call of its id before it, and a later result replaces an earlier one. */
export function spokenJournal(journal: readonly Message[]): SpokenJournal {
  const newest = new Map<string, { answer: Answer | undefined }>();
  let orphans = 0;
  const at = journal.map((message): Spoken | undefined => {
    const parts: StoredPart[] = [];
    for (const block of message.blocks)
      if (block.kind === "result") {
        const tool = newest.get(block.call);
        if (tool === undefined) orphans++;
        else tool.answer = { message, block };
      } else if (block.kind === "call") {
        const part = { kind: "tool" as const, block, answer: undefined as Answer | undefined };
        newest.set(block.call, part);
        parts.push(part);
      } else parts.push({ kind: "block", block });
    return message.role === "tool" || parts.length === 0 ? undefined : { message, parts };
  });
  return { at, orphans };
}

/**
 * The stored messages of a range of the journal. Neighbouring assistant messages are one step: a model is called again
 * only after a result or a prompt.
 */
export function storedMessages({ at }: SpokenJournal, from: number, to: number): StoredMessage[] {
  const stored: { kind: "user" | "step"; from: number; to: number; spoken: Spoken[] }[] = [];
  let open = false;
  for (let index = from; index < to; index++) {
    const spoken = at[index];
    const last = stored.at(-1);
    if (spoken === undefined) open = false;
    else if (spoken.message.role === "assistant" && open && last) last.spoken.push(spoken);
    else {
      open = spoken.message.role === "assistant";
      stored.push({ kind: open ? "step" : "user", from: index, to: index, spoken: [spoken] });
    }
    const current = stored.at(-1);
    if (current) current.to = index + 1;
  }
  return stored;
}
