/** Every question with where its value stood, and what became of it in each arm. */
import { readableBlock } from "../../harness/chain/message.ts";
import { argsOf, type ChainRecord, toolOf } from "../../harness/chain/record.ts";
import type { Question } from "../../harness/exam/question.ts";
import { standsAt } from "../../harness/exam/stands.ts";
import { ageNames } from "../../harness/report/arm-report.ts";
import type { QuestionRow, Rows } from "../../harness/report/rows.ts";
import type { Cell } from "../../harness/run/cell.ts";
import type { PlannedChain, RunPlan } from "../../harness/run/plan.ts";
import type { PageOutcome, PageQuestion } from "./data.ts";
import { excerptAt, placeIn } from "./excerpts.ts";
import { isWholeJournal } from "./projections.ts";

/** All questions of a run, chain by chain, in the order asked. */
export function pageQuestions(plan: RunPlan, cells: readonly Cell[], rows: Rows): PageQuestion[] {
  const outcomes = new Map<string, QuestionRow>();
  for (const row of rows.questions) outcomes.set(keyOf(row.arm, row.chain, row.stage, row.value), row);
  return plan.chains.flatMap((chain) => {
    const records = new Map(chain.chain.records.map((record) => [record.id, record]));
    const own = cells.filter((cell) => cell.chain.chain.name === chain.chain.name);
    return chain.sheets.flatMap((sheet) =>
      sheet.questions.map((question, index): PageQuestion => ({
        id: `${sheet.chain}-${sheet.stage}-${index}`,
        chain: sheet.chain,
        stage: sheet.stage,
        end: sheet.end,
        kind: question.kind,
        value: question.value,
        source: question.kind === "decoy" ? "decoy" : question.source,
        pattern: question.pattern,
        age: ageOf(question),
        place: placeOf(question, records),
        arms: plan.arms.map(({ arm }) => {
          const cell = own.find((one) => one.arm.id === arm.id);
          const row = outcomes.get(keyOf(arm.id, sheet.chain, sheet.stage, question.value));
          return outcomeOf(chain, cell, sheet.end, question.value, row);
        }),
      })),
    );
  });
}

const keyOf = (arm: string, chain: string, stage: number, value: string): string =>
  `${arm}\n${chain}\n${stage}\n${value}`;

const ageOf = (question: Question): string | null => {
  const age = question.kind === "target" ? question.place?.age : undefined;
  return age === undefined ? null : (ageNames[Math.min(3, Math.floor(age * 4))] ?? null);
};

const readableRecord = (record: ChainRecord): string =>
  record.kind === "tool_call"
    ? readableBlock({ kind: "call", call: record.call, tool: toolOf(record), args: argsOf(record) })
    : record.text;

function placeOf(question: Question, records: ReadonlyMap<string, ChainRecord>): PageQuestion["place"] {
  const place = question.kind === "target" ? question.place : undefined;
  const record = place && records.get(place.record);
  if (place === undefined || record === undefined) return null;
  const text = readableRecord(record);
  const at = Math.max(0, standsAt(text, question.value));
  const { source, alsoIn } = place;
  return { record: record.id, source, alsoIn, excerpt: excerptAt(text, at, question.value.length) };
}

function outcomeOf(
  chain: PlannedChain,
  cell: Cell | undefined,
  end: number,
  value: string,
  row: QuestionRow | undefined,
): PageOutcome {
  const outcome = row?.outcome ?? "pending";
  const step = cell?.steps.find(({ boundary }) => boundary.end === end);
  if (step === undefined || row === undefined || row.survived === null) return { outcome };
  if (!row.survived) return { outcome, part: null };
  const { projection } = step.compaction;
  // Where nothing was left out, the value stands where it stood; looking for it again would read the whole history.
  if (isWholeJournal(projection, chain.journal, step.boundary.messages))
    return { outcome, part: projection[0]?.spans[0]?.part ?? "original" };
  const place = placeIn(projection, value);
  return place === undefined ? { outcome, part: null } : { outcome, ...place };
}
