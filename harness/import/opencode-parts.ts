/**
 * Messages of OpenCode as entries. A message of the assistant holds steps (one model call each); a tool's call and its result are one
 * part, so the results of a step come after all its calls here, as the model was given them.
 *
 * Source: sst/opencode, session export and storage of releases 0.3 to 1.18.
 */
import * as z from "zod";
import { type Entry, type History, leftOut, named, type Piece, skipped, type StoredMessage } from "./entry.ts";
import { type Findings, foundModel, foundUsage, tokenCount } from "./findings.ts";
import { asText, callArguments, isObject } from "./json-value.ts";

const text = z.string().optional().catch(undefined);
const anything = z.unknown().optional();

export const infoSchema = z.object({
  id: z.string().min(1),
  role: z.enum(["user", "assistant"]),
  modelID: text,
  /** `true` on the answer of a compaction; users' messages have an object under this key. */
  summary: z.literal(true).optional().catch(undefined),
  error: anything,
  tokens: z
    .object({
      input: tokenCount,
      output: tokenCount,
      reasoning: tokenCount,
      cache: z.object({ read: tokenCount, write: tokenCount }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

const toolSchema = z.object({
  tool: z.string(),
  callID: text,
  state: z.object({
    status: z.string(),
    input: anything,
    output: anything,
    error: anything,
    time: z
      .object({ compacted: z.number().optional().catch(undefined) })
      .optional()
      .catch(undefined),
    attachments: z.array(anything).optional().catch(undefined),
  }),
});

/** A stored message, as an export or the storage folders hold it. */
export interface OpenCodeMessage {
  readonly place: string;
  readonly info: unknown;
  readonly parts: readonly unknown[];
}

/** Stands for an output that OpenCode itself had taken out of the history. */
const clearedOutput = "(output cleared by the agent)";

/** One message as an entry. Counts its model and usage. */
export function messageEntry({ place, info, parts }: OpenCodeMessage, history: History, findings: Findings): Entry {
  const parsed = infoSchema.safeParse(info);
  if (!parsed.success) return skipped("malformed message");
  const { data } = parsed;
  if (data.role === "assistant") {
    foundModel(findings, data.modelID);
    if (data.tokens !== undefined)
      foundUsage(findings, place, {
        freshInputTokens: data.tokens.input,
        cacheReadTokens: data.tokens.cache?.read,
        cacheWriteTokens: data.tokens.cache?.write,
        outputTokens: data.tokens.output === undefined ? undefined : data.tokens.output + (data.tokens.reasoning ?? 0),
      });
  }
  return { kind: "stored", place, messages: stepsOf(place, parts, data.role, history) };
}

/** The steps of a message, each as one stored message with its results at its end. */
function stepsOf(
  place: string,
  parts: readonly unknown[],
  role: "user" | "assistant",
  history: History,
): StoredMessage[] {
  const steps: StoredMessage[] = [];
  let said: Piece[] = [];
  let results: Piece[] = [];
  const close = (): void => {
    if (said.length + results.length > 0)
      steps.push({ group: `${place} step ${steps.length}`, pieces: [...said, ...results] });
    said = [];
    results = [];
  };
  for (const part of parts) {
    const type = isObject(part) ? part["type"] : undefined;
    if (type === "step-start") close();
    const { speech, answer } = partPieces(part, role, history);
    said.push(...speech);
    results.push(...answer);
  }
  close();
  return steps;
}

interface PartPieces {
  readonly speech: readonly Piece[];
  readonly answer: readonly Piece[];
}

const speech = (...pieces: readonly Piece[]): PartPieces => ({ speech: pieces, answer: [] });

function partPieces(part: unknown, role: "user" | "assistant", history: History): PartPieces {
  if (!isObject(part) || typeof part["type"] !== "string") return speech(leftOut("other", "part without a type", 0));
  const { type } = part;
  switch (type) {
    case "text":
      if (typeof part["text"] !== "string") return speech(leftOut("other", "malformed part", 0));
      if (part["ignored"] === true)
        return speech(leftOut("other", "text that the user kept from the model", part["text"].length));
      return speech({ kind: "text", role, text: part["text"] });
    case "reasoning":
      return speech(leftOut("reasoning", "reasoning", asText(part["text"]).length));
    case "file": {
      const isImage = typeof part["mime"] === "string" && part["mime"].startsWith("image/");
      return speech(leftOut(isImage ? "image" : "other", isImage ? "image" : "file part", asText(part["url"]).length));
    }
    case "step-start":
    case "step-finish":
    case "snapshot":
    case "patch":
    case "retry":
    case "compaction":
      return speech(leftOut("other", `${type} mark`, 0));
    case "tool": {
      const { data } = toolSchema.safeParse(part);
      return data === undefined
        ? speech(leftOut("other", "malformed part", asText(part).length))
        : toolPieces(data, history);
    }
    default:
      return speech(leftOut("other", named("part of type", type), asText(part).length));
  }
}

function toolPieces({ tool, callID, state }: z.infer<typeof toolSchema>, history: History): PartPieces {
  const call: Piece = { kind: "call", call: callID, tool, args: callArguments(state.input) };
  const result = (text: string, error: boolean): Piece => ({ kind: "result", call: callID, text, error });
  const images = (state.attachments ?? []).map((file) =>
    leftOut("image", "attachment of a result", asText(file).length),
  );
  if (state.status === "completed") {
    const isCleared = history === "live" && state.time?.compacted !== undefined;
    return { speech: [call], answer: [result(isCleared ? clearedOutput : asText(state.output), false), ...images] };
  }
  if (state.status === "error") return { speech: [call], answer: [result(asText(state.error), true)] };
  return { speech: [call], answer: [] };
}
