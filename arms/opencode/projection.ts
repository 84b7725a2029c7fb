/** A context as messages that a provider accepts. */
import { generated, type ProjectedMessage, verbatim } from "../../harness/arm.ts";
import type { Message } from "../../harness/chain/message.ts";
import { callNames } from "../call-ids.ts";
import type { OpenCodePrompts } from "./prompts.ts";
import type { Item, Pair } from "./storage.ts";
import type { Answer, Spoken } from "./stored.ts";

/**
 * The context in its order: pairs as question and summary, the rest as the journal has it, each call followed by its
 * result or by the note that it was interrupted. `prefix` starts the ids of those notes.
 */
export function project(context: readonly Item[], prompts: OpenCodePrompts, prefix: string): ProjectedMessage[] {
  const nameCall = callNames();
  return context.flatMap((item): ProjectedMessage[] => {
    switch (item.kind) {
      case "pair":
        return pairMessages(item, prompts);
      case "continue":
        return [generated("summary", item.id, "user", prompts.proceed)];
      case "user":
        return item.spoken.flatMap(({ message }) => userMessages(message));
      case "step":
        return item.spoken.flatMap((spoken) => stepMessages(spoken, nameCall, prompts.interrupted, prefix));
    }
  });
}

/** The question alone where the summary is empty. Both are the arm's own words or the model's: no sources. */
function pairMessages({ id, summary }: Pair, prompts: OpenCodePrompts): ProjectedMessage[] {
  const question = generated("summary", `${id}/question`, "user", prompts.question);
  return summary === "" ? [question] : [question, generated("summary", `${id}/summary`, "assistant", summary)];
}

/** The product sends no empty user text (an empty assistant text it does send). */
function userMessages(message: Message): ProjectedMessage[] {
  const blocks = message.blocks.filter((block) => block.kind !== "text" || block.text !== "");
  if (blocks.length === 0) return [];
  return [verbatim("tail", blocks.length === message.blocks.length ? message : { ...message, blocks })];
}

function stepMessages(
  { message, parts }: Spoken,
  nameCall: (call: string) => string,
  interrupted: string,
  prefix: string,
): ProjectedMessage[] {
  const results: ProjectedMessage[] = [];
  let renamed = false;
  const blocks = parts.map(({ block, ...part }) => {
    if (block.kind !== "call") return block;
    const call = nameCall(block.call);
    renamed ||= call !== block.call;
    const answer = part.kind === "tool" ? part.answer : undefined;
    results.push(
      answer ? resultMessage(answer, call) : interruption(`${prefix}/interrupted/${call}`, call, interrupted),
    );
    return call === block.call ? block : { ...block, call };
  });
  const whole = !renamed && blocks.length === message.blocks.length;
  return [verbatim("tail", whole ? message : { ...message, blocks }), ...results];
}

function resultMessage({ message, block }: Answer, call: string): ProjectedMessage {
  const whole = message.role === "tool" && message.blocks.length === 1 && call === block.call;
  return verbatim("tail", whole ? message : { id: message.id, role: "tool", blocks: [{ ...block, call }] });
}

const interruption = (id: string, call: string, text: string): ProjectedMessage => ({
  message: { id, role: "tool", blocks: [{ kind: "result", call, text, error: true }] },
  spans: [{ part: "tail", chars: text.length, sources: [] }],
});
