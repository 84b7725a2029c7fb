/**
 * Response items of Codex as pieces. The formats are the Responses API's, with the outputs as the program stores them.
 *
 * Source: openai/codex, rollout files of releases up to 0.155.0, as written by the program.
 */
import * as z from "zod";
import { leftOut, named, type Piece } from "./entry.ts";
import { asText, callArguments, isObject, parsedArguments } from "./json-value.ts";

export type CodexItem =
  | {
      readonly kind: "item";
      /** `assistant`: part of a reply of the model; neighbours are one reply. */
      readonly side: "user" | "assistant" | "tool" | "harness";
      /** Whether a reply's text or call stands in it. */
      readonly speaks: boolean;
      readonly pieces: readonly Piece[];
    }
  | { readonly kind: "malformed"; readonly reason: string };

const id = z.string().nullish().catch(undefined);
const anything = z.unknown().optional();

const schemas = {
  message: z.object({ role: z.string(), content: z.union([z.string(), z.array(anything)]) }),
  reasoning: z.object({
    summary: z.array(anything).nullish().catch(undefined),
    content: z.array(anything).nullish().catch(undefined),
    encrypted_content: z.string().nullish().catch(undefined),
  }),
  function_call: z.object({ name: z.string(), arguments: anything, call_id: id }),
  custom_tool_call: z.object({ name: z.string(), input: anything, call_id: id }),
  local_shell_call: z.object({ action: anything, call_id: id, id }),
  web_search_call: z.object({ action: anything, call_id: id, id }),
  tool_search_call: z.object({ arguments: anything, call_id: id, id }),
  image_generation_call: z.object({ revised_prompt: anything, result: anything, id }),
  function_call_output: z.object({ call_id: id, output: anything }),
  custom_tool_call_output: z.object({ call_id: id, output: anything }),
  tool_search_output: z.object({ call_id: id, tools: anything }),
  compaction: z.object({ encrypted_content: z.string().nullish().catch(undefined) }),
};

type ItemType = keyof typeof schemas;
const isKnown = (type: string): type is ItemType => Object.hasOwn(schemas, type);

/** Encrypted compactions have had several names. */
const canonical = (type: string): string => (/^(context_)?compaction(_summary)?$/.test(type) ? "compaction" : type);

/** The pieces of a response item. A result of one of `failedCalls` is an error, and the call is taken off the list. */
export function codexPieces(payload: { readonly [key: string]: unknown }, failedCalls: Set<string>): CodexItem {
  const type = payload["type"];
  if (typeof type !== "string") return { kind: "malformed", reason: "response item without a type" };
  const known = canonical(type);
  if (!isKnown(known)) return { kind: "malformed", reason: named("response item", type) };
  const parsed = parse(known, payload);
  if (parsed === undefined) return { kind: "malformed", reason: named("malformed response item", type) };
  const call = (id: string | null | undefined, tool: string, args: unknown): CodexItem =>
    reply([{ kind: "call", call: id ?? undefined, tool, args: callArguments(args) }]);
  switch (parsed.type) {
    case "message":
      return message(parsed.item);
    case "reasoning":
      return { kind: "item", side: "assistant", speaks: false, pieces: reasoning(parsed.item) };
    case "function_call": {
      const { name, call_id, arguments: args } = parsed.item;
      return call(call_id, name, typeof args === "string" ? parsedArguments(args) : args);
    }
    case "custom_tool_call":
      return call(parsed.item.call_id, parsed.item.name, { input: parsed.item.input ?? "" });
    case "local_shell_call":
      return call(parsed.item.call_id ?? parsed.item.id, "local_shell", parsed.item.action);
    case "web_search_call":
      return call(parsed.item.call_id ?? parsed.item.id, "web_search", parsed.item.action);
    case "tool_search_call":
      return call(parsed.item.call_id ?? parsed.item.id, "tool_search", parsed.item.arguments);
    case "image_generation_call": {
      const { id, revised_prompt, result } = parsed.item;
      const item = call(id, "image_generation", { prompt: revised_prompt ?? "" });
      const image = leftOut("image", "image", asText(result).length);
      return item.kind === "item" ? { ...item, pieces: [...item.pieces, image] } : item;
    }
    case "function_call_output":
    case "custom_tool_call_output":
      return output(parsed.item.call_id, parsed.item.output, failedCalls);
    case "tool_search_output":
      return output(parsed.item.call_id, asText(parsed.item.tools), failedCalls);
    case "compaction": {
      const characters = parsed.item.encrypted_content?.length ?? 0;
      const pieces = [leftOut("opaque", "encrypted compaction", characters)];
      return { kind: "item", side: "harness", speaks: false, pieces };
    }
  }
}

