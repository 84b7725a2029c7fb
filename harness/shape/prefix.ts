/** The common prefix of two request bodies in cache order: tools, then the system prompt, then messages. */
import type { JsonObject, JsonValue } from "../json.ts";
import { isObject, messagesIn, objectsIn, systemMessages } from "./session-shape.ts";
import { isSameJson } from "./same-json.ts";
import type { Style } from "./styles.ts";

/** A stretch of a body in cache order. Two bodies can share a piece only in equal sections. */
export interface Piece {
  readonly section: "tools" | "system" | `messages${string}`;
  /** As it stands in the body, cache breakpoints left out: they move on and are no part of what is cached. */
  readonly value: JsonValue;
}

/** The pieces of a body: a tool, a system text, and of the messages one message (chat) or one block (Anthropic's messages). */
export function cacheOrder(form: Style["form"], body: JsonObject): Piece[] {
  const tools = objectsIn(body["tools"]);
  const toolPieces = tools.length === 0 ? [[]] : tools.map(unmarked);
  return [
    ...toolPieces.map((value): Piece => ({ section: "tools", value })),
    ...(form === "chat" ? chatPieces(body) : messagePieces(body)),
  ];
}

function chatPieces(body: JsonObject): Piece[] {
  const system = systemMessages("chat", body);
  return messagesIn("chat", body).map((message, at) => ({
    section: at < system ? "system" : "messages",
    value: plain(message),
  }));
}

/** A message whose content is one marked text, as it would stand there without the mark. */
function plain(message: JsonObject): JsonObject {
  const parts = objectsIn(message["content"]);
  const text = parts.length === 1 ? parts[0]?.["text"] : undefined;
  return typeof text === "string" ? { ...message, content: text } : message;
}

function messagePieces(body: JsonObject): Piece[] {
  const section = `messages${messageSettings(body)}` as const;
  const system =
    typeof body["system"] === "string" ? [{ type: "text", text: body["system"] }] : objectsIn(body["system"]);
  return [
    ...system.map((block): Piece => ({ section: "system", value: unmarked(block) })),
    ...messagesIn("messages", body).flatMap(({ role = "", content }) =>
      blocksIn(content).map((block): Piece => ({ section, value: { role, ...unmarked(block) } })),
    ),
  ];
}

const blocksIn = (content: JsonValue | undefined): JsonObject[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content);

function unmarked(block: JsonObject): JsonObject {
  if (!("cache_control" in block)) return block;
  const { cache_control: _mark, ...rest } = block;
  return rest;
}

/**
 * What else two requests need equal to share messages: the choice of tools and the thinking.
 *
 * Source: Anthropic's page on prompt caching, what invalidates the cache. Of other providers no such rule is known.
 */
export function messageSettings(body: JsonObject): string {
  const { tool_choice: choice, thinking } = body;
  return isObject(choice) || isObject(thinking) ? ` ${JSON.stringify({ choice, thinking })}` : "";
}

export interface SharedBytes {
  /** UTF-8 bytes of `later` that `earlier` begins with too. */
  readonly bytes: number;
  /** All bytes of `later`. */
  readonly ofBytes: number;
}

/** The longest common prefix of two bodies. Linear. */
export function sharedBytes(earlier: readonly Piece[], later: readonly Piece[]): SharedBytes {
  let bytes = 0;
  let ofBytes = 0;
  let equal = true;
  for (const [at, { section, value }] of later.entries()) {
    const json = JSON.stringify(value);
    const size = Buffer.byteLength(json);
    ofBytes += size;
    if (!equal) continue;
    const other = earlier[at];
    equal = other?.section === section && isSameJson(other.value, value);
    if (equal) bytes += size;
    else if (other?.section === section) bytes += Buffer.byteLength(commonPrefix(JSON.stringify(other.value), json));
  }
  return { bytes, ofBytes };
}

/** The common beginning of two texts; never ends inside a surrogate pair. */
export function commonPrefix(left: string, right: string): string {
  const most = Math.min(left.length, right.length);
  let at = 0;
  while (at < most && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  const last = left.charCodeAt(at - 1);
  return left.slice(0, last >= 0xd800 && last < 0xdc00 ? at - 1 : at);
}
