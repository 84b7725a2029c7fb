/** Runs a plan in the terminal: folder, progress, Ctrl-C, report, and where things are. */
import { join } from "node:path";
import { exitCodes } from "../harness/errors.ts";
import { type Report, reportOf } from "../harness/report/report.ts";
import type { Rows } from "../harness/report/rows.ts";
import { csvFiles, markdownReport, terminalReport } from "../harness/report/tables.ts";
import { openToRun, type RunFolder } from "../harness/run/folder.ts";
import { asJson, manifestOf } from "../harness/run/manifest.ts";
import type { RunPlan } from "../harness/run/plan.ts";
import { runPlan } from "../harness/run/run.ts";
import { packageVersion } from "./package-version.ts";
import { progressView } from "./progress.ts";

export interface Execution {
  readonly name: string;
  readonly resultsFolder: string;
  /** The report as JSON on stdout, and nothing else there. */
  readonly json: boolean;
}

/** Runs what is missing, writes the report and prints it. Sets exit code 1 where a cell failed; rejects with what stopped the run. */
export async function executeRun(plan: RunPlan, { name, resultsFolder, json }: Execution): Promise<void> {
  const manifest = manifestOf(plan, name, packageVersion());
  const folder = openToRun(join(resultsFolder, manifest.runId), asJson(manifest));
  const interrupt = catchInterrupts();
  const progress = progressView(process.stderr, "");
  try {
    const { cells, ledger } = await runPlan(plan, folder, {
      pricing: { kind: "free" },
      signal: interrupt.signal,
      onProgress: progress.show,
    });
    progress.stop();
    const { report, rows } = reportOf(manifest.runId, plan, cells, ledger);
    writeReport(folder, report, rows);
    printReport(report, folder.path, json);
    if (report.arms.some(({ failures }) => failures.length > 0)) process.exitCode = exitCodes.failed;
  } finally {
    progress.stop();
    interrupt.release();
    folder.close();
  }
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

/** The first Ctrl-C stops after the step at hand, the second leaves at once. */
function catchInterrupts(): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    process.stderr.write(
      "\nStopping after this step; what is finished is kept. Press Ctrl-C again to leave at once.\n",
    );
    controller.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    release: () => void process.off("SIGINT", onSignal).off("SIGTERM", onSignal),
  };
}
