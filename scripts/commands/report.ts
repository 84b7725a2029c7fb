/** closed-book report: a run's report again, derived from its folder. Asks no model. */
import type { Argv } from "yargs";

export const command = "report";
export const describe = "Print a run's report again, derived from its folder";

export const builder = (yargs: Argv) =>
  yargs
    .option("run", { type: "string", default: "reference", describe: "run id, a beginning of it, or the folder" })
    .option("results", { type: "string", default: "results", describe: "folder of the runs" })
    .option("json", { type: "boolean", default: false, describe: "the report as JSON on stdout, all else on stderr" })
    .example("$0 report", "the committed reference run")
    .example("$0 report --run exam-3f9a", "a run of yours; an unfinished one shows what is pending");

export async function handler({ run, results, json }: { run: string; results: string; json: boolean }): Promise<void> {
  const { findRun } = await import("../runs.ts");
  const { printReport } = await import("../execute.ts");
  const { loadReport } = await import("../load-report.ts");
  const folder = findRun(run, results);
  printReport(await loadReport(folder), folder.path, json);
}