type ParsedItem = {
  [Type in ItemType]: { readonly type: Type; readonly item: z.infer<(typeof schemas)[Type]> };
}[ItemType];

function parse(type: ItemType, payload: unknown): ParsedItem | undefined {
  const result = schemas[type].safeParse(payload);
  return result.success ? ({ type, item: result.data } as ParsedItem) : undefined;
}

const reply = (pieces: readonly Piece[]): CodexItem => ({ kind: "item", side: "assistant", speaks: true, pieces });

function message({ role, content }: z.infer<typeof schemas.message>): CodexItem {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (role !== "user" && role !== "assistant") {
    const characters = parts.reduce((sum: number, part) => sum + (textIn(part)?.length ?? 0), 0);
    const reason =
      role === "developer" || role === "system" ? `instructions (${role} message)` : named("message of role", role);
    return { kind: "item", side: "harness", speaks: false, pieces: [leftOut("other", reason, characters)] };
  }
  const pieces = parts.map((part): Piece => {
    const text = textIn(part);
    if (text !== undefined) return { kind: "text", role, text };
    const type = isObject(part) ? part["type"] : part;
    if (type === "input_image" || type === "output_image") return leftOut("image", "image", asText(part).length);
    return leftOut("other", named("content of type", type), asText(part).length);
  });
  return role === "assistant" ? reply(pieces) : { kind: "item", side: "user", speaks: false, pieces };
}

const textTypes = new Set(["input_text", "output_text", "text", "refusal"]);

/** The text of a content part, or undefined for a part of another kind. */
function textIn(part: unknown): string | undefined {
  if (!isObject(part) || !textTypes.has(part["type"] as string)) return undefined;
  const text = part["text"] ?? part["refusal"];
  return typeof text === "string" ? text : undefined;
}

function reasoning({ summary, content, encrypted_content: encrypted }: z.infer<typeof schemas.reasoning>): Piece[] {
  const texts = [...(summary ?? []), ...(content ?? [])].map((part) => (isObject(part) ? asText(part["text"]) : ""));
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const pieces: Piece[] = [];
  if (characters > 0 || typeof encrypted !== "string") pieces.push(leftOut("reasoning", "reasoning", characters));
  if (typeof encrypted === "string") pieces.push(leftOut("opaque", "encrypted reasoning", encrypted.length));
  return pieces;
}

/** An output is a text; some releases stored content parts, or an object that holds either. */
function output(call: string | null | undefined, value: unknown, failedCalls: Set<string>): CodexItem {
  const holder = isObject(value) && "content" in value ? value : undefined;
  const content = holder === undefined ? value : holder["content"];
  const error = holder?.["success"] === false || failedCalls.delete(call ?? "");
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts: string[] = [];
  const others: Piece[] = [];
  for (const part of parts) {
    const text = textIn(part);
    if (text !== undefined) texts.push(text);
    else if (isObject(part) && part["type"] === "input_image")
      others.push(leftOut("image", "image", asText(part).length));
    else texts.push(asText(part));
  }
  const result: Piece = { kind: "result", call: call ?? undefined, text: texts.join("\n"), error };
  return { kind: "item", side: "tool", speaks: false, pieces: [result, ...others] };
}
