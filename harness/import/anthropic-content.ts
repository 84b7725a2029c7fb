/**
 * Content of Anthropic messages as pieces: what Claude Code stores and what the Messages API takes.
 *
 * Source: the Anthropic Messages API's content blocks.
 */
import * as z from "zod";
import { leftOut, named, type Piece } from "./entry.ts";
import { asText, callArguments, isObject } from "./json-value.ts";

const id = z.string().nullish().catch(undefined);
const schemas = {
  text: z.object({ text: z.string() }),
  thinking: z.object({ thinking: z.string() }),
  redacted: z.object({ data: z.string().optional().catch(undefined) }),
  call: z.object({ id, name: z.string(), input: z.unknown().optional() }),
  result: z.object({
    tool_use_id: id,
    content: z.unknown().optional(),
    is_error: z.boolean().optional().catch(undefined),
  }),
};

/** The pieces of a message's content, in order. What is not understood is left out under its type. */
export function contentPieces(content: unknown, role: "user" | "assistant"): Piece[] {
  if (typeof content === "string") return [{ kind: "text", role, text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((one: unknown) => blockPieces(one, role));
}

function blockPieces(block: unknown, role: "user" | "assistant"): Piece[] {
  return understood(block, role) ?? [notUnderstood(block)];
}

function understood(block: unknown, role: "user" | "assistant"): Piece[] | undefined {
  const type = isObject(block) && typeof block["type"] === "string" ? block["type"] : "";
  if (type === "text") {
    const { data } = schemas.text.safeParse(block);
    return data && [{ kind: "text", role, text: data.text }];
  }
  if (type === "thinking") {
    const { data } = schemas.thinking.safeParse(block);
    return data && [leftOut("reasoning", "thinking", data.thinking.length)];
  }
  if (type === "redacted_thinking") {
    const { data } = schemas.redacted.safeParse(block);
    return data && [leftOut("opaque", "redacted thinking", data.data?.length ?? 0)];
  }
  if (type === "image") return [imagePiece(block)];
  if (/^(server_|mcp_)?tool_use$/.test(type)) {
    const { data } = schemas.call.safeParse(block);
    return data && [{ kind: "call", call: data.id ?? undefined, tool: data.name, args: callArguments(data.input) }];
  }
  if (/^([a-z_]+_)?tool_result$/.test(type)) {
    const { data } = schemas.result.safeParse(block);
    return data && resultPieces(data);
  }
  return undefined;
}

const imagePiece = (value: unknown): Piece => leftOut("image", "image", asText(value).length);

function notUnderstood(value: unknown): Piece {
  const type = isObject(value) ? value["type"] : value;
  return leftOut("other", named("content of type", type), asText(value).length);
}

/** A result's texts are joined by newline; images in it, and what is not understood, are left out after it. */
function resultPieces({ tool_use_id: call, content, is_error: error }: z.infer<typeof schemas.result>): Piece[] {
  const texts: string[] = [];
  const others: Piece[] = [];
  for (const part of Array.isArray(content) ? (content as unknown[]) : [content]) {
    if (isObject(part) && part["type"] === "text" && typeof part["text"] === "string") texts.push(part["text"]);
    else if (isObject(part) && part["type"] === "image") others.push(imagePiece(part));
    else if (isObject(part) && typeof part["type"] === "string" && Array.isArray(content))
      others.push(notUnderstood(part));
    else texts.push(asText(part));
  }
  return [{ kind: "result", call: call ?? undefined, text: texts.join("\n"), error: error ?? false }, ...others];
}

const usageSchema = z.object({
  input_tokens: z.int().nonnegative().optional().catch(undefined),
  cache_creation_input_tokens: z.int().nonnegative().optional().catch(undefined),
  cache_read_input_tokens: z.int().nonnegative().optional().catch(undefined),
  output_tokens: z.int().nonnegative().optional().catch(undefined),
});

/** Usage as the Messages API reports it, or undefined where there is none. */
export function anthropicUsage(value: unknown) {
  const parsed = usageSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { data } = parsed;
  return {
    freshInputTokens: data.input_tokens,
    cacheReadTokens: data.cache_read_input_tokens,
    cacheWriteTokens: data.cache_creation_input_tokens,
    outputTokens: data.output_tokens,
  };
}
