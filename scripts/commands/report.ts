/** closed-book report: a run's report again, derived from its folder. Asks no model. */
import type { Argv } from "yargs";
import { UsageError } from "../../harness/errors.ts";
import type { CacheChoice } from "../costing.ts";

export const command = "report";
export const describe = "Print a run's report again, derived from its folder";

export const builder = (yargs: Argv) =>
  yargs
    .option("run", { type: "string", default: "reference", describe: "run id, a beginning of it, or the folder" })
    .option("results", { type: "string", default: "results", describe: "folder of the runs" })
    .option("json", { type: "boolean", default: false, describe: "the report as JSON on stdout, all else on stderr" })
    .option("cache", {
      choices: ["measured", "assumed"] as const,
      default: "measured" as const,
      describe: "cache shares in the costs: measured from the requests' bytes, or the article's assumed 0.98",
    })
    .option("prices", {
      type: "string",
      describe: "price file to cost the ledger with [default: the price that the run recorded]",
    })
    .option("html", {
      type: "boolean",
      default: false,
      describe: "write the report page instead: one file to look around in",
    })
    .option("out", { type: "string", describe: "where the page goes [default: report.html in the run's folder]" })
    .option("allow-repo", {
      type: "boolean",
      default: false,
      describe: "let --out write the page of an imported session into a git work tree",
    })
    .example("$0 report", "the committed reference run")
    .example("$0 report --run exam-3f9a", "a run of yours; an unfinished one shows what is pending")
    .example("$0 report --run exam-3f9a --prices new.json", "what the same calls would cost at other prices")
    .example(
      "$0 report --run exam-3f9a --html",
      "its page: tables, figures, and every question with what became of it",
    );

interface Flags {
  readonly run: string;
  readonly results: string;
  readonly json: boolean;
  readonly cache: CacheChoice;
  readonly prices?: string | undefined;
  readonly html: boolean;
  readonly out?: string | undefined;
  readonly "allow-repo": boolean;
}

export async function handler(flags: Flags): Promise<void> {
  const { run, results, json, cache, prices, html, out, "allow-repo": allowRepo } = flags;
  const { findRun } = await import("../runs.ts");
  const choice = { cache, pricesFile: prices };
  if (out !== undefined && !html) throw new UsageError("--out is where the page goes. Add --html.");
  if (html && json) throw new UsageError("--html writes a page and --json prints. Choose one.");
  if (html) {
    const { writePage } = await import("../page/write.ts");
    process.stdout.write(`${await writePage(findRun(run, results), out, choice, allowRepo)}\n`);
    return;
  }
  const { printReport, reportText } = await import("../execute.ts");
  const { ledgerOf, loadReport } = await import("../load-report.ts");
  const folder = findRun(run, results);
  const report = await loadReport(folder, choice);
  if (prices === undefined) return printReport(report, folder.path, json);
  const { billLine, priceInFile } = await import("../costing.ts");
  const { terminalReport } = await import("../../harness/report/tables.ts");
  const { readManifest } = await import("../../harness/run/manifest.ts");
  const { price } = await priceInFile(prices, readManifest(folder));
  process.stdout.write(json ? reportText(report) : `${terminalReport(report)}\n`);
  (json ? process.stderr : process.stdout).write(`\n${billLine(ledgerOf(folder), price)}\n`);
}
