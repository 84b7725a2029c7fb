/** Which format a file is, by its content. Names say nothing: files of standard names with home-made lines exist. */
import { statSync } from "node:fs";
import * as z from "zod";
import { recordSchema } from "../chain/record.ts";
import { ArtifactError } from "../errors.ts";
import { codexLineSchema } from "./codex.ts";
import { type DocumentPiece, documentPieces } from "./document.ts";
import { formatNames, formats, type Recognised } from "./formats.ts";
import { isObject, parseJson } from "./json-value.ts";
import { lines, markBytes } from "./lines.ts";
import { binaryKind, documentKind, linesKind } from "./look-alikes.ts";
import type { FormatName } from "./report.ts";
import { fileSource, type Source, unreadable } from "./source.ts";

type Fields = { readonly [key: string]: unknown };

/** The format of the session at this path. `source` is its bytes, where they are not on the disk. Throws ArtifactError in one line for anything else. */
export function recognise(path: string, source?: Source): Recognised {
  if (source === undefined && isFolder(path)) return { format: "opencode", layout: "storage" };
  const bytes = source ?? fileSource(path);
  const head = headOf(bytes);
  const binary = binaryKind(head);
  if (binary !== undefined) throw seems(path, binary);
  const begins = head.toString("utf8", markBytes(head)).trimStart().charAt(0);
  if (begins !== "{" && begins !== "[") {
    const found = lineFormat(sampleLines(bytes));
    if (found !== undefined) return found;
    throw seems(path, begins === "" ? "white space" : "text that is no JSON");
  }
  if (begins === "{" && firstLineStandsAlone(bytes)) {
    const sample = sampleLines(bytes);
    const found = lineFormat(sample);
    if (found !== undefined) return found;
    throw seems(path, linesKind(sample));
  }
  return documentFormat(path, bytes, source === undefined);
}

/** The layout of a file whose format was given. */
export function withFormat(path: string, format: FormatName, source?: Source): Recognised {
  const { layouts } = formats[format];
  const [usual = "lines"] = layouts;
  if (layouts.length === 1) return { format, layout: usual };
  try {
    const found = recognise(path, source);
    return found.format === format ? found : { format, layout: usual };
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    return { format, layout: usual };
  }
}

/** A file that is no session of the expected kind, as an error of one line. */
const seems = (path: string, kind: string): ArtifactError =>
  new ArtifactError(path, `seems to be ${kind}. Formats that can be imported: ${formatNames.join(", ")}.`);

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function headOf(source: Source): Buffer {
  for (const chunk of source.chunks()) return Buffer.from(chunk.subarray(0, 4096));
  return Buffer.alloc(0);
}

/** A first line that is longer than this belongs to a document; the first line of a session is its header. */
const maxFirstLineBytes = 1 << 23;

/** Whether the file goes on after a first line that is a whole JSON object, as JSONL does. */
function firstLineStandsAlone(source: Source): boolean {
  let seen = 0;
  for (const chunk of source.chunks()) {
    seen += chunk.length;
    if (chunk.includes(0x0a)) break;
    if (seen > maxFirstLineBytes) return false;
  }
  let first: string | undefined;
  for (const { text } of lines(source)) {
    if (text.trim() === "") continue;
    if (first !== undefined) return true;
    first = text;
    const parsed = parseJson(text);
    if (!parsed.ok) return !isDocument(source) && sampleLines(source).length > 0;
    if (isSingleLineSession(parsed.value)) return true;
  }
  return false;
}

/** A session whose only line so far is a line of a known format. */
const isSingleLineSession = (value: unknown): boolean => isObject(value) && lineFormat([value]) !== undefined;

/** Whether the outermost JSON holds together as far as its first pieces. */
function isDocument(source: Source): boolean {
  try {
    let pieces = 0;
    for (const piece of documentPieces(source, ["messages", "records"]))
      if (++pieces === 3 || (piece.kind === "element" && parseJson(piece.text).ok)) return true;
    return true;
  } catch (error) {
    if (error instanceof ArtifactError) return false;
    throw error;
  }
}

const sampledLines = 400;

/** The objects among the first lines. */
function sampleLines(source: Source): Fields[] {
  const sample: Fields[] = [];
  for (const { number, text } of lines(source)) {
    if (number > sampledLines) break;
    const parsed = parseJson(text);
    if (parsed.ok && isObject(parsed.value)) sample.push(parsed.value);
  }
  return sample;
}

const text = z.string().min(1);
const lineSchemas: readonly { readonly format: FormatName; readonly schema: z.ZodType }[] = [
  { format: "codex", schema: codexLineSchema },
  {
    format: "claude",
    schema: z.union([
      z.object({ type: text, sessionId: text }),
      z.object({ type: z.literal("summary"), leafUuid: text }),
      z.object({ type: z.literal("file-history-snapshot"), messageId: text }),
    ]),
  },
  {
    format: "records",
    schema: z.object({ id: text, kind: z.enum(recordSchema.options.map(({ shape }) => shape.kind.value)), role: text }),
  },
];

const piHeader = z.object({ type: z.literal("session"), id: text, timestamp: z.unknown().optional(), cwd: text });
const piEntry = z.object({ type: text, timestamp: z.union([z.string(), z.number()]) });

/** The format that at least half of the sampled lines are of. */
function lineFormat(sample: readonly Fields[]): Recognised | undefined {
  const isMost = (schema: z.ZodType): boolean =>
    2 * sample.filter((line) => schema.safeParse(line).success).length >= Math.max(1, sample.length);
  if (piHeader.safeParse(sample[0]).success && isMost(piEntry)) return { format: "pi", layout: "lines" };
  const found = lineSchemas.find(({ schema }) => sample.length > 0 && isMost(schema));
  return found && { format: found.format, layout: "lines" };
}

/** Elements looked at before two chat formats that look alike so far are taken for OpenAI's. */
const sampledElements = 2000;

function documentFormat(path: string, source: Source, isOnDisk: boolean): Recognised {
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
