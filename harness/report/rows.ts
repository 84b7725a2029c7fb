/** A run as rows: one a question and arm, one a boundary and arm. Every number of the report is an aggregate of these. */
import type { Part, ProjectedMessage } from "../arm.ts";
import { partNames } from "../arm.ts";
import { readable } from "../chain/message.ts";
import { renderedTokens } from "../chain/render.ts";
import { quarterTokens, tokensOfQuarters } from "../chain/tokens.ts";
import { parseAnswer } from "../exam/parse.ts";
import type { Question, TargetSource } from "../exam/question.ts";
import { type Outcome, scoreSheet, survivalOf } from "../exam/score.ts";
import type { Cell, Step } from "../run/cell.ts";

export type NotAsked = "does not fit" | "failed" | "pending";

/** What became of a question. `survived` is undefined where there is no projection to look into. */
export interface QuestionRow {
  readonly arm: string;
  readonly chain: string;
  readonly group: string;
  readonly stage: number;
  readonly kind: Question["kind"];
  readonly value: string;
  readonly source: TargetSource | "given" | null;
  readonly pattern: string;
  /** Where the value stands last; null for decoys and for given targets that stand nowhere. */
  readonly record: string | null;
  readonly lastSource: TargetSource | null;
  readonly alsoIn: string;
  readonly age: number | null;
  readonly survived: boolean | null;
  /** What the answer made of it, or why it was not asked: then it leaves the denominator of recall. */
  readonly outcome: Outcome | NotAsked;
}

/** One scored answer, as the sheet saw it. */
export interface AnswerRow {
  readonly arm: string;
  readonly chain: string;
  readonly stage: number;
  readonly label: string;
  readonly usable: boolean;
  /** Reported values that were not on the sheet. */
  readonly invented: number;
  /** Reported values with quotes or back-ticks around them: misses. */
  readonly wrapped: number;
}

export interface BoundaryRow {
  readonly arm: string;
  readonly chain: string;
  readonly end: number;
  readonly stage: number | null;
  readonly status: "compacted" | "unchanged" | "failed" | "pending";
  readonly reason: string | null;
  readonly fellBack: string | null;
  /** Estimated tokens of the raw history up to the boundary. */
  readonly rawTokens: number;
  readonly projectionTokens: number | null;
  /** projectionTokens / rawTokens. */
  readonly compression: number | null;
  readonly messages: number | null;
  readonly parts: Readonly<Record<Part, number>> | null;
}

export interface Rows {
  readonly questions: readonly QuestionRow[];
  readonly answers: readonly AnswerRow[];
  readonly boundaries: readonly BoundaryRow[];
}

/** All rows of a run, in the order of its cells. */
export function rowsOf(cells: readonly Cell[]): Rows {
  const questions: QuestionRow[] = [];
  const answers: AnswerRow[] = [];
  const boundaries: BoundaryRow[] = [];
  for (const cell of cells) {
    const steps = new Map(cell.steps.map((step) => [step.boundary.end, step]));
    for (const boundary of cell.chain.boundaries) {
      const step = steps.get(boundary.end);
      boundaries.push(boundaryRow(cell, boundary, step));
      if (boundary.stage === undefined) continue;
      const sheet = sheetRows(cell, boundary.stage, step);
      questions.push(...sheet.questions);
      if (sheet.answer !== undefined) answers.push(sheet.answer);
    }
  }
  return { questions, answers, boundaries };
}

function boundaryRow(
  { chain, arm, end: cellEnd }: Cell,
  boundary: Step["boundary"],
  step: Step | undefined,
): BoundaryRow {
  const rawTokens = renderedTokens(chain.journal.slice(0, boundary.messages));
  const common = { arm: arm.id, chain: chain.chain.name, end: boundary.end, stage: boundary.stage ?? null, rawTokens };
  if (step === undefined) {
    const failed = cellEnd.kind === "failed";
    const reason = failed ? (boundary.end === cellEnd.end ? cellEnd.reason : `failed at ${cellEnd.end}`) : null;
    return {
      ...common,
      status: failed ? "failed" : "pending",
      reason,
      fellBack: null,
      projectionTokens: null,
      compression: null,
      messages: null,
      parts: null,
    };
  }
  const { compaction } = step;
  const projectionTokens = renderedTokens(compaction.projection.map(({ message }) => message));
  return {
    ...common,
    status: compaction.kind,
    reason: compaction.kind === "unchanged" ? compaction.reason : null,
    fellBack: compaction.kind === "compacted" ? (compaction.fellBack ?? null) : null,
    projectionTokens,
    compression: projectionTokens / rawTokens,
    messages: compaction.projection.length,
    parts: partTokens(compaction.projection),
  };
}

const quarters = new WeakMap<ProjectedMessage["message"], number>();

/** Estimated tokens of each part's own text, without the labels that a rendering adds. */
function partTokens(projection: readonly ProjectedMessage[]): Record<Part, number> {
  const sums = Object.fromEntries(partNames.map((part) => [part, 0])) as Record<Part, number>;
  for (const { message, spans } of projection) {
    const only = spans.length === 1 ? spans[0] : undefined;
    if (only !== undefined) {
      const known = quarters.get(message) ?? readable(message).reduce((sum, text) => sum + quarterTokens(text), 0);
      quarters.set(message, known);
      sums[only.part] += known;
      continue;
    }
    const text = readable(message).join("");
    let start = 0;
    for (const span of spans) {
      sums[span.part] += quarterTokens(text.slice(start, start + span.chars));
      start += span.chars;
    }
  }
  for (const part of partNames) sums[part] = tokensOfQuarters(sums[part]);
  return sums;
}

function sheetRows(
  cell: Cell,
  stage: number,
  step: Step | undefined,
): { questions: QuestionRow[]; answer: AnswerRow | undefined } {
  const { chain, arm } = cell;
  const sheet = chain.sheets[stage];
  if (sheet === undefined) return { questions: [], answer: undefined };
  const survived =
    step &&
    survivalOf(
      sheet,
      step.compaction.projection.map(({ message }) => message),
    );
  const asked = step?.answer?.kind === "asked" ? step.answer.reply : undefined;
  const parsed = asked && parseAnswer(asked);
  const score = parsed && scoreSheet(sheet, parsed);
  const unasked: NotAsked = step !== undefined ? "does not fit" : cell.end.kind === "failed" ? "failed" : "pending";
  const questions = sheet.questions.map((question, index): QuestionRow => {
    const place = question.kind === "target" ? question.place : undefined;
    return {
      arm: arm.id,
      chain: chain.chain.name,
      group: chain.chain.group,
      stage,
      kind: question.kind,
      value: question.value,
      source: question.kind === "target" ? question.source : null,
      pattern: question.pattern,
      record: place?.record ?? null,
      lastSource: place?.source ?? null,
      alsoIn: place?.alsoIn.join(" ") ?? "",
      age: place?.age ?? null,
      survived: survived?.[index] ?? null,
      outcome: score?.outcomes[index] ?? unasked,
    };
  });
  const answer = parsed &&
    score && {
      arm: arm.id,
      chain: chain.chain.name,
      stage,
      label: parsed.label,
      usable: score.usable,
      invented: score.invented,
      wrapped: score.wrapped,
    };
  return { questions, answer };
}
