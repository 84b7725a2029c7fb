/** A run's report from its folder: derived from the artifacts, or as it was stored where only the report was kept. */
import { existsSync, readFileSync } from "node:fs";
import { ArtifactError, UsageError } from "../harness/errors.ts";
import { type LedgerRow, parseLedger } from "../harness/models/ledger.ts";
import { type Report, reportOf } from "../harness/report/report.ts";
import type { RunFolder } from "../harness/run/folder.ts";
import { readManifest, reopenPlan } from "../harness/run/manifest.ts";
import { readCells } from "../harness/run/run.ts";
import { type CostChoice, costingOfRun } from "./costing.ts";

/**
 * The report of a run, costed at the price that the run recorded unless `choice` says otherwise. Throws ArtifactError where
 * the folder's chains or sheets cannot be had again, UsageError where a kept report would have to be costed in another way.
 */
export async function loadReport(folder: RunFolder, choice: CostChoice = {}): Promise<Report> {
  const manifest = readManifest(folder);
  const stored = folder.read("report.json");
  if (!existsSync(folder.at("answers")) && stored !== undefined) {
    if (choice.pricesFile !== undefined || choice.cache === "assumed")
      throw new UsageError(
        `${folder.path}: keeps the report and not the run, so it cannot be costed anew. Run the same command again and give that run with --run.`,
      );
    return JSON.parse(stored) as Report;
  }
  const plan = reopenPlan(folder, manifest);
  const rows = ledgerOf(folder);
  const costing = await costingOfRun(plan, manifest, rows, choice);
  return reportOf(manifest.runId, plan, await readCells(plan, folder), rows, costing).report;
}

/** The rows of a run's ledger; none where nothing was asked yet. Throws ArtifactError where answers are there and the ledger is not. */
export function ledgerOf(folder: RunFolder): readonly LedgerRow[] {
  const path = folder.at("ledger.jsonl");
  if (existsSync(path)) return parseLedger(path, readFileSync(path)).rows;
  if (existsSync(folder.at("answers")) || existsSync(folder.at("projections")))
    throw new ArtifactError(path, "is missing, so nobody knows what was asked and paid. Restore it, or run again.");
  return [];
}
