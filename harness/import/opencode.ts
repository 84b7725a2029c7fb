/**
 * OpenCode sessions: `opencode export` writes one JSON document, the storage folders one file a message and a part. Both
 * give the same messages in the same order, and one reader turns them into entries.
 *
 * Source: sst/opencode, session export and storage of releases 0.3 to 1.18.
 */
import * as z from "zod";
import { ArtifactError } from "../errors.ts";
import { documentPieces } from "./document.ts";
import { type Entry, type History, skipped, stored } from "./entry.ts";
import type { Findings } from "./findings.ts";
import { isObject, parseJson } from "./json-value.ts";
import { infoSchema, messageEntry, type OpenCodeMessage } from "./opencode-parts.ts";
import type { Source } from "./source.ts";

/** The stored messages of a session; can be read again. */
export interface OpenCodeSession {
  readonly info: () => unknown;
  readonly messages: () => Iterable<OpenCodeMessage>;
}

/** An exported session. Throws ArtifactError, while it is read, where the file is no whole JSON. */
export const exportedSession = (source: Source): OpenCodeSession => ({
  info() {
    for (const piece of documentPieces(source, ["messages"]))
      if (piece.kind === "field" && piece.key === "info" && piece.text !== undefined) {
        const parsed = parseJson(piece.text);
        return parsed.ok ? parsed.value : undefined;
      }
    return undefined;
  },
  *messages() {
    for (const piece of documentPieces(source, ["messages"])) {
      if (piece.kind !== "element" || piece.key !== "messages") continue;
      const parsed = parseJson(piece.text);
      if (!parsed.ok)
        throw new ArtifactError(source.path, `message ${piece.index + 1} is not JSON. Export the session again.`);
      const { info, parts } = isObject(parsed.value) ? parsed.value : {};
      yield { place: `M${piece.index + 1}`, info, parts: Array.isArray(parts) ? (parts as unknown[]) : [] };
    }
  },
});

const sessionSchema = z.object({
  version: z.string().optional().catch(undefined),
  revert: z.object({ messageID: z.string() }).optional().catch(undefined),
});

/**
 * The messages in stored order; in a live history the last mark and its summary come first, then the messages that this
 * compaction kept, then the rest. Compactions and their answers are left out of a raw one. Reads the session twice.
 */
export function* readOpenCode(session: OpenCodeSession, history: History, findings: Findings): Generator<Entry> {
  const info = sessionSchema.safeParse(session.info());
  if (info.data?.version !== undefined) findings.versions.add(info.data.version.slice(0, 40));
  const outline = outlineOf(session.messages());
  const last = history === "live" ? outline.compactions.at(-1) : undefined;
  const revertedFrom = outline.indexOf.get(info.data?.revert?.messageID ?? "") ?? Infinity;
  const firstKept = outline.indexOf.get(last?.firstKeptId ?? "") ?? last?.mark ?? 0;
  let held: Entry[] = [];
  let mark: Entry | undefined;
  let index = 0;
  let hasRecords = false;
  for (const message of session.messages()) {
    const at = index++;
    const compaction = outline.compactions.find(({ mark, summary }) => mark === at || summary === at);
    const isSummary = compaction?.summary === at;
    if (isSummary)
      findings.compactions.push({ place: message.place, kind: "readable", summaryCharacters: textCharacters(message) });
    if (at >= revertedFrom) yield skipped("taken back by the user");
    else if (compaction !== undefined && compaction !== last && (hasRecords || !isSummary))
      yield skipped(isSummary ? "summary of a compaction" : "mark of a compaction");
    else if (last === undefined || at > last.summary) {
      const entry = messageEntry(message, history, findings);
      if (entry.kind === "stored") hasRecords = true;
      yield entry;
    } else if (at === last.summary) {
      if (mark !== undefined) yield mark;
      mark = undefined;
      yield messageEntry(message, history, findings);
      yield* held;
      held = [];
    } else if (at === last.mark)
      mark = stored(message.place, [{ kind: "text", role: "user", text: compactionMark }], message.place);
    else if (at < firstKept) yield skipped("before the last compaction (live history)");
    else held.push(messageEntry(message, history, findings));
  }
  if (mark !== undefined) yield mark;
  yield* held;
}

/** Stands for the question that OpenCode puts in place of a compaction's mark, before the summary that answers it. */
const compactionMark = "(compaction)";

interface Compaction {
  /** Index of the message that marks it, and of the assistant's message that answers with the summary. */
  readonly mark: number;
  readonly summary: number;
  /** Id of the first message that it kept. */
  readonly firstKeptId: string | undefined;
}

interface Outline {
  readonly indexOf: ReadonlyMap<string, number>;
  /** The completed ones. */
  readonly compactions: readonly Compaction[];
}

/** Where messages and completed compactions are. A mark whose summary failed stays an ordinary message. */
function outlineOf(messages: Iterable<OpenCodeMessage>): Outline {
  const indexOf = new Map<string, number>();
  const compactions: Compaction[] = [];
  let open: Omit<Compaction, "summary"> | undefined;
  let index = 0;
  for (const { info, parts } of messages) {
    const at = index++;
    const parsed = infoSchema.safeParse(info);
    if (!parsed.success) continue;
    indexOf.set(parsed.data.id, at);
    const mark = parts.find((part) => isObject(part) && part["type"] === "compaction");
    if (parsed.data.role === "user" && isObject(mark)) {
      const kept = mark["tail_start_id"] ?? mark["tailStartID"];
      open = { mark: at, firstKeptId: typeof kept === "string" ? kept : undefined };
    } else if (parsed.data.summary === true && (parsed.data.error === undefined || parsed.data.error === null)) {
      compactions.push({ mark: open?.mark ?? at, firstKeptId: open?.firstKeptId, summary: at });
      open = undefined;
    }
  }
  return { indexOf, compactions };
}

const textCharacters = ({ parts }: OpenCodeMessage): number =>
  parts.reduce<number>(
    (sum, part) =>
      sum + (isObject(part) && part["type"] === "text" && typeof part["text"] === "string" ? part["text"].length : 0),
    0,
  );
