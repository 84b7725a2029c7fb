/** Runs a plan in the terminal: folder, question about money, progress, Ctrl-C, report, and where things are. */
import { join } from "node:path";
import { exitCodes, UsageError } from "../harness/errors.ts";
import { privateFolder } from "../harness/import/privacy.ts";
import { isSamePrice, pricingOfRecord } from "../harness/models/price-record.ts";
import { defaultRetries } from "../harness/models/meter.ts";
import type { Pricing } from "../harness/models/prices.ts";
import { importedNotes, importedReports } from "../harness/report/imported.ts";
import { type Report, reportOf } from "../harness/report/report.ts";
import type { Rows } from "../harness/report/rows.ts";
import { csvFiles, markdownReport, terminalReport } from "../harness/report/tables.ts";
import { openToRun, type RunFolder } from "../harness/run/folder.ts";
import { asJson, importedIn, type Manifest, manifestOf, readManifest } from "../harness/run/manifest.ts";
import type { RunPlan } from "../harness/run/plan.ts";
import { runPlan } from "../harness/run/run.ts";
import { type CellChoice, parseCellChoice } from "../harness/run/selection.ts";
import { amountOf, assertAffordable } from "./confirm.ts";
import { type CacheChoice, costingOf, recordedPrice } from "./costing.ts";
import { catchInterrupts } from "./interrupts.ts";
import { withMemory } from "./memory.ts";
import type { ChosenModel } from "./model-choice.ts";
import { packageVersion } from "./package-version.ts";
import { progressView } from "./progress.ts";

export interface Execution {
  readonly name: string;
  readonly resultsFolder: string;
  /** The report as JSON on stdout, and nothing else there. */
  readonly json: boolean;
  /** Decimal amounts of the price's currency. */
  readonly budget: string | undefined;
  readonly confirmAbove: string;
  readonly yes: boolean;
  readonly concurrency: number | undefined;
  readonly maxAttempts: number | undefined;
  readonly retryWaitMs: number | undefined;
  /** `chain/arm`. */
  readonly only: string | undefined;
  readonly maxCells: number | undefined;
  readonly retryFailed: boolean;
  /** Cache shares in the costs. @default "measured" */
  readonly cache?: CacheChoice;
}

/** Runs what is missing, writes the report and prints it. Sets exit code 1 where a cell failed; rejects with what stopped the run. */
export async function executeRun(plan: RunPlan, chosen: ChosenModel, execution: Execution): Promise<void> {
  const budgetNano = budgetOf(execution.budget, chosen.pricing);
  const cells: CellChoice = {
    only: execution.only === undefined ? undefined : parseCellChoice(execution.only, plan),
    maxCells: execution.maxCells,
    retryFailed: execution.retryFailed,
  };
  const manifest = manifestOf(plan, execution.name, packageVersion(), chosen.priceRecord);
  const folderPath = join(execution.resultsFolder, manifest.runId);
  await assertAffordable(plan, chosen, { ...execution, folderPath, cells });
  if (importedIn(manifest).length > 0) privateFolder(folderPath);
  const folder = openToRun(folderPath, asJson(manifest));
  if (holdsUpstreamText(plan)) folder.derive(".gitignore", "*\n");
  for (const note of importedNotes(importedReports(plan.chains))) process.stderr.write(`${note}\n`);
  const manifestOfRun = readManifest(folder);
  if (!isSamePrice(manifestOfRun.recorded.price, chosen.priceRecord))
    process.stderr.write(
      "The run's folder records another price, and its report keeps to it; report --prices FILE costs it at this one.\n",
    );
  const interrupt = catchInterrupts();
  const progress = progressView(process.stderr, chosen.pricing);
  try {
    if (budgetNano !== undefined) assertSameCurrency(manifestOfRun, chosen.pricing);
    const result = await runPlan({ ...plan, provider: withMemory(chosen, folder, process.stderr) }, folder, {
      pricing: chosen.pricing,
      ...(budgetNano === undefined ? {} : { budgetNano }),
      concurrency: execution.concurrency ?? (chosen.kind === "remote" ? 4 : 1),
      retries: {
        ...defaultRetries,
        ...(execution.maxAttempts === undefined ? {} : { maxAttempts: execution.maxAttempts }),
        ...(execution.retryWaitMs === undefined ? {} : { firstWaitMs: execution.retryWaitMs }),
      },
      cells,
      signal: interrupt.signal,
      onProgress: progress.show,
    });
    progress.stop();
    const price = recordedPrice(manifestOfRun);
    const costing = await costingOf(plan, result.ledger, execution.cache ?? "measured", price);
    const { report, rows } = reportOf(manifest.runId, plan, result.cells, result.ledger, costing);
    writeReport(folder, report, rows);
    printReport(report, folder.path, execution.json);
    const failed = report.arms.reduce((sum, { failures }) => sum + failures.length, 0);
    if (failed > 0) {
      process.exitCode = exitCodes.failed;
      process.stderr.write(`${failed} ${failed === 1 ? "cell" : "cells"} failed; --retry-failed runs them again.\n`);
    }
  } finally {
    progress.stop();
    interrupt.release();
    folder.close();
  }
}

/** Throws UsageError for a budget in another currency than that of what is already spent. */
function assertSameCurrency({ recorded }: Manifest, pricing: Pricing): void {
  const earlier = pricingOfRecord(recorded.price);
  if (earlier?.kind !== "priced" || pricing.kind !== "priced") return;
  const [spent, budget] = [earlier.price.currency, pricing.price.currency];
  if (spent !== budget)
    throw new UsageError(
      `The run's ledger is in ${spent} and the budget in ${budget}, so it cannot be kept. Give prices in ${spent}, or run anew under another --name.`,
    );
}

/** Whether projections have words of a product in them, which belong into no repository wherever the folder lies. */
const holdsUpstreamText = ({ prompts, arms }: RunPlan): boolean =>
  prompts?.kind === "upstream" || arms.some(({ arm }) => arm.source.kind === "native");

/** A budget in nano. Throws UsageError for one that cannot be kept because the price is unknown. */
export function budgetOf(budget: string | undefined, pricing: Pricing): bigint | undefined {
  if (budget === undefined) return undefined;
  if (pricing.kind === "unknown")
    throw new UsageError(
      `--budget cannot be kept: ${pricing.why ?? "the price is unknown"}. Give the price with --prices FILE, or leave --budget out.`,
    );
  return amountOf("--budget", budget);
}

/** Writes everything that is derived from a run's artifacts. */
export function writeReport(folder: RunFolder, report: Report, rows: Rows): void {
  for (const [file, text] of csvFiles(report, rows)) folder.derive(file, text);
  folder.derive("report.md", markdownReport(report));
  folder.derive("report.json", reportText(report));
}

export const reportText = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;

export function printReport(report: Report, path: string, json: boolean): void {
  process.stdout.write(json ? reportText(report) : `${terminalReport(report)}\n`);
  const where = `\nReport ${join(path, "report.md")}; every question ${join(path, "questions.csv")}; every call ${join(path, "ledger.jsonl")}\n`;
  (json ? process.stderr : process.stdout).write(where);
}
