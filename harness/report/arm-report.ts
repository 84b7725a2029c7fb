/** What a run says of one arm: counts of its questions, answers and boundaries, with its spending and its cost. */
import { type Part, partNames } from "../arm.ts";
import { targetSources } from "../exam/question.ts";
import { type LedgerRow, type Spending, spending } from "../models/ledger.ts";
import type { ModelRequest } from "../models/model.ts";
import type { Cell } from "../run/cell.ts";
import type { ArmCost } from "./cost.ts";
import type { Intervals } from "./intervals.ts";
import type { ArmMoney } from "./money.ts";
import type { AnswerRow, BoundaryRow, NotAsked, QuestionRow, Rows } from "./rows.ts";
import { mean, median } from "./stats.ts";

export interface Count {
  readonly hits: number;
  readonly of: number;
}

/** Recall asks the model, survival looks into the projection. Questions that could not be asked are in neither `of` of recall. */
export interface Kept {
  readonly recall: Count;
  readonly survival: Count;
}

export type KeptBy = { readonly [name: string]: Kept };

export interface ArmReport extends Kept, Spending {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly decoys: { readonly confirmed: number; readonly of: number };
  readonly answers: {
    readonly usable: number;
    readonly unusable: number;
    readonly doesNotFit: number;
    readonly byLabel: { readonly [label: string]: number };
    readonly invented: number;
    readonly wrapped: number;
  };
  /** Targets that left the denominator of recall, by why. */
  readonly notAsked: { readonly doesNotFit: number; readonly failed: number; readonly pending: number };
  readonly failures: readonly { readonly chain: string; readonly end: number; readonly reason: string }[];
  readonly fallbacks: { readonly count: number; readonly byReason: { readonly [reason: string]: number } };
  readonly byChain: KeptBy;
  readonly byGroup: KeptBy;
  readonly bySource: KeptBy;
  /** By quarter of the covered history, newest first; given targets that stand nowhere are in none. */
  readonly byAge: KeptBy;
  readonly medianProjectionTokens: number | null;
  readonly compression: number | null;
  readonly medianRawTokens: number | null;
  readonly boundaries: { readonly total: number; readonly scored: number; readonly compacted: number };
  /** Mean estimated tokens of each part over the boundaries with a projection. */
  readonly parts: Readonly<Record<Part, number | null>>;
  /** The same counts for compactions and answers apart. */
  readonly byPurpose: Readonly<Record<ModelRequest["purpose"], Spending>>;
  readonly cost: ArmCost;
  /** 95 %, by a seeded bootstrap over sheets. */
  readonly intervals: Intervals;
}

export const ageNames = ["newest quarter", "second quarter", "third quarter", "oldest quarter"] as const;

export function armReport(
  id: string,
  allCells: readonly Cell[],
  rows: Rows,
  ledger: readonly LedgerRow[],
): Omit<ArmReport, keyof ArmMoney> {
  const cells = allCells.filter((cell) => cell.arm.id === id);
  const arm = cells[0]?.arm;
  const questions = rows.questions.filter((row) => row.arm === id);
  const targets = questions.filter((row) => row.kind === "target");
  const decoys = questions.filter((row) => row.kind === "decoy" && wasAsked(row));
  const boundaries = rows.boundaries.filter((row) => row.arm === id);
  const compacted = boundaries.filter((row) => row.status === "compacted");
  return {
    id,
    title: arm?.title ?? id,
    source: arm?.source.kind ?? "unknown",
    ...kept(targets),
    decoys: { confirmed: decoys.filter(({ outcome }) => outcome === "confirmed").length, of: decoys.length },
    answers: { ...answerCounts(rows.answers.filter((row) => row.arm === id)), doesNotFit: sheetsThatDoNotFit(cells) },
    notAsked: {
      doesNotFit: countOutcome(targets, "does not fit"),
      failed: countOutcome(targets, "failed"),
      pending: countOutcome(targets, "pending"),
    },
    failures: cells.flatMap(({ chain, end }) =>
      end.kind === "failed" ? [{ chain: chain.chain.name, end: end.end, reason: end.reason }] : [],
    ),
    fallbacks: fallbackCounts(compacted),
    byChain: keptBy(targets, (row) => row.chain),
    byGroup: keptBy(targets, (row) => row.group),
    bySource: keptBy(targets, sourceOf, targetSources),
    byAge: keptBy(
      targets,
      (row) => (row.age === null ? undefined : ageNames[Math.min(3, Math.floor(row.age * 4))]),
      ageNames,
    ),
    medianProjectionTokens: median(compacted.flatMap((row) => row.projectionTokens ?? [])),
    compression: median(compacted.flatMap((row) => row.compression ?? [])),
    medianRawTokens: median(compacted.map((row) => row.rawTokens)),
    boundaries: {
      total: boundaries.length,
      scored: boundaries.filter(({ stage }) => stage !== null).length,
      compacted: compacted.length,
    },
    parts: partMeans(boundaries),
    ...spending(ledger, (row) => row.arm === id),
    byPurpose: {
      compact: spending(ledger, (row) => row.arm === id && row.purpose === "compact"),
      answer: spending(ledger, (row) => row.arm === id && row.purpose === "answer"),
    },
  };
}

