/**
 * Claude Code sessions: JSONL, one line for each block that a message got. The file is only appended to, so what a
 * compaction replaced is still there, before a `compact_boundary`.
 *
 * Source: Anthropic's Claude Code, session files of 2025 and 2026.
 */
import { anthropicUsage, contentPieces } from "./anthropic-content.ts";
import { chooseBranch } from "./claude-branch.ts";
import { type ClaudeLine, claudeLineSchema, isCompactMark, isResultLine, isSpeaker } from "./claude-lines.ts";
import { type Entry, type History, named, type Piece, skipped, stored } from "./entry.ts";
import { type Findings, foundModel, foundUsage } from "./findings.ts";
import { isObject } from "./json-value.ts";
import { jsonLines } from "./jsonl.ts";
import type { Source } from "./source.ts";

/**
 * The lines of the branch that ends last, in file order, except that results which stand between the lines of one split
 * message come after it. Reads the file twice.
 */
export function* readClaude(source: Source, history: History, findings: Findings): Generator<Entry> {
  const branch = chooseBranch(source, findings);
  const liveFrom = history === "live" ? branch.lastCompactionLine : 0;
  const models = new Set<number>();
  let hasRecords = false;
  let holdUntil = 0;
  let held: Entry[] = [];

  for (const json of jsonLines(source, findings)) {
    if (json.kind === "other") {
      yield json.entry;
      continue;
    }
    const parsed = claudeLineSchema.safeParse(json.value);
    if (!parsed.success) {
      yield skipped("line without a type");
      continue;
    }
    const line = parsed.data;
    const number = json.number;
    if (line.version !== undefined) findings.versions.add(line.version.slice(0, 40));
    const fate = branch.fateOf(number);
    const reason = fate === "on the branch" ? reasonToSkip(line) : offBranch(fate, line);
    if (reason === undefined && line.isCompactSummary === true) noteSummary(line, number, findings);
    if (fate === "on the branch" && isCompactMark(line))
      findings.compactions.push({ place: `L${number}`, kind: "readable", summaryCharacters: 0 });
    if (reason !== undefined) yield skipped(reason);
    else if (number < liveFrom) yield skipped("before the last compaction (live history)");
    else if (line.isCompactSummary === true && history === "raw" && hasRecords)
      yield skipped("compact summary (what it replaced is imported)");
    else {
      const message = branch.messageOf(number);
      const isFirst = message !== undefined && !models.has(message.message);
      if (message !== undefined) {
        if (isFirst) foundModel(findings, line.message?.model);
        else findings.merged++;
        models.add(message.message);
        foundUsage(findings, `${message.message}`, anthropicUsage(line.message?.usage));
      } else if (line.type === "assistant") foundModel(findings, line.message?.model);
      const pieces = piecesOf(line);
      const entry = stored(`L${number}`, pieces, message === undefined ? undefined : `message ${message.message}`);
      if (pieces.some(({ kind }) => kind !== "left-out")) hasRecords = true;
      if (number > holdUntil) {
        yield* held;
        held = [];
      }
      if (message !== undefined) holdUntil = message.lastLine;
      if (number < holdUntil && isResultLine(line)) {
        held.push(entry);
        continue;
      }
      yield entry;
      if (number >= holdUntil) {
        yield* held;
        held = [];
      }
    }
  }
  yield* held;
}

/** A boundary and the summary after it are one compaction. */
function noteSummary(line: ClaudeLine, number: number, findings: Findings): void {
  const last = findings.compactions.at(-1);
  const summaryCharacters = piecesOf(line).reduce(
    (sum, piece) => sum + (piece.kind === "text" ? piece.text.length : 0),
    0,
  );
  if (last === undefined || last.summaryCharacters > 0)
    findings.compactions.push({ place: `L${number}`, kind: "readable", summaryCharacters });
  else findings.compactions[findings.compactions.length - 1] = { ...last, summaryCharacters };
}

/** Why a line that is not on the branch becomes no record. */
function offBranch(
  fate: "outside the tree" | "other branch" | "sidechain" | "repeated line",
  line: ClaudeLine,
): string {
  const mayHaveRecords = isSpeaker(line) || line.type === "attachment";
  if (!mayHaveRecords && (fate === "outside the tree" || fate === "other branch"))
    return named("line of type", line.type);
  if (fate === "outside the tree") return `${line.type} line without a uuid`;
  return fate === "sidechain" ? "sidechain (a subagent's)" : fate;
}

/** Why a line on the branch becomes no record, or undefined where it becomes some. */
function reasonToSkip(line: ClaudeLine): string | undefined {
  if (line.type === "attachment")
    return queuedPrompt(line) === undefined ? `attachment (${attachmentType(line)})` : undefined;
  if (line.type === "system")
    return isCompactMark(line) ? "compact_boundary" : named("system line", line.subtype ?? "");
  if (!isSpeaker(line)) return named("line of type", line.type);
  if (line.message === undefined) return `malformed ${line.type} line`;
  if (line.isCompactSummary === true) return undefined;
  if (line.isMeta === true) return "meta (written by the agent, not by the user)";
  if (line.isVisibleInTranscriptOnly === true) return "visible in the transcript only";
  if (line.type === "assistant" && (line.isApiErrorMessage === true || line.message.model === "<synthetic>"))
    return "synthetic (not from a model)";
  return undefined;
}

const attachmentType = (line: ClaudeLine): string =>
  isObject(line.attachment) && typeof line.attachment["type"] === "string"
    ? line.attachment["type"].slice(0, 40)
    : "unknown";

/** What the user typed while the agent was at work, or undefined for another attachment. */
function queuedPrompt(line: ClaudeLine): unknown {
  if (!isObject(line.attachment) || line.attachment["type"] !== "queued_command") return undefined;
  const mode = line.attachment["commandMode"];
  return mode === undefined || mode === "prompt" ? line.attachment["prompt"] : undefined;
}

const piecesOf = (line: ClaudeLine): Piece[] =>
  line.type === "attachment"
    ? contentPieces(queuedPrompt(line), "user")
    : contentPieces(line.message?.content, line.type === "assistant" ? "assistant" : "user");
