/** Finds the journal messages that a program sent back, so that a projection says where it came from. */
import { generated, type Part, type ProjectedMessage, verbatim } from "../../harness/arm.ts";
import { type Block, type Message, readableBlock } from "../../harness/chain/message.ts";
import { canonicalJson, type JsonValue } from "../../harness/json.ts";

/** A message of the live history and the journal messages that it came from. */
export interface Live {
  readonly message: Message;
  readonly sources: readonly string[];
}

/** What the wire tells of a message: an error flag it does not carry. */
const content = ({ role, blocks }: Pick<Message, "role" | "blocks">): string =>
  canonicalJson([
    role,
    blocks.map((block) => (block.kind === "result" ? { ...block, error: false } : { ...block })),
  ] as JsonValue);

/** Takes live messages in order: the next one that holds just this, or undefined where none does any more. */
export function inOrder(live: readonly Live[]): (role: Message["role"], blocks: readonly Block[]) => Live | undefined {
  const places = new Map<string, number[]>();
  for (const [index, { message }] of live.entries()) {
    const key = content(message);
    const known = places.get(key);
    if (known) known.push(index);
    else places.set(key, [index]);
  }
  let from = 0;
  return (role, blocks) => {
    const index = places.get(content({ role, blocks }))?.find((place) => place >= from);
    if (index === undefined) return undefined;
    from = index + 1;
    return live[index];
  };
}

/** A message that came back as it was. */
export const kept = (part: Part, { message, sources }: Live): ProjectedMessage => ({
  message,
  spans: verbatim(part, message).spans.map((span) => ({ ...span, sources })),
});

/** A message that the program or a model wrote. */
export const written = (part: Part, id: string, role: Message["role"], blocks: readonly Block[]): ProjectedMessage => {
  const only = blocks[0];
  if (blocks.length === 1 && only?.kind === "text" && role !== "tool") return generated(part, id, role, only.text);
  return {
    message: { id, role, blocks },
    spans: blocks.map((block) => ({ part, chars: readableBlock(block).length, sources: [] })),
  };
};
