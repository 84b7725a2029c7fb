/** What a file that cannot be imported seems to be: names for what people have under the names of session files. */
import { ArtifactError } from "../errors.ts";
import { formatNames } from "./formats.ts";
import { isObject } from "./json-value.ts";

type Fields = { readonly [key: string]: unknown };

/** Kinds of bytes that are no text, by how they begin. */
const signatures: readonly { readonly begins: string; readonly is: string }[] = [
  {
    begins: "SQLite format 3\0",
    is: "an SQLite database. Newer OpenCode releases keep sessions in one: give what opencode export writes",
  },
  { begins: "\x1f\x8b", is: "a gzip file. Unpack it first" },
  { begins: "\x28\xb5\x2f\xfd", is: "a zstd file. Unpack it first" },
  { begins: "PK\x03\x04", is: "a zip file. Unpack it first" },
  { begins: "%PDF", is: "a PDF file" },
  { begins: "\x89PNG", is: "a PNG image" },
  { begins: "\xff\xd8\xff", is: "a JPEG image" },
  { begins: "\xff\xfe", is: "UTF-16 text. Save it as UTF-8" },
  { begins: "\xfe\xff", is: "UTF-16 text. Save it as UTF-8" },
];

/** What bytes that are no UTF-8 text seem to be, or undefined for text. */
export function binaryKind(head: Buffer): string | undefined {
  const start = head.toString("latin1");
  return (
    signatures.find(({ begins }) => start.startsWith(begins))?.is ?? (head.includes(0) ? "binary data" : undefined)
  );
}

const has = (value: Fields, ...keys: readonly string[]): boolean => keys.every((key) => Object.hasOwn(value, key));
const typeOf = (value: Fields): string => (typeof value["type"] === "string" ? value["type"] : "");

/** What lines of JSON that are no known format seem to be, by their first objects. */
const lineKinds: readonly { readonly is: string; readonly fits: (line: Fields) => boolean }[] = [
  {
    is: "Codex's history of prompts. Sessions are the rollout files under ~/.codex/sessions",
    fits: (line) => has(line, "session_id", "ts", "text"),
  },
  {
    is: "Claude Code's history of prompts. Sessions are the files under ~/.claude/projects",
    fits: (line) => has(line, "display", "project"),
  },
  {
    is: "the output of codex exec --json. Give the rollout file under ~/.codex/sessions",
    fits: (line) => /^(thread|turn|item)\.[a-z]+$/.test(typeOf(line)),
  },
  {
    is: "Claude Code's stream-json output. Give the session file under ~/.claude/projects",
    fits: (line) => has(line, "session_id") && (has(line, "message") || typeOf(line) === "system"),
  },
  {
    is: "a Codex rollout of an early release, without a payload in its lines. Open the session in a current release first",
    fits: (line) => has(line, "record_type") || has(line, "instructions", "timestamp", "id"),
  },
  {
    is: "several conversations, one a line. Give each as a file of its own",
    fits: (line) => Array.isArray(line["messages"]),
  },
  {
    is: "lines like Codex's, but without a payload of the kind that Codex writes",
    fits: (line) =>
      /^(response_item|event_msg|session_meta|turn_context)$/.test(typeOf(line)) || has(line, "type", "payload"),
  },
  {
    is: "lines like Claude Code's, but without uuid and sessionId",
    fits: (line) => /^(user|assistant)$/.test(typeOf(line)),
  },
  {
    is: "lines like pi's, but without the session header in the first line",
    fits: (line) => typeOf(line) === "message" && has(line, "message"),
  },
  {
    is: 'chat messages, one a line. Write them as one list, {"messages":[…]}',
    fits: (line) => has(line, "role", "content"),
  },
];

/** What JSON lines seem to be. */
export function linesKind(sample: readonly Fields[]): string {
  const kind = lineKinds.find(({ fits }) => sample.slice(0, 5).some(fits));
  return kind?.is ?? `lines of JSON with ${keysOf(sample[0])}`;
}

/** What a JSON document seems to be, by its keys or by its first element. */
export function documentKind(keys: readonly string[], first: unknown): string {
  const element = isObject(first) ? first : {};
  if (keys.includes("mapping") || has(element, "mapping")) return "a ChatGPT conversation export";
  if (keys.includes("contents") || has(element, "role", "parts")) return "a Gemini conversation";
  if (has(element, "info", "parts")) return "the messages of an OpenCode session. Give what opencode export writes";
  if (keys.includes("input") && keys.includes("model")) return "a request of OpenAI's Responses API";
  if (keys.includes("requests") && keys.includes("sessionId")) return "a VS Code chat session";
  if (keys.length > 0) return `a JSON document with ${keyList(keys)}`;
  return isObject(first) ? `a list of JSON objects with ${keysOf(first)}` : "a JSON list";
}

const keysOf = (value: Fields | undefined): string => keyList(Object.keys(value ?? {}));

function keyList(keys: readonly string[]): string {
  if (keys.length === 0) return "no keys";
  const shown = keys.slice(0, 4).map((key) => JSON.stringify(key.slice(0, 30)));
  return `the keys ${shown.join(", ")}${keys.length > shown.length ? ", …" : ""}`;
}

/** A file that is no session of the expected kind, as an error of one line. */
export const seems = (path: string, kind: string): ArtifactError =>
  new ArtifactError(path, `seems to be ${kind}. Formats that can be imported: ${formatNames.join(", ")}.`);
