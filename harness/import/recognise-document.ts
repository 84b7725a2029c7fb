/** Which format a JSON document is, by the elements of its lists. */
import * as z from "zod";
import { ArtifactError } from "../errors.ts";
import { type DocumentPiece, documentPieces } from "./document.ts";
import type { Recognised } from "./formats.ts";
import { isObject, parseJson } from "./json-value.ts";
import { documentKind, seems } from "./look-alikes.ts";
import type { FormatName } from "./report.ts";
import type { Source } from "./source.ts";

const text = z.string().min(1);

/** Elements looked at before two chat formats that look alike so far are taken for OpenAI's. */
const sampledElements = 2000;

/** The format of a document. `isOnDisk`: it may be the info file of a stored session. Throws ArtifactError for any other. */
export function documentFormat(path: string, source: Source, isOnDisk: boolean): Recognised {
  const keys: string[] = [];
  let first: unknown;
  let elements = 0;
  let hasSystem = false;
  let isChat = false;
  for (const piece of documentPieces(source, ["messages", "records"])) {
    if (piece.kind === "field") {
      keys.push(piece.key);
      if (piece.key === "system") hasSystem = true;
      if (isOnDisk && isStorageInfo(piece)) return { format: "opencode", layout: "storage" };
      continue;
    }
    if (piece.index === 0 && piece.key !== undefined) keys.push(piece.key);
    const parsed = parseJson(piece.text);
    if (!parsed.ok)
      throw new ArtifactError(path, `element ${piece.index + 1} is not JSON. Give a file as the agent wrote it.`);
    first ??= parsed.value;
    const format = elementFormat(piece.key, parsed.value);
    if (format === "chat") isChat = true;
    else if (format !== undefined) return { format, layout: "document" };
    else if (!isChat) break;
    if (++elements === sampledElements) break;
  }
  if (isChat) return { format: hasSystem ? "anthropic" : "openai", layout: "document" };
  throw seems(path, documentKind(keys, first));
}

/** The id of a session's info file in the storage folders. */
const isStorageInfo = (piece: Extract<DocumentPiece, { kind: "field" }>): boolean =>
  piece.key === "id" && /^"ses_[A-Za-z0-9]+"$/.test(piece.text ?? "");

const openCodeMessage = z.object({ info: z.object({ id: text, role: text }), parts: z.array(z.unknown()) });
const chatMessage = z.object({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: z.union([z.string(), z.array(z.unknown()), z.null()]).optional(),
  tool_calls: z.unknown().optional(),
});
const anthropicBlock = z.object({
  type: z.enum(["tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document", "server_tool_use"]),
});
const openAiPart = z.object({ type: z.enum(["image_url", "input_audio", "file", "refusal"]) });

/** The format that an element gives away; `chat` where both chat formats have such messages. */
function elementFormat(key: string | undefined, value: unknown): FormatName | "chat" | undefined {
  if (key === "records") return isObject(value) && typeof value["kind"] === "string" ? "records" : undefined;
  if (key === "messages" && openCodeMessage.safeParse(value).success) return "opencode";
  const { data } = chatMessage.safeParse(value);
  if (data === undefined || (data.content === undefined && data.tool_calls === undefined)) return undefined;
  if ((data.role !== "user" && data.role !== "assistant") || data.content === null || data.tool_calls !== undefined)
    return "openai";
  const blocks = Array.isArray(data.content) ? data.content : [];
  if (blocks.some((block) => anthropicBlock.safeParse(block).success)) return "anthropic";
  return blocks.some((block) => openAiPart.safeParse(block).success) ? "openai" : "chat";
}
