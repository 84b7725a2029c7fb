/**
 * npm run reference: makes results/reference/ anew, the committed copy of the offline run under both mixes of questions.
 * `run` never reads it. Look at the difference before you commit it: it is what changed for a reader of the tables.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "../harness/report/report.ts";
import { markdownTable, reportTables } from "../harness/report/tables.ts";
import { main } from "./main.ts";

export const referenceFolder = fileURLToPath(new URL("../results/reference", import.meta.url));

const readmePath = fileURLToPath(new URL("../README.md", import.meta.url));

/** The projection that figure 7 draws: the summarized arm's last one with all four parts, on the chain with the most records. */
const drawnProjection = "projections/sim-stream-1107-futureos-summarized.json";
const kept = [
  "manifest.json",
  "ledger.jsonl",
  "report.json",
  "report.md",
  "questions.csv",
  "boundaries.csv",
  "arms.csv",
  drawnProjection,
];

/** Runs one preset into a temporary folder and gives back the run's folder; the caller removes it. */
export async function runPreset(exam: string): Promise<string> {
  const results = mkdtempSync(join(tmpdir(), "reference-"));
  const code = await main(["run", "--exam", exam, "--results", results]);
  if (code !== 0) throw new Error(`the ${exam} run ended with exit code ${code}`);
  return join(results, readdirSync(results)[0] ?? "");
}

/** The table that the README shows of a report: without a title, for the README's own sentence stands over it. */
export function readmeTable(report: Report): string {
  const [first] = reportTables(report);
  if (first === undefined) throw new Error("the report has no tables");
  return markdownTable({ ...first, title: "" });
}

/** Puts a text between the README's markers `<!-- name -->` and `<!-- /name -->`. */
function intoReadme(name: string, text: string): void {
  const readme = readFileSync(readmePath, "utf8");
  const start = readme.indexOf(`<!-- ${name} -->\n`) + `<!-- ${name} -->\n`.length;
  const end = readme.indexOf(`<!-- /${name} -->`);
  writeFileSync(readmePath, `${readme.slice(0, start)}\n${text}\n\n${readme.slice(end)}`);
}

async function makeReference(): Promise<void> {
  rmSync(referenceFolder, { recursive: true, force: true });
  for (const [exam, files, into] of [
    ["reference", kept, referenceFolder],
    ["tool-heavy", ["report.json", "report.md"], join(referenceFolder, "tool-heavy")],
  ] as const) {
    const made = await runPreset(exam);
    for (const file of files) {
      mkdirSync(dirname(join(into, file)), { recursive: true });
      copyFileSync(join(made, file), join(into, file));
    }
    intoReadme(exam, readmeTable(JSON.parse(readFileSync(join(made, "report.json"), "utf8")) as Report));
    rmSync(dirname(made), { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeReference();
