/** Runs the open book in the terminal: folder beside the closed run's, question about money, progress, Ctrl-C, report. */
import { dirname, join } from "node:path";
import { exitCodes } from "../harness/errors.ts";
import { privateFolder } from "../harness/import/privacy.ts";
import { asJson } from "../harness/run/manifest.ts";
import { openToRun, type RunFolder } from "../harness/run/folder.ts";
import { openBookManifest } from "../harness/open-book/manifest.ts";
import type { OpenBookPlan } from "../harness/open-book/plan.ts";
import { type OpenBookReport, openBookReport } from "../harness/open-book/report.ts";
import { valuesCsv } from "../harness/open-book/rows.ts";
import { type Round, rounds as allRounds } from "../harness/open-book/rounds.ts";
import { readRounds, runOpenBook } from "../harness/open-book/run.ts";
import { openBookMarkdown, openBookTerminal } from "../harness/open-book/tables.ts";
import type { LedgerRow } from "../harness/models/ledger.ts";
import type { Retries } from "../harness/models/meter.ts";
import type { Pricing } from "../harness/models/prices.ts";
import { catchInterrupts } from "./interrupts.ts";
import { withMemory } from "./memory.ts";
import type { ChosenModel } from "./model-choice.ts";
import { assertOpenBookAffordable } from "./open-book-estimate.ts";
import { budgetOf } from "./execute.ts";
import { packageVersion } from "./package-version.ts";
import { progressView } from "./progress.ts";

export interface OpenBookExecution {
  /** Folder of the closed run. */
  readonly closedPath: string;
  readonly rounds: readonly Round[];
  /** The report as JSON on stdout, and nothing else there. */
  readonly json: boolean;
  /** Decimal amounts of the price's currency. */
  readonly budget: string | undefined;
  readonly confirmAbove: string;
  readonly yes: boolean;
  readonly concurrency: number | undefined;
  readonly retries: Retries;
  readonly retryFailed: boolean;
}

/** Runs what is missing of these rounds and prints them. Sets exit code 1 where a sheet failed; rejects with what stopped the run. */
export async function executeOpenBook(
  plan: OpenBookPlan,
  chosen: ChosenModel,
  execution: OpenBookExecution,
): Promise<void> {
  const { rounds, json } = execution;
  const { pricing } = chosen;
  const budgetNano = budgetOf(execution.budget, pricing);
  const manifest = openBookManifest(plan, packageVersion(), chosen.priceRecord);
  const path = join(dirname(execution.closedPath), manifest.runId);
  await assertOpenBookAffordable(plan, chosen, { ...execution, folderPath: path });
  if (plan.closed.chains.some(({ chain }) => chain.group === "imported")) privateFolder(path);
  const folder = openToRun(path, asJson(manifest));
  const interrupt = catchInterrupts();
  const progress = progressView(process.stderr, pricing);
  try {
    const running = { ...plan, provider: withMemory(chosen, folder, process.stderr) };
    const { sheets, ledger } = await runOpenBook(running, folder, {
      rounds,
      pricing,
      ...(budgetNano === undefined ? {} : { budgetNano }),
      concurrency: execution.concurrency ?? (chosen.kind === "remote" ? 4 : 1),
      retryFailed: execution.retryFailed,
      signal: interrupt.signal,
      retries: execution.retries,
      onProgress: ({ done, all, round, ...place }) =>
        progress.show({ ...place, steps: { done, all }, arm: `round ${round.round}` }),
    });
    progress.stop();
    const { report } = openBookReport(manifest.runId, plan, rounds, sheets, ledger, pricing);
    keepReport(plan, folder, manifest.runId, ledger, pricing);
    printOpenBook(report, folder.path, json);
    if (report.failures.length > 0) process.exitCode = exitCodes.failed;
  } finally {
    progress.stop();
    interrupt.release();
    folder.close();
  }
}

/** Writes what is derived from the folder: every round that was run at any time, whatever this command was asked for. */
function keepReport(
  plan: OpenBookPlan,
  folder: RunFolder,
  id: string,
  ledger: readonly LedgerRow[],
  pricing: Pricing,
): void {
  const sheets = readRounds(plan, folder, allRounds);
  const begun = allRounds.filter((round) =>
    sheets.some((sheet) => sheet.round.round === round.round && sheet.end.kind !== "pending"),
  );
  const known = sheets.filter(({ round }) => begun.includes(round));
  const { report, rows } = openBookReport(id, plan, begun, known, ledger, pricing);
  folder.derive("values.csv", valuesCsv(rows));
  folder.derive("report.md", openBookMarkdown(report));
  folder.derive("report.json", openBookText(report));
}

const openBookText = (report: OpenBookReport): string => `${JSON.stringify(report, null, 2)}\n`;

function printOpenBook(report: OpenBookReport, path: string, json: boolean): void {
  process.stdout.write(json ? openBookText(report) : `${openBookTerminal(report)}\n`);
  const where = `\nReport ${join(path, "report.md")}; every value ${join(path, "values.csv")}; every dialogue ${join(path, "dialogues")}; every call ${join(path, "ledger.jsonl")}\n`;
  (json ? process.stderr : process.stdout).write(where);
}
