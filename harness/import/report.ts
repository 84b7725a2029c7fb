/** The report of an import: what became of everything in the file. */
import type { History } from "./entry.ts";
import { type EarlierCompaction, type Findings, type FoundUsage, totalUsage } from "./findings.ts";
import { type KindCounts, type RecordKind, type Tally, tallyTokens } from "./tally.ts";

export type FormatName = "codex" | "claude" | "opencode" | "pi" | "openai" | "anthropic" | "records";

export interface ImportReport {
  readonly format: FormatName;
  readonly history: History;
  /** Versions of the agent that the file names. */
  readonly versions: readonly string[];
  /** `read` = `used` + all of `skipped`. */
  readonly entries: {
    readonly unit: "line" | "message" | "record";
    readonly read: number;
    readonly used: number;
    readonly skipped: { readonly [reason: string]: number };
  };
  /** Pieces of content inside the used entries: `read` = `records` + all pieces of `leftOut`. */
  readonly pieces: {
    readonly read: number;
    readonly records: number;
    readonly leftOut: { readonly [reason: string]: { readonly pieces: number; readonly characters: number } };
  };
  /** Characters are UTF-16 units: of texts and results, and of the arguments of calls as compact JSON. */
  readonly kinds: Readonly<Record<RecordKind, { readonly records: number; readonly characters: number }>>;
  readonly estimatedTokens: number;
  /** Calls that are never answered after they were made, results of no open call before them, calls without an id in the file. */
  readonly orphans: { readonly calls: number; readonly results: number; readonly callsWithoutId: number };
  /** Entries joined to a stored message that an earlier entry began. */
  readonly merged: number;
  readonly images: number;
  readonly reasoning: { readonly pieces: number; readonly characters: number };
  /** Encrypted content: only its provider can read it. */
  readonly opaque: { readonly pieces: number; readonly characters: number };
  readonly earlierCompactions: readonly EarlierCompaction[];
  /** U+FFFD in texts and results: somebody before us lost characters there. */
  readonly replacementCharacters: number;
  /** Entries with bytes that are no UTF-8, now U+FFFD. */
  readonly notUtf8: number;
  /** Replies of each model. */
  readonly models: { readonly [name: string]: number };
  readonly usage: FoundUsage | null;
  readonly notes: readonly string[];
}

const sorted = <Value>(counts: ReadonlyMap<string, Value>): { [name: string]: Value } =>
  Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));

const pieces = ({ records, characters }: KindCounts) => ({ pieces: records, characters });

/** The report of an import whose records have all been read. */
export function importReport(
  about: { readonly format: FormatName; readonly history: History; readonly unit: "line" | "message" | "record" },
  tally: Tally,
  findings: Findings,
): ImportReport {
  const left = new Map([...tally.pieces.leftOut].map(([reason, counts]) => [reason, pieces(counts)]));
  return {
    format: about.format,
    history: about.history,
    versions: [...findings.versions].sort(),
    entries: {
      unit: about.unit,
      read: tally.entries.read,
      used: tally.entries.used,
      skipped: sorted(tally.entries.skipped),
    },
    pieces: { read: tally.pieces.read, records: tally.records, leftOut: sorted(left) },
    kinds: structuredClone(tally.kinds),
    estimatedTokens: tallyTokens(tally),
    orphans: {
      calls: [...tally.openCalls.values()].reduce((sum, count) => sum + count, 0),
      results: tally.orphanResults,
      callsWithoutId: tally.callsWithoutId,
    },
    merged: findings.merged,
    images: tally.images,
    reasoning: pieces(tally.reasoning),
    opaque: pieces(tally.opaque),
    earlierCompactions: findings.compactions,
    replacementCharacters: tally.replacementCharacters,
    notUtf8: findings.notUtf8,
    models: sorted(findings.models),
    usage: totalUsage(findings),
    notes: [...findings.notes],
  };
}

const shown = (count: number): string => count.toLocaleString("en-US");
const plural = (count: number, noun: string): string => `${shown(count)} ${noun}${count === 1 ? "" : "s"}`;

/** The report for people, as lines without line ends. */
export function reportLines(report: ImportReport): string[] {
  const { entries, orphans, usage } = report;
  const total = Object.values(report.kinds).reduce((sum, { records }) => sum + records, 0);
  const lines = [
    `${entries.unit}s read ${shown(entries.read)} = used ${shown(entries.used)} + skipped ${shown(entries.read - entries.used)}`,
    ...Object.entries(entries.skipped).map(([reason, count]) => `  skipped ${shown(count)}: ${reason}`),
    `records ${shown(total)}, estimated tokens ${shown(report.estimatedTokens)}`,
    ...Object.entries(report.kinds)
      .filter(([, { records }]) => records > 0)
      .map(([kind, { records, characters }]) => `  ${plural(records, kind)}, ${plural(characters, "character")}`),
  ];
  for (const [reason, { pieces: count, characters }] of Object.entries(report.pieces.leftOut))
    lines.push(`  left out ${shown(count)}: ${reason}, ${plural(characters, "character")}`);
  const oddities = [
    orphans.calls > 0 && `${plural(orphans.calls, "call")} never answered`,
    orphans.results > 0 && `${plural(orphans.results, "result")} of no call`,
    orphans.callsWithoutId > 0 && `${plural(orphans.callsWithoutId, "call")} without an id`,
    report.merged > 0 && `${plural(report.merged, entries.unit)} merged into an earlier message`,
    report.images > 0 && `${plural(report.images, "image")} left out`,
    report.opaque.pieces > 0 && `${plural(report.opaque.pieces, "piece")} encrypted (opaque)`,
    report.replacementCharacters > 0 && `${plural(report.replacementCharacters, "replacement character")} (U+FFFD)`,
    report.notUtf8 > 0 && `${plural(report.notUtf8, entries.unit)} not UTF-8`,
  ].filter((oddity) => oddity !== false);
  if (oddities.length > 0) lines.push(oddities.join(", "));
  if (report.earlierCompactions.length > 0) {
    const opaque = report.earlierCompactions.filter(({ kind }) => kind === "opaque").length;
    const unread = opaque === 0 ? "" : `, ${shown(opaque)} of them opaque: only the provider can read what survived`;
    lines.push(
      `${plural(report.earlierCompactions.length, "earlier compaction")}${unread} (history: ${report.history})`,
    );
  }
  const models = Object.entries(report.models).map(([name, replies]) => `${name} (${shown(replies)})`);
  lines.push(models.length === 0 ? "models: none named" : `models: ${models.join(", ")}`);
  const count = (tokens: number | null): string => (tokens === null ? "unknown" : shown(tokens));
  lines.push(
    usage === null
      ? "usage: none found"
      : `usage of ${plural(usage.replies, "reply").replace("replys", "replies")}: fresh input ${count(usage.freshInputTokens)}, cache read ${count(usage.cacheReadTokens)}, cache write ${count(usage.cacheWriteTokens)}, output ${count(usage.outputTokens)} tokens`,
  );
  return [...lines, ...report.notes];
}
