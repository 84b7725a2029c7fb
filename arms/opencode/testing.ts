/** For tests: OpenCode's selection as plainly as it can be written, measuring by building the JSON every time; requests read back. */
import { textOf } from "../../harness/chain/message.ts";
import type { JsonObject } from "../../harness/json.ts";
import type { ArmRequest } from "../testing.ts";
import type { StoredMessage, StoredPart } from "./stored.ts";

/** The AI SDK model messages of a stored message. */
export function modelMessages({ kind, spoken }: StoredMessage, interrupted: string): JsonObject[] {
  const parts = spoken.flatMap((message) => message.parts);
  const content = parts.filter((part) => kind === "step" || !isEmptyText(part)).map(modelPart);
  const results = parts.flatMap((part) => (part.kind === "tool" ? [toolResult(part, interrupted)] : []));
  return [
    ...(content.length > 0 ? [{ role: kind === "step" ? "assistant" : "user", content }] : []),
    ...(kind === "step" && results.length > 0 ? [{ role: "tool", content: results }] : []),
  ];
}

const isEmptyText = ({ block }: StoredPart): boolean => block.kind === "text" && block.text === "";

function modelPart({ block }: StoredPart): JsonObject {
  switch (block.kind) {
    case "call":
      return { type: "tool-call", toolCallId: block.call, toolName: block.tool, input: block.args };
    case "image":
      return { type: "file", mediaType: block.mediaType, data: `data:${block.mediaType};base64,${block.data}` };
    case "text":
    case "reasoning":
      return { type: block.kind, text: block.text.toWellFormed() };
  }
}

function toolResult({ block, answer }: Extract<StoredPart, { kind: "tool" }>, interrupted: string): JsonObject {
  const found = answer?.block;
  const output = {
    type: found === undefined || found.error ? "error-text" : "text",
    value: (found?.text ?? interrupted).toWellFormed(),
  };
  return { type: "tool-result", toolCallId: block.call, toolName: block.tool, output };
}

/** A stored message's JSON, and whether a turn begins with it. */
export interface Plain {
  readonly opensTurn: boolean;
  readonly json: readonly JsonObject[];
}

const measure = (slice: readonly Plain[]): number =>
  Math.round(JSON.stringify(slice.flatMap(({ json }) => json)).length / 4);

/** Quadratic: every slice that is looked at is measured anew. */
export function plainTailStart(history: readonly Plain[], budget: number, maxTurns: number | null): number | undefined {
  const starts = history.flatMap(({ opensTurn }, index) => (opensTurn ? [index] : []));
  const turns = starts.map((start, n) => ({ start, end: starts[n + 1] ?? history.length }));
  let total = 0;
  let keep: number | undefined;
  for (const { start, end } of turns.reverse().slice(0, maxTurns ?? turns.length)) {
    const size = measure(history.slice(start, end));
    if (total + size <= budget) {
      total += size;
      keep = start;
      continue;
    }
    for (let from = start + 1; from < end; from++)
      if (total + measure(history.slice(from, end)) <= budget) {
        keep = from;
        break;
      }
    break;
  }
  return keep === 0 ? undefined : keep;
}

export const requestText = (request: ArmRequest | undefined): string => request?.messages.map(textOf).join("") ?? "";

const tagged = (request: ArmRequest | undefined, tag: string): string | undefined =>
  new RegExp(`<${tag}>\n([^]*?)\n</${tag}>`).exec(requestText(request))?.[1];

/** What the summariser was shown of the conversation, and the earlier summary, undefined without one. */
export const head = (request: ArmRequest | undefined): string | undefined => tagged(request, "conversation");
export const prior = (request: ArmRequest | undefined): string | undefined => tagged(request, "prior-summary");
