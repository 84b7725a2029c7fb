/** Reads a run folder and makes the data of its report page. */
import { existsSync } from "node:fs";
import { parseAnswer } from "../../harness/exam/parse.ts";
import { ArtifactError, UsageError } from "../../harness/errors.ts";
import { type Report, reportOf } from "../../harness/report/report.ts";
import type { BoundaryRow } from "../../harness/report/rows.ts";
import { conditionLines, noteLines, reportTables } from "../../harness/report/tables.ts";
import type { Cell, Step } from "../../harness/run/cell.ts";
import type { RunFolder } from "../../harness/run/folder.ts";
import { readManifest, reopenPlan } from "../../harness/run/manifest.ts";
import { readCells } from "../../harness/run/run.ts";
import { type CostChoice, costingOfRun } from "../costing.ts";
import { figures } from "../figures/index.ts";
import { runInput } from "../figures/load.ts";
import { ledgerOf } from "../load-report.ts";
import { colourOf, configOf } from "../figures/theme.ts";
import type { PageCell, PageData, PageFigure } from "./data.ts";
import { pageMessages, type TextTable, textTable } from "./projections.ts";
import { pageQuestions } from "./questions.ts";
import { type CellRequests, cellRequests } from "./requests.ts";

/** How far the page is. */
export type OnCell = (done: number, all: number) => void;

/** The data of a run's page. Throws ArtifactError for a folder that keeps only the report, UsageError for a run that is not finished. */
export async function pageData(folder: RunFolder, onCell: OnCell, choice: CostChoice = {}): Promise<PageData> {
  if (!existsSync(folder.at("answers")))
    throw new ArtifactError(
      folder.at("answers"),
      "is missing: this folder keeps a report and not the run. Run the same command again and give that run's folder.",
    );
  const manifest = readManifest(folder);
  const plan = reopenPlan(folder, manifest);
  const cells = await readCells(plan, folder);
  const ledger = ledgerOf(folder);
  const costing = await costingOfRun(plan, manifest, ledger, choice);
  const { report, rows } = reportOf(manifest.runId, plan, cells, ledger, costing);
  assertFinished(report, folder);
  const table = textTable();
  const pageCells: PageCell[] = [];
  for (const [index, cell] of cells.entries()) {
    const requests = await cellRequests(plan, manifest, cell, ledger);
    const boundaries = rows.boundaries.filter(
      ({ arm, chain }) => arm === cell.arm.id && chain === cell.chain.chain.name,
    );
    for (const row of boundaries) pageCells.push(pageCell(cell, row, requests, table));
    onCell(index + 1, cells.length);
  }
  const ids = plan.arms.map(({ arm }) => arm.id);
  const { drawn, missing } = pageFigures(folder, report);
  return {
    runId: manifest.runId,
    model: report.model,
    conditions: conditionLines(report),
    notes: noteLines(report),
    tables: reportTables(report),
    arms: plan.arms.map(({ arm: { id, title } }) => ({ id, title, colour: colourOf(id, ids) })),
    questions: pageQuestions(plan, cells, rows),
    cells: pageCells,
    texts: table.texts,
    figures: drawn,
    missingFigures: missing,
    themes: { light: configOf("light"), dark: configOf("dark") },
  };
}

function assertFinished(report: Report, { path }: RunFolder): void {
  const pending = report.arms.reduce((sum, { notAsked }) => sum + notAsked.pending, 0);
  if (pending > 0)
    throw new UsageError(
      `${path}: the run is not finished, ${pending} targets are still to be asked. Run the same command again, then make the page.`,
    );
}

function pageFigures(folder: RunFolder, report: Report): { readonly drawn: PageFigure[]; readonly missing: string[] } {
  const input = { kind: "run", run: runInput(folder, report) } as const;
  const drawn: PageFigure[] = [];
  const missing: string[] = [];
  for (const { name, draw } of figures) {
    const drawing = draw(input);
    if ("missing" in drawing) missing.push(`${name}: ${drawing.missing}`);
    else drawn.push({ name, title: titleOf(drawing.spec), spec: drawing.spec });
  }
  return { drawn, missing };
}

const titleOf = ({ title }: { readonly title?: unknown }): string =>
  [(title as { readonly text?: string | readonly string[] } | undefined)?.text ?? ""].flat().join(" ");

function pageCell(cell: Cell, row: BoundaryRow, requests: CellRequests, table: TextTable): PageCell {
  const step = cell.steps.find(({ boundary }) => boundary.end === row.end);
  const { arm, chain, end, stage, status, reason, fellBack, rawTokens, projectionTokens, parts } = row;
  const answer = step && answerOf(step);
  return {
    arm,
    chain,
    end,
    stage,
    status,
    note: [reason, fellBack === null ? null : `went without a summary: ${fellBack}`]
      .filter((text) => text !== null)
      .join("; "),
    rawTokens,
    projectionTokens,
    parts,
    messages:
      step === undefined
        ? []
        : pageMessages(step.compaction.projection, cell.chain.journal, step.boundary.messages, table),
    requests: requests.byEnd.get(end) ?? [],
    requestsMissing: requests.missing,
    ...(answer && { answer }),
  };
}

function answerOf({ answer }: Step): PageCell["answer"] {
  if (answer === undefined) return undefined;
  if (answer.kind === "does-not-fit")
    return {
      label: "does not fit",
      text: `The request needs ${answer.neededTokens.toLocaleString("en-US")} tokens and ${answer.limitTokens.toLocaleString("en-US")} fit.`,
    };
  return { label: parseAnswer(answer.reply).label, text: answer.reply.text };
}
