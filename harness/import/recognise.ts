/** Which format a file is, by its content. Names say nothing: files of standard names with home-made lines exist. */
import { statSync } from "node:fs";
import * as z from "zod";
import { recordSchema } from "../chain/record.ts";
import { ArtifactError } from "../errors.ts";
import { codexLineSchema } from "./codex.ts";
import { documentPieces } from "./document.ts";
import { formats, type Recognised } from "./formats.ts";
import { isObject, parseJson } from "./json-value.ts";
import { lines, markBytes } from "./lines.ts";
import { binaryKind, linesKind, seems } from "./look-alikes.ts";
import { documentFormat } from "./recognise-document.ts";
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
