/**
 * OpenAI chat messages, `{"messages":[…]}` or the list alone, as the Chat Completions API takes them.
 *
 * Source: OpenAI's Chat Completions API.
 */
import * as z from "zod";
import { type ChatHead, chatMessages } from "./chat.ts";
import { type Entry, type History, leftOut, named, type Piece, skipped, stored } from "./entry.ts";
import { type Findings, foundModel } from "./findings.ts";
import { asText, isObject, parsedArguments } from "./json-value.ts";
import type { Source } from "./source.ts";

const anything = z.unknown().optional();
const id = z.string().nullish().catch(undefined);
const content = z.union([z.string(), z.array(anything), z.null()]).optional();
const functionSchema = z.object({ name: z.string(), arguments: z.string().optional().catch(undefined) });

const messageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["system", "developer"]), content }),
  z.object({ role: z.literal("user"), content }),
  z.object({
    role: z.literal("assistant"),
    content,
    refusal: z.string().nullish().catch(undefined),
    reasoning_content: z.string().nullish().catch(undefined),
    tool_calls: z.array(anything).nullish().catch(undefined),
    function_call: functionSchema.nullish().catch(undefined),
  }),
  z.object({ role: z.literal("tool"), content, tool_call_id: id }),
  z.object({ role: z.literal("function"), content }),
]);

const callSchema = z.object({
  id,
  function: functionSchema.optional(),
  custom: z.object({ name: z.string(), input: z.string() }).optional(),
});

/** One entry a message. There is nothing to leave out for a live history: the format has no compactions. */
export function* readOpenAi(source: Source, _history: History, findings: Findings): Generator<Entry> {
  const head: ChatHead = {};
  let replies = 0;
  for (const { place, value } of chatMessages(source, head)) {
    const message = messageSchema.safeParse(value);
    if (!message.success) {
      yield skipped(value === undefined ? "not an object" : named("malformed message of role", value["role"] ?? ""));
      continue;
    }
    if (message.data.role === "assistant") replies++;
    yield stored(place, piecesOf(message.data), place);
  }
  if (replies > 0) foundModel(findings, head.model, replies);
}

function piecesOf(message: z.infer<typeof messageSchema>): Piece[] {
  switch (message.role) {
    case "system":
    case "developer":
      return [leftOut("other", `instructions (${message.role} message)`, textOf(message.content).length)];
    case "user":
      return contentPieces(message.content, "user");
    case "assistant": {
      const { tool_calls: calls, function_call: legacy, refusal, reasoning_content: reasoning } = message;
      return [
        ...(typeof reasoning === "string" ? [leftOut("reasoning", "reasoning", reasoning.length)] : []),
        ...contentPieces(message.content, "assistant"),
        ...(typeof refusal === "string" ? [{ kind: "text", role: "assistant", text: refusal } as const] : []),
        ...(calls ?? []).map(callPiece),
        ...(legacy ? [called(undefined, legacy)] : []),
      ];
    }
    case "tool":
    case "function":
      return resultPieces(message.content, message.role === "tool" ? message.tool_call_id : undefined);
  }
}

function callPiece(value: unknown): Piece {
  const { data } = callSchema.safeParse(value);
  if (data?.function !== undefined) return called(data.id, data.function);
  if (data?.custom !== undefined)
    return { kind: "call", call: data.id ?? undefined, tool: data.custom.name, args: { input: data.custom.input } };
  return leftOut("other", "malformed call", asText(value).length);
}

const called = (id: string | null | undefined, { name, arguments: args }: z.infer<typeof functionSchema>): Piece => ({
  kind: "call",
  call: id ?? undefined,
  tool: name,
  args: parsedArguments(args ?? ""),
});

function contentPieces(value: z.infer<typeof content>, role: "user" | "assistant"): Piece[] {
  if (value === null || value === undefined) return [];
  if (typeof value === "string") return [{ kind: "text", role, text: value }];
  return value.map((part): Piece => {
    const type = isObject(part) ? part["type"] : undefined;
    if (isObject(part) && type === "text" && typeof part["text"] === "string")
      return { kind: "text", role, text: part["text"] };
    if (isObject(part) && type === "refusal") return { kind: "text", role, text: asText(part["refusal"]) };
    if (isObject(part) && type === "image_url") return leftOut("image", "image", asText(part["image_url"]).length);
    return leftOut("other", named("content of type", type ?? ""), asText(part).length);
  });
}

/** A result's text parts are joined by newline; what is no text is left out after it. */
function resultPieces(value: z.infer<typeof content>, call: string | null | undefined): Piece[] {
  const others = contentPieces(value, "user").filter(({ kind }) => kind === "left-out");
  return [{ kind: "result", call: call ?? undefined, text: textOf(value), error: false }, ...others];
}

const textOf = (value: z.infer<typeof content>): string =>
  contentPieces(value, "user")
    .flatMap((piece) => (piece.kind === "text" ? [piece.text] : []))
    .join("\n");
