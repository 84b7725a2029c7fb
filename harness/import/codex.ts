/**
 * Codex rollouts: one `{timestamp, type, payload}` a line. The history a model is given stands in the response items;
 * events repeat them for the screen. The file is only appended to, so what a compaction replaced is still there.
 *
 * Source: openai/codex, rollout files of releases up to 0.155.0, as written by the program.
 */
import * as z from "zod";
import { codexPieces } from "./codex-items.ts";
import { type Entry, type History, named, type Piece, skipped, stored, type StoredMessage } from "./entry.ts";
import { type Findings, foundModel, foundUsage, type ReplyUsage, tokenCount } from "./findings.ts";
import { isObject } from "./json-value.ts";
import { jsonLines } from "./jsonl.ts";
import type { Source } from "./source.ts";

export const codexLineSchema = z.object({
  type: z.enum([
    "session_meta",
    "turn_context",
    "response_item",
    "event_msg",
    "compacted",
    "world_state",
    "token_usage_record",
  ]),
  payload: z.custom<{ readonly [key: string]: unknown }>(isObject),
});

const metaSchema = z.object({ cli_version: z.string().optional().catch(undefined) });
const turnSchema = z.object({ model: z.string().optional().catch(undefined) });
const usageSchema = z.object({
  input_tokens: tokenCount,
  cached_input_tokens: tokenCount,
  cache_write_input_tokens: tokenCount,
  output_tokens: tokenCount,
});
const usageRecordSchema = z.object({
  response_id: z.string().optional().catch(undefined),
  usage: usageSchema.optional().catch(undefined),
});
const itemSchema = z.object({
  type: z.string().optional().catch(undefined),
  id: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
  exit_code: z.number().optional().catch(undefined),
});
const eventSchema = z.object({
  type: z.string(),
  call_id: z.string().optional().catch(undefined),
  exit_code: z.number().optional().catch(undefined),
  success: z.boolean().optional().catch(undefined),
  result: z.unknown().optional(),
  /** What newer releases tell of an item at once, whatever its kind. */
  item: itemSchema.optional().catch(undefined),
  info: z
    .object({ total_token_usage: usageSchema.optional().catch(undefined) })
    .nullish()
    .catch(undefined),
});
const compactedSchema = z.object({
  message: z.string().nullish().catch(undefined),
  replacement_history: z.array(z.unknown()).nullish().catch(undefined),
});

/** Events that say again what a response item says. */
const repeating = new Set(["user_message", "agent_message", "agent_reasoning", "agent_reasoning_raw_content"]);
const repeatingItems = new Set(["UserMessage", "AgentMessage", "Reasoning"]);

/** User texts that a compaction without a replacement history kept. Source: openai/codex, local compaction. */
const keptUserTokens = 20_000;

export function* readCodex(source: Source, history: History, findings: Findings): Generator<Entry> {
  const lastCompaction = history === "live" ? findLastCompaction(source) : 0;
  const failedCalls = new Set<string>();
  const usages = usageKeeper(findings);
  const userTexts: string[] = [];
  /** An assistant's message, held back until it is clear that no compaction follows whose summary it is. */
  let held: { readonly entry: Entry; readonly text: string } | undefined;
  let hasRecords = false;
  let reply = 0;
  /** The reply whose model was counted last. */
  let counted: number | undefined;
  let model: string | undefined;

  for (const line of jsonLines(source, findings)) {
    if (line.kind === "other") {
      yield line.entry;
      continue;
    }
    const parsed = codexLineSchema.safeParse(line.value);
    if (!parsed.success) {
      yield skipped(
        typeof line.value["type"] === "string" ? named("line of type", line.value["type"]) : "line without a type",
      );
      continue;
    }
    const { type, payload } = parsed.data;
    const place = `L${line.number}`;
    switch (type) {
      case "session_meta": {
        const { cli_version: version } = metaSchema.parse(payload);
        if (version !== undefined) findings.versions.add(version.slice(0, 40));
        yield skipped("session_meta");
        break;
      }
      case "turn_context":
        model = turnSchema.parse(payload).model ?? model;
        yield skipped("turn_context");
        break;
      case "world_state":
        yield skipped("world_state");
        break;
      case "token_usage_record": {
        reply++;
        const { response_id: id, usage } = usageRecordSchema.parse(payload);
        usages.ofReply(id ?? place, usage);
        yield skipped("token_usage_record");
        break;
      }
      case "event_msg": {
        const { data: event } = eventSchema.safeParse(payload);
        if (event === undefined) {
          yield skipped("malformed event_msg");
          break;
        }
        const failed = failedCall(event);
        if (failed !== undefined) failedCalls.add(failed);
        if (event.type === "token_count") {
          reply++;
          usages.ofSession(event.info?.total_token_usage);
        }
        if (event.type === "thread_rolled_back")
          findings.notes.add("The user took turns back in this session; they are imported like the others.");
        const repeats = repeating.has(event.type) || repeatingItems.has(event.item?.type ?? "");
        yield skipped(repeats ? "event that repeats a response item" : named("event", event.type));
        break;
      }
      case "response_item": {
        const item = codexPieces(payload, failedCalls);
        if (item.kind === "malformed") {
          yield skipped(item.reason);
          break;
        }
        if (item.side !== "assistant") reply++;
        else if (item.speaks && counted !== reply) {
          foundModel(findings, model);
          counted = reply;
        }
        if (line.number < lastCompaction) {
          if (item.side === "user") userTexts.push(textOf(item.pieces));
          yield skipped("before the last compaction (live history)");
          break;
        }
        if (held !== undefined) yield held.entry;
        held = undefined;
        if (item.pieces.some(({ kind }) => kind !== "left-out")) hasRecords = true;
        const entry = stored(place, item.pieces, item.side === "assistant" ? `reply ${reply}` : undefined);
        const text = item.side === "assistant" ? textOf(item.pieces).trim() : "";
        if (text === "") yield entry;
        else held = { entry, text };
        break;
      }
      case "compacted": {
        const { message, replacement_history: replacement } = compactedSchema.parse(payload);
        const items = (replacement ?? []).map((item) => codexPieces(isObject(item) ? item : {}, failedCalls));
        const opaque = items.some((item) => item.kind === "item" && item.pieces.some(isOpaque));
        findings.compactions.push({
          place,
          kind: opaque ? "opaque" : "readable",
          summaryCharacters: opaque ? 0 : (message ?? "").length,
        });
        reply++;
        if (held !== undefined)
          yield (message ?? "").trim().endsWith(held.text)
            ? skipped("summary of a compaction, as a reply")
            : held.entry;
        held = undefined;
        if (line.number < lastCompaction) yield skipped("before the last compaction (live history)");
        else if (history === "raw" && hasRecords) yield skipped("compacted (what it replaced is imported)");
        else {
          if (opaque && history === "live")
            findings.notes.add(
              "What survived the last compaction is opaque: only the provider that encrypted it can read it.",
            );
          const messages = replacement
            ? items.map((item): StoredMessage => ({
                pieces: item.kind === "item" ? item.pieces : [malformed(item.reason)],
              }))
            : [...lastTexts(userTexts), message ?? ""].map((text): StoredMessage => ({
                pieces: [{ kind: "text", role: "user", text }],
              }));
          hasRecords = true;
          yield { kind: "stored", place, messages };
        }
        break;
      }
    }
  }
  if (held !== undefined) yield held.entry;
}