/** The pool a target was drawn from; for a given one, where it stands last. */
const sourceOf = ({ source, lastSource }: QuestionRow): string =>
  source === "given" || source === null ? (lastSource ?? "nowhere") : source;

const notAsked: ReadonlySet<string> = new Set<NotAsked>(["does not fit", "failed", "pending"]);
const wasAsked = ({ outcome }: QuestionRow): boolean => !notAsked.has(outcome);
const countOutcome = (rows: readonly QuestionRow[], outcome: QuestionRow["outcome"]): number =>
  rows.filter((row) => row.outcome === outcome).length;

function kept(targets: readonly QuestionRow[]): Kept {
  const asked = targets.filter(wasAsked);
  const seen = targets.filter(({ survived }) => survived !== null);
  return {
    recall: { hits: countOutcome(asked, "confirmed"), of: asked.length },
    survival: { hits: seen.filter(({ survived }) => survived).length, of: seen.length },
  };
}

/** Counts by name: the listed names first, then others in order of appearance. Rows without a name are in none. */
function keptBy(
  targets: readonly QuestionRow[],
  nameOf: (row: QuestionRow) => string | undefined,
  order: readonly string[] = [],
): KeptBy {
  const groups = new Map<string, QuestionRow[]>(order.map((name) => [name, []]));
  for (const row of targets) {
    const name = nameOf(row);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  return Object.fromEntries([...groups].map(([name, rows]) => [name, kept(rows)]));
}

/** Occurrences of each text, most frequent first, then by text. */
function tally(texts: readonly string[]): { [text: string]: number } {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

function answerCounts(answers: readonly AnswerRow[]): Omit<ArmReport["answers"], "doesNotFit"> {
  const usable = answers.filter((row) => row.usable).length;
  return {
    usable,
    unusable: answers.length - usable,
    byLabel: tally(answers.map(({ label }) => label)),
    invented: answers.reduce((sum, row) => sum + row.invented, 0),
    wrapped: answers.reduce((sum, row) => sum + row.wrapped, 0),
  };
}

const sheetsThatDoNotFit = (cells: readonly Cell[]): number =>
  cells.reduce((sum, { steps }) => sum + steps.filter(({ answer }) => answer?.kind === "does-not-fit").length, 0);

function fallbackCounts(compacted: readonly BoundaryRow[]): ArmReport["fallbacks"] {
  const reasons = compacted.flatMap(({ fellBack }) => fellBack ?? []);
  return { count: reasons.length, byReason: tally(reasons) };
}

function partMeans(boundaries: readonly BoundaryRow[]): Record<Part, number | null> {
  const parts = boundaries.flatMap((row) => row.parts ?? []);
  return Object.fromEntries(partNames.map((part) => [part, mean(parts.map((one) => one[part]))])) as Record<
    Part,
    number | null
  >;
}
