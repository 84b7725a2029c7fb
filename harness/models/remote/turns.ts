/**
 * A request in the form that both wire encodings start from: turns of one role each, with texts that are not blank, names
 * that the APIs accept and well-formed Unicode. What an API cannot take is replaced or left out by a rule and counted.
 *
 * The rules: a text of white space only is left out, and so is a message left empty by that; a blank tool result reads
 * `(no output)`; an image is not sent but named in a text; reasoning is not sent, because one API takes it back only with
 * its signature and the other has no place for it; the calls of a message make an assistant turn, whatever its role.
 */
import type { Block, Message } from "../../chain/message.ts";
import type { JsonObject } from "../../json.ts";
import type { ModelRequest, ToolDefinition } from "../model.ts";
import { callIdOf, toolNameOf } from "./names.ts";
import { createMender, type Mender } from "./unicode.ts";

export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly args: JsonObject;
}
export interface Result {
  readonly id: string;
  /** Never blank. */
  readonly text: string;
  readonly error: boolean;
}
export type Turn =
  | { readonly role: "user"; readonly texts: readonly string[] }
  | { readonly role: "assistant"; readonly texts: readonly string[]; readonly calls: readonly Call[] }
  | { readonly role: "tool"; readonly results: readonly Result[] };

/** How often a request had to be changed to be sendable. */
export interface Repairs {
  readonly loneSurrogates: number;
  readonly blankTexts: number;
  readonly images: number;
  readonly reasoning: number;
}

export interface Turns {
  /** "" where the request has none. */
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** Everything before the last message, if that is the user's; else everything. */
  readonly history: readonly Turn[];
  /** The last message, if it is the user's: a sheet, or an instruction. */
  readonly ask: readonly Turn[];
  readonly repairs: Repairs;
}

/** Stands where an API demands a user message and the history has none. */
export const filler = "(no message)";

/** The body of a blank tool result. */
const noOutput = "(no output)";

/** White space of JavaScript and of Python, which the refusing servers are written in. */
const isBlank = (text: string): boolean => /^[\s\u001c-\u001f\u0085]*$/.test(text);

/** The turns of a request. Pure; expects whole pairs (`paired`), which it neither makes nor breaks. */
export function turnsOf(request: Pick<ModelRequest, "system" | "tools" | "messages">): Turns {
  const mender = createMender();
  const tally = { blankTexts: 0, images: 0, reasoning: 0 };
  const system = mender.text(request.system);
  const tools = request.tools.map(({ name, description, parameters }) => ({
    name: toolNameOf(name),
    description: mender.text(description),
    parameters: mender.json(parameters),
  }));
  const asks = request.messages.at(-1)?.role === "user";
  const past = asks ? request.messages.slice(0, -1) : request.messages;
  const turns = (messages: readonly Message[]): Turn[] =>
    messages.flatMap((message) => turnsOfMessage(message, mender, tally));
  const history = turns(past);
  const ask = turns(request.messages.slice(past.length));
  const repairs = { loneSurrogates: mender.replaced(), ...tally };
  return { system: isBlank(system) ? "" : system, tools, history, ask, repairs };
}

type Tally = { -readonly [Name in "blankTexts" | "images" | "reasoning"]: number };
interface Open {
  readonly texts: string[];
  readonly calls: Call[];
  readonly results: Result[];
}

/** One turn a stretch of blocks of one role: nearly always one a message. */
function turnsOfMessage(message: Message, mender: Mender, tally: Tally): Turn[] {
  const turns: Turn[] = [];
  let role: Turn["role"] = message.role;
  let open: Open = { texts: [], calls: [], results: [] };
  const close = (): void => {
    const { texts, calls, results } = open;
    if (role === "user" && texts.length > 0) turns.push({ role, texts });
    if (role === "assistant" && texts.length + calls.length > 0) turns.push({ role, texts, calls });
    if (role === "tool" && results.length > 0) turns.push({ role, results });
    open = { texts: [], calls: [], results: [] };
  };
  for (const block of message.blocks) {
    const speaks = roleOf(block, message.role);
    if (speaks !== role) close();
    role = speaks;
    if (block.kind === "call")
      open.calls.push({ id: callIdOf(block.call), tool: toolNameOf(block.tool), args: mender.json(block.args) });
    else if (block.kind === "result") {
      if (isBlank(block.text)) tally.blankTexts++;
      const text = isBlank(block.text) ? noOutput : mender.text(block.text);
      open.results.push({ id: callIdOf(block.call), text, error: block.error });
    } else if (block.kind === "image") {
      tally.images++;
      open.texts.push(`(image, ${mender.text(block.mediaType)}, not sent)`);
    } else if (block.kind === "reasoning") tally.reasoning++;
    else if (isBlank(block.text)) tally.blankTexts++;
    else open.texts.push(mender.text(block.text));
  }
  close();
  return turns;
}

function roleOf(block: Block, role: Message["role"]): Turn["role"] {
  if (block.kind === "call") return "assistant";
  if (block.kind === "result") return "tool";
  return role === "assistant" ? "assistant" : "user";
}
