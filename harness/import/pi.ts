/**
 * pi sessions: JSONL with a header line, then entries; newer files give entries ids and parents, so that a session can
 * branch. Compactions name the first entry they kept, by its index in the file or by its id.
 *
 * Source: badlogic/pi-mono, session files of versions 1 to 3.
 */
import * as z from "zod";
import { leftOut, named, type Entry, type History, type Piece, skipped, stored } from "./entry.ts";
import { type Findings, foundModel, foundUsage, tokenCount } from "./findings.ts";
import { asText, callArguments, isObject } from "./json-value.ts";
import { jsonLines } from "./jsonl.ts";
import { choosePiBranch, otherBranch, type PiBranch } from "./pi-branch.ts";
import type { Source } from "./source.ts";

const anything = z.unknown().optional();
const content = z.union([z.string(), z.array(anything)]);
const text = z.string().optional().catch(undefined);

const piMessageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), content }),
  z.object({
    role: z.literal("assistant"),
    content,
    model: text,
    usage: z
      .object({ input: tokenCount, output: tokenCount, cacheRead: tokenCount, cacheWrite: tokenCount })
      .optional()
      .catch(undefined),
  }),
  z.object({
    role: z.literal("toolResult"),
    toolCallId: text,
    content,
    isError: z.boolean().optional().catch(undefined),
  }),
  z.object({
    role: z.literal("bashExecution"),
    command: z.string(),
    output: z.string(),
    excludeFromContext: z.boolean().optional().catch(undefined),
  }),
]);

const entrySchema = z.object({
  type: z.string(),
  version: z.union([z.string(), z.number()]).optional().catch(undefined),
  modelId: text,
  summary: text,
  content: content.optional().catch(undefined),
  message: anything,
});

/** The entries of the branch that ends last, in the order the agent had them. Reads the file twice. */
export function* readPi(source: Source, history: History, findings: Findings): Generator<Entry> {
  const branch = choosePiBranch(source, history, findings);
  let held: Entry[] = [];
  for (const { entry, lineNumber } of entriesOf(source, history, findings, branch)) {
    if (branch.isKept(lineNumber) && entry.kind === "stored") {
      held.push(entry);
      continue;
    }
    yield entry;
    if (!branch.isLiveSummary(lineNumber)) continue;
    yield* held;
    held = [];
  }
}

interface PlacedEntry {
  readonly entry: Entry;
  readonly lineNumber: number;
}

function* entriesOf(source: Source, history: History, findings: Findings, branch: PiBranch): Generator<PlacedEntry> {
  let headerModel: string | undefined;
  let hasRecords = false;
  for (const json of jsonLines(source, findings)) {
    const at = (entry: Entry): PlacedEntry => ({ entry, lineNumber: json.number });
    if (json.kind === "other") {
      yield at(json.entry);
      continue;
    }
    const parsed = entrySchema.safeParse(json.value);
    if (!parsed.success) {
      yield at(skipped("line without a type"));
      continue;
    }
    const entry = parsed.data;
    const place = `L${json.number}`;
    const reason = branch.reasonToSkip(json.number);
    if (entry.type === "session") {
      if (entry.version !== undefined) findings.versions.add(`${entry.version}`.slice(0, 40));
      headerModel = entry.modelId;
    }
    if (entry.type === "compaction" && reason !== otherBranch)
      findings.compactions.push({ place, kind: "readable", summaryCharacters: (entry.summary ?? "").length });
    if (reason !== undefined) yield at(skipped(reason));
    else if (entry.type === "message") {
      const message = piMessageSchema.safeParse(entry.message);
      if (!message.success) {
        const role = isObject(entry.message) ? entry.message["role"] : undefined;
        yield at(skipped(named("malformed message of role", role ?? "")));
        continue;
      }
      if (message.data.role === "assistant") {
        foundModel(findings, message.data.model ?? headerModel);
        const { usage } = message.data;
        if (usage !== undefined)
          foundUsage(findings, place, {
            freshInputTokens: usage.input,
            cacheReadTokens: usage.cacheRead,
            cacheWriteTokens: usage.cacheWrite,
            outputTokens: usage.output,
          });
      }
      const pieces = messagePieces(message.data);
      if (pieces.some(({ kind }) => kind !== "left-out")) hasRecords = true;
      yield at(stored(place, pieces, place));
    } else if (entry.type === "custom_message")
      yield at(stored(place, contentPieces(entry.content ?? [], "user"), place));
    else if (entry.type === "compaction") {
      if (history === "raw" && hasRecords) yield at(skipped("compaction (what it replaced is imported)"));
      else if (history === "raw" || branch.isLiveSummary(json.number))
        yield at(stored(place, [{ kind: "text", role: "user", text: entry.summary ?? "" }]));
      else yield at(skipped("compaction"));
    } else yield at(skipped(named("entry of type", entry.type)));
  }
}

function messagePieces(message: z.infer<typeof piMessageSchema>): Piece[] {
  switch (message.role) {
    case "user":
    case "assistant":
      return contentPieces(message.content, message.role);
    case "toolResult":
      return resultPieces(message);
    case "bashExecution":
      if (message.excludeFromContext === true)
        return [leftOut("other", "command that the user kept out of the context", message.output.length)];
      return [{ kind: "text", role: "user", text: `$ ${message.command}\n${message.output}` }];
  }
}

function contentPieces(value: z.infer<typeof content>, role: "user" | "assistant"): Piece[] {
  if (typeof value === "string") return [{ kind: "text", role, text: value }];
  return value.map((block): Piece => {
    if (!isObject(block)) return leftOut("other", named("content of type", block), asText(block).length);
    const { type } = block;
    if (type === "text" && typeof block["text"] === "string") return { kind: "text", role, text: block["text"] };
    if (type === "thinking") return leftOut("reasoning", "thinking", asText(block["thinking"]).length);
    if (type === "image") return leftOut("image", "image", asText(block["data"] ?? block["source"]).length);
    if (type === "toolCall" && typeof block["name"] === "string") {
      const call = typeof block["id"] === "string" ? block["id"] : undefined;
      return { kind: "call", call, tool: block["name"], args: callArguments(block["arguments"]) };
    }
    return leftOut("other", named("content of type", type ?? ""), asText(block).length);
  });
}

function resultPieces(message: Extract<z.infer<typeof piMessageSchema>, { role: "toolResult" }>): Piece[] {
  const pieces = contentPieces(message.content, "user");
  const texts = pieces.flatMap((piece) => (piece.kind === "text" ? [piece.text] : []));
  const others = pieces.filter((piece) => piece.kind === "left-out");
  const error = message.isError ?? false;
  return [{ kind: "result", call: message.toolCallId, text: texts.join("\n"), error }, ...others];
}
