/** For tests of the page: a small finished run in a folder of its own. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entries } from "../../arms/index.ts";
import { sourceDigest } from "../../arms/source-digest.ts";
import { openToRun, type RunFolder } from "../../harness/run/folder.ts";
import { asJson, manifestOf } from "../../harness/run/manifest.ts";
import type { RunPlan } from "../../harness/run/plan.ts";
import { runPlan } from "../../harness/run/run.ts";
import { type SmallPlan, smallPlan } from "../testing.ts";

/** The small plan with every arm under its own source digest, so that requests can be rebuilt. */
export const pagePlan = (choices: SmallPlan = {}): RunPlan =>
  smallPlan({ arms: entries.map(({ arm, file }) => ({ arm, sourceDigest: sourceDigest(file) })), ...choices });

/** Runs a plan into a new folder. Aborting `signal` leaves it unfinished. */
export async function finishedRun(plan: RunPlan, signal = new AbortController().signal): Promise<RunFolder> {
  const manifest = manifestOf(plan, "page", "test");
  const folder = openToRun(join(mkdtempSync(join(tmpdir(), "page-")), manifest.runId), asJson(manifest));
  try {
    await runPlan(plan, folder, { pricing: { kind: "free" }, signal, onProgress: () => undefined });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    folder.close();
  }
  return folder;
}