const malformed = (reason: string): Piece => ({ kind: "left-out", what: "other", reason, characters: 0 });
const isOpaque = (piece: Piece): boolean => piece.kind === "left-out" && piece.what === "opaque";
const textOf = (pieces: readonly Piece[]): string =>
  pieces.flatMap((piece) => (piece.kind === "text" ? [piece.text] : [])).join("");

/** The newest user texts that fit together into what a compaction keeps, oldest first; 4 bytes are a token. */
function lastTexts(texts: readonly string[]): string[] {
  let left = keptUserTokens;
  let first = texts.length;
  while (first > 0) {
    left -= Math.ceil(Buffer.byteLength(texts[first - 1] ?? "") / 4);
    if (left < 0) break;
    first--;
  }
  return texts.slice(first);
}

/** Id of the call that an event says has failed; the outputs of this wire format cannot say so. */
function failedCall({
  call_id: id,
  exit_code: exit,
  success,
  result,
  item,
}: z.infer<typeof eventSchema>): string | undefined {
  if ((exit !== undefined && exit !== 0) || success === false || (isObject(result) && "Err" in result)) return id;
  if (item === undefined || repeatingItems.has(item.type ?? "")) return undefined;
  return item.status === "failed" || (item.exit_code !== undefined && item.exit_code !== 0) ? item.id : undefined;
}

type CodexUsage = z.infer<typeof usageSchema> | undefined;

/** Newer releases record the usage of each reply; older ones repeat the session's total, and the last total counts. */
function usageKeeper(findings: Findings) {
  let perReply = false;
  let totals = 0;
  let lastTotal = "";
  return {
    ofReply(id: string, usage: CodexUsage): void {
      if (!perReply) findings.usage = undefined;
      perReply = true;
      if (usage !== undefined) foundUsage(findings, id, disjoint(usage));
    },
    ofSession(total: CodexUsage): void {
      if (perReply || total === undefined) return;
      if (JSON.stringify(total) !== lastTotal) totals++;
      lastTotal = JSON.stringify(total);
      foundUsage(findings, "session", { ...disjoint(total), replies: totals });
    },
  };
}

/** Cached tokens are inside the input count here. */
function disjoint(usage: NonNullable<CodexUsage>): ReplyUsage {
  const {
    input_tokens: input,
    cached_input_tokens: read,
    cache_write_input_tokens: write,
    output_tokens: output,
  } = usage;
  const cached = (read ?? 0) + (write ?? 0);
  return {
    freshInputTokens: input !== undefined && cached <= input ? input - cached : input,
    cacheReadTokens: read,
    cacheWriteTokens: write,
    outputTokens: output,
  };
}

/** Number of the last line that compacts, 0 where none does. */
function findLastCompaction(source: Source): number {
  let last = 0;
  for (const line of jsonLines(source))
    if (line.kind === "object" && line.value["type"] === "compacted" && codexLineSchema.safeParse(line.value).success)
      last = line.number;
  return last;
}
