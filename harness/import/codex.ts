/**
 * Codex rollouts: one `{timestamp, type, payload}` a line. The history a model is given stands in the response items;
 * events repeat them for the screen. The file is only appended to, so what a compaction replaced is still there.
 *
 * Source: openai/codex, rollout files of releases up to 0.155.0, as written by the program.
 */
import * as z from "zod";
import { eventSchema, failedCall, repeatsItem, usageKeeper, usageRecordSchema } from "./codex-events.ts";
import { codexPieces } from "./codex-items.ts";
import { type Entry, type History, named, type Piece, skipped, stored, type StoredMessage } from "./entry.ts";
import { type Findings, foundModel } from "./findings.ts";
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
const compactedSchema = z.object({
  message: z.string().nullish().catch(undefined),
  replacement_history: z.array(z.unknown()).nullish().catch(undefined),
});

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
        yield skipped(repeatsItem(event) ? "event that repeats a response item" : named("event", event.type));
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

/** Number of the last line that compacts, 0 where none does. */
function findLastCompaction(source: Source): number {
  let last = 0;
  for (const line of jsonLines(source))
    if (line.kind === "object" && line.value["type"] === "compacted" && codexLineSchema.safeParse(line.value).success)
      last = line.number;
  return last;
}
