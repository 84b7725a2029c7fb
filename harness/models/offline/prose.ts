/**
 * What the summariser reads of a request, newest first. Prose is what user and assistant wrote: their text blocks, or, in a
 * conversation that was flattened into the last message, what follows the labels `[User]: ` and `[Assistant]: `.
 */
import { type Message, textOf } from "../../chain/message.ts";

/** One stretch of text and who wrote it. */
export interface Passage {
  readonly by: "user" | "assistant" | "tool";
  readonly text: string;
}

/** A summary request taken apart. */
export interface SummaryRequest {
  /** The instruction alone: headings, limits. */
  readonly ask: string;
  /** The summary that the request hands over in `<prior-summary>` tags; "" without one. */
  readonly prior: string;
  /** Newest first; found while they are walked, once. */
  readonly passages: Iterable<Passage>;
}

/** The last user message is the instruction; what it carries between `<conversation>` and `<prior-summary>` tags is not. */
export function summaryRequestIn(messages: readonly Message[]): SummaryRequest {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const whole = last < 0 ? "" : textOf(messages[last] as Message);
  const tags = ["conversation", "prior-summary"].sort((a, b) => opening(whole, a) - opening(whole, b));
  let ask = whole;
  const inside = new Map<string, string>();
  // The tag that opens first is taken out first, so that the other one is never looked for inside it.
  for (const tag of tags) {
    const start = opening(ask, tag);
    const end = ask.lastIndexOf(`</${tag}>`);
    if (start === Infinity || end < start) continue;
    inside.set(tag, ask.slice(start + tag.length + 2, end));
    ask = ask.slice(0, start) + ask.slice(end + tag.length + 3);
  }
  const history = messages.slice(0, Math.max(0, last));
  const passages = passagesOf(inside.get("conversation") ?? "", history);
  return { ask, prior: inside.get("prior-summary") ?? "", passages };
}

function* passagesOf(conversation: string, history: readonly Message[]): Iterable<Passage> {
  yield* flattenedPassages(conversation);
  yield* messagePassages(history);
}

/** Index of the first line that opens with a tag, or Infinity: an instruction may speak of its tags within a line. */
function opening(text: string, tag: string): number {
  if (text.startsWith(`<${tag}>`)) return 0;
  const before = text.indexOf(`\n<${tag}>`);
  return before < 0 ? Infinity : before + 1;
}

function* messagePassages(history: readonly Message[]): Iterable<Passage> {
  for (const { role, blocks } of history.toReversed())
    for (const block of blocks.toReversed()) {
      if (block.kind === "text" && role !== "tool") yield { by: role, text: block.text };
      if (block.kind === "result") yield { by: "tool", text: block.text };
    }
}

/** Calls and reasoning have labels too, so that they end the prose before them; they are not read. */
const label = /^\[(User|Assistant|Assistant reasoning|Assistant tool call[^\]\n]*|Tool (?:result|error)[^\]\n]*)\]: /gm;

function* flattenedPassages(conversation: string): Iterable<Passage> {
  const labels = [...conversation.matchAll(label)];
  let end = conversation.length;
  for (const match of labels.toReversed()) {
    const text = (): string => conversation.slice(match.index + match[0].length, end);
    const name = match[1] ?? "";
    if (name === "User" || name === "Assistant") yield { by: name === "User" ? "user" : "assistant", text: text() };
    else if (name.startsWith("Tool")) yield { by: "tool", text: text() };
    end = match.index;
  }
}
