/** The two flat renderings of the original: records as one text (for the schedule), messages as one text (for the size of a history). */
import type { JsonValue } from "../json.ts";
import { type Block, type Message, readableBlock } from "./message.ts";
import { argsOf, type ChainRecord, toolOf } from "./record.ts";
import { quarterTokens, tokensOfQuarters } from "./tokens.ts";

/** JSON as Python's json.dumps prints it by default: spaces after `:` and `,`, everything outside printable ASCII escaped. */
export function pythonJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(", ")}]`;
  if (value !== null && typeof value === "object")
    return `{${Object.entries(value)
      .map(([key, item]) => `${pythonJson(key)}: ${pythonJson(item)}`)
      .join(", ")}}`;
  return JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Estimated tokens of one record in the experiment's plain rendering, without building the text. */
export function plainTokens(record: ChainRecord): number {
  switch (record.kind) {
    case "tool_call":
      return tokensOfQuarters(
        quarterTokens(`[Assistant tool call ${record.call}]: ${toolOf(record)}(${pythonJson(argsOf(record))})`),
      );
    case "tool_result":
      return tokensOfQuarters(
        quarterTokens(resultLabel(record.call, record.error ?? false)) + quarterTokens(record.text),
      );
    case "text":
      return tokensOfQuarters(
        quarterTokens(record.role === "user" ? "[User]: " : "[Assistant]: ") + quarterTokens(record.text),
      );
  }
}

const resultLabel = (call: string, error: boolean): string => `[Tool ${error ? "error" : "result"} ${call}]: `;

/** Text in front of a block in the flat rendering; the block's own text follows. */
function blockLabel(block: Block): string {
  if (block.kind === "result") return resultLabel(block.call, block.error);
  return block.kind === "call" ? `[Assistant tool call ${block.call}]: ` : "";
}

const blockBody = (block: Block): string =>
  block.kind === "call" ? `${block.tool}(${JSON.stringify(block.args)})` : readableBlock(block);

/** A message as text: blocks joined by newline, calls and results labelled. Source: futuregene/future-os, projection renderer. */
export const renderMessage = (message: Message): string =>
  message.blocks.map((block) => blockLabel(block) + blockBody(block)).join("\n");

/** A history as one text: messages joined by a blank line. */
export const renderHistory = (messages: readonly Message[]): string => messages.map(renderMessage).join("\n\n");

const rendered = new WeakMap<Message, number>();

function renderedQuarters(message: Message): number {
  const known = rendered.get(message);
  if (known !== undefined) return known;
  let quarters = Math.max(0, message.blocks.length - 1);
  for (const block of message.blocks) quarters += quarterTokens(blockLabel(block)) + quarterTokens(blockBody(block));
  rendered.set(message, quarters);
  return quarters;
}

/** Estimated tokens of `renderHistory(messages)`, without building it: the size of projections and of the raw history in every table. */
export function renderedTokens(messages: readonly Message[]): number {
  let quarters = 2 * Math.max(0, messages.length - 1);
  for (const message of messages) quarters += renderedQuarters(message);
  return tokensOfQuarters(quarters);
}
