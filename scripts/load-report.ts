/** A run's report from its folder: derived from the artifacts, or as it was stored where only the report was kept. */
import { existsSync, readFileSync } from "node:fs";
import { parseLedger } from "../harness/models/ledger.ts";
import { type Report, reportOf } from "../harness/report/report.ts";
import type { RunFolder } from "../harness/run/folder.ts";
import { readManifest, reopenPlan } from "../harness/run/manifest.ts";
import { readCells } from "../harness/run/run.ts";
import { type CacheChoice, costingOf, withRunnableArms } from "./costing.ts";

/** Throws ArtifactError where the folder's chains or sheets cannot be had again. */
export async function loadReport(folder: RunFolder, cache: CacheChoice = "measured"): Promise<Report> {
  const manifest = readManifest(folder);
  const stored = folder.read("report.json");
  if (!existsSync(folder.at("answers")) && stored !== undefined) return JSON.parse(stored) as Report;
  const plan = reopenPlan(folder, manifest);
  const ledger = folder.at("ledger.jsonl");
  const { rows } = existsSync(ledger) ? parseLedger(ledger, readFileSync(ledger)) : { rows: [] };
  const costing = await costingOf(withRunnableArms(plan, manifest), rows, cache);
  return reportOf(manifest.runId, plan, await readCells(plan, folder), rows, costing).report;
}
