/** closed-book ledger: where a run's money went. */
import { existsSync, readFileSync } from "node:fs";
import type { Argv } from "yargs";
import { ArtifactError } from "../../harness/errors.ts";
import type { JsonObject } from "../../harness/json.ts";

export const command = "ledger";
export const describe = "Totals of a run's ledger by arm and purpose; open reservations, retries, unknown usage";

export const builder = (yargs: Argv) =>
  yargs
    .option("run", { type: "string", default: "reference", describe: "run id, a beginning of it, or the folder" })
    .option("results", { type: "string", default: "results", describe: "folder of the runs" })
    .option("csv", { type: "boolean", default: false, describe: "every attempt as CSV" })
    .example("$0 ledger --run exam-3f9a", "totals")
    .example("$0 ledger --run exam-3f9a --csv > attempts.csv", "every attempt");

export async function handler({ run, results, csv }: { run: string; results: string; csv: boolean }): Promise<void> {
  const { findRun } = await import("../runs.ts");
  const { parseLedger } = await import("../../harness/models/ledger.ts");
  const { attemptsCsv, ledgerTable, ledgerLines } = await import("../../harness/report/ledger-tables.ts");
  const { terminalTable } = await import("../../harness/report/tables.ts");
  const { readJson } = await import("../../harness/run/manifest.ts");
  const { pricingOfRecord } = await import("../../harness/models/price-record.ts");
  const folder = findRun(run, results);
  const path = folder.at("ledger.jsonl");
  if (!existsSync(path)) throw new ArtifactError(path, "is missing: nothing was asked yet.");
  const { rows } = parseLedger(path, readFileSync(path));
  const { recorded } = readJson(folder, "manifest.json") as { readonly recorded?: { readonly price?: JsonObject } };
  const pricing = pricingOfRecord(recorded?.price ?? {});
  const currency = pricing?.kind === "priced" ? pricing.price.currency : undefined;
  if (csv) process.stdout.write(attemptsCsv(rows));
  else process.stdout.write(`${terminalTable(ledgerTable(rows, currency))}\n\n${ledgerLines(rows).join("\n")}\n`);
}
