/** closed-book report: a run's report again, derived from its folder. Asks no model. */
import type { Argv } from "yargs";
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
    .example(
      "$0 report --run exam-3f9a --html",
      "its page: tables, figures, and every question with what became of it",
    );

interface Flags {
  readonly run: string;
  readonly results: string;
  readonly json: boolean;
  readonly cache: CacheChoice;
  readonly html: boolean;
  readonly out?: string | undefined;
  readonly "allow-repo": boolean;
}

export async function handler({ run, results, json, cache, html, out, "allow-repo": allowRepo }: Flags): Promise<void> {
  const { findRun } = await import("../runs.ts");
  if (html) {
    const { writePage } = await import("../page/write.ts");
    process.stdout.write(`${await writePage(findRun(run, results), out, cache, allowRepo)}\n`);
    return;
  }
  const { printReport } = await import("../execute.ts");
  const { loadReport } = await import("../load-report.ts");
  const folder = findRun(run, results);
  printReport(await loadReport(folder, cache), folder.path, json);
}
