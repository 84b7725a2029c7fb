/** For tests of the two arms: messages in one line each, and a structured chain. */
import type { Arm, ArmContext, Compaction, ProjectedMessage } from "../../harness/arm.ts";
import { structured, type StructuredChainName } from "../../harness/chain/generate/structured.ts";
import { type Block, type Message, readable, toMessages } from "../../harness/chain/message.ts";
import type { JsonObject, JsonValue } from "../../harness/json.ts";
import type { ModelReply } from "../../harness/models/model.ts";
import { type ArmRequest, recordingContext } from "../testing.ts";
import { type Checkpoint, readCheckpoint } from "./checkpoint.ts";

export const user = (id: string, text: string): Message => ({ id, role: "user", blocks: [{ kind: "text", text }] });

export const assistant = (id: string, text: string, ...calls: readonly Block[]): Message => ({
  id,
  role: "assistant",
  blocks: [...(text === "" ? [] : [{ kind: "text", text } as const]), ...calls],
});

export const call = (id: string, args: JsonObject = { path: `${id}.txt` }, tool = "read"): Block => ({
  kind: "call",
  call: id,
  tool,
  args,
});

export const result = (id: string, callId: string, text: string, error = false): Message => ({
  id,
  role: "tool",
  blocks: [{ kind: "result", call: callId, text, error }],
});

/** A call and its result as two messages, `r-<id>` being the id of the result. */
export const pair = (id: string, path: string, text = `body of ${path}`, error = false): Message[] => [
  assistant(`c-${id}`, "", call(id, { path })),
  result(`r-${id}`, id, text, error),
];

/**
 * A structured chain: eight stages of 28 messages, namely user, assistant, eleven pairs of about 22,000
 * tokens, and an end of four messages that costs less than 8,000. Checks fail in stages 2 and 5.
 */
export const structuredMessages = (name: StructuredChainName = "export"): Message[] =>
  toMessages(structured(name, 1).records);

export type Compacted = Extract<Compaction, { kind: "compacted" }>;

/** The compaction, or a failed test where the arm left the history unchanged. */
export function compactedOf(compaction: Compaction): Compacted {
  if (compaction.kind === "compacted") return compaction;
  throw new Error(`The arm left the history unchanged: ${compaction.reason}.`);
}

/** The state of a compaction as the checkpoint that it has to be. */
export function checkpointOf({ state }: { readonly state: JsonValue }): Checkpoint {
  const checkpoint = readCheckpoint(state);
  if (checkpoint === undefined) throw new Error("The state is not a checkpoint.");
  return checkpoint;
}

export interface Ended {
  readonly compaction: Compaction;
  readonly requests: readonly ArmRequest[];
}

/**
 * Runs an arm over the prefixes of a journal that end at `ends`, each step from the state that the last compacted one
 * left. `answer` counts the requests of all steps.
 */
export async function compactAt(
  arm: Arm,
  journal: readonly Message[],
  ends: readonly number[],
  answer?: (request: ArmRequest, index: number) => ModelReply,
  overrides: Partial<Omit<ArmContext, "complete" | "boundary">> & { readonly trigger?: "forced" | "automatic" } = {},
): Promise<Ended[]> {
  const { trigger = "forced", ...rest } = overrides;
  const ended: Ended[] = [];
  let previous: Compacted | undefined;
  let covered = 0;
  let asked = 0;
  const answered = answer && ((request: ArmRequest) => answer(request, asked++));
  for (const end of ends) {
    const { context, requests } = recordingContext(arm, answered, { ...rest, boundary: { chain: "test", end } });
    const fresh = journal.slice(covered, end);
    const compaction = await arm.compact({ journal: journal.slice(0, end), fresh, previous, trigger }, context);
    ended.push({ compaction, requests });
    if (compaction.kind !== "compacted") continue;
    previous = compaction;
    covered = end;
  }
  return ended;
}

/** The text of the checkpoint message in a projection, with what stands around it. */
export function checkpointText(projection: readonly ProjectedMessage[]): string {
  const found = projection.find(({ spans }) => spans.some(({ part }) => part === "evidence"));
  return found === undefined ? "" : readable(found.message).join("\n");
}

/** Entry ids of the rows in an index, in order. */
export const rowIds = (text: string): string[] =>
  [...text.matchAll(/^\{"entryId":"([^"]*)"/gm)].map((match) => match[1] ?? "");
