/** What figures need of a run folder. */
import { existsSync, readdirSync } from "node:fs";
import { compositionChain, compositionChainNames } from "../../harness/chain/generate/composition-chains.ts";
import { toMessages } from "../../harness/chain/message.ts";
import { renderedTokens } from "../../harness/chain/render.ts";
import { ArtifactError, UsageError } from "../../harness/errors.ts";
import { compositionOf } from "../../harness/report/composition.ts";
import type { OpenBookReport } from "../../harness/open-book/report.ts";
import type { Report } from "../../harness/report/report.ts";
import { readCompaction } from "../../harness/run/artifacts.ts";
import { openToRead, type RunFolder } from "../../harness/run/folder.ts";
import { readManifest, reopenChain } from "../../harness/run/manifest.ts";
import { loadReport } from "../load-report.ts";
import type { RunInput } from "./index.ts";
import { type Anatomy, hasAllParts, partsOf } from "./parts.ts";

/** The arm whose projection figure 7 shows: the one with all four parts. */
const shownArm = "futureos-summarized";

/**
 * Reads a run, and an open book on it where the folder of one is given. Throws UsageError where there is none, it is not
 * finished or the open book is on another run, ArtifactError where a report is of another form.
 */
export async function loadRun(path: string, openBookPath?: string): Promise<RunInput> {
  const folder = openToRead(path);
  const report = await loadReport(folder);
  assertDrawable(report, folder);
  const openBook = openBookPath === undefined ? {} : { openBook: loadOpenBook(openBookPath, report.runId) };
  return { ...runInput(folder, report), ...openBook };
}

/** What figures need besides a report: the chains that fill its windows, and a projection of its folder. */
export function runInput(folder: RunFolder, report: Report): RunInput {
  const manifest = readManifest(folder);
  const chains =
    report.imported?.map(({ chain }) => compositionOf(reopenChain(folder, manifest, chain))) ??
    compositionChainNames.map((name) => compositionOf(compositionChain(name, report.conditions.seed)));
  return { report, chains, anatomy: anatomyOf(folder, report) };
}

function loadOpenBook(path: string, runId: string): OpenBookReport {
  const folder = openToRead(path);
  const stored = folder.read("report.json");
  const report = (stored === undefined ? {} : JSON.parse(stored)) as Partial<OpenBookReport>;
  if (!Array.isArray(report.rounds))
    throw new ArtifactError(folder.at("report.json"), "is no open book's report. Make one with closed-book open-book.");
  if (report.closedRun !== runId)
    throw new UsageError(
      `${path}: is an open book on run "${report.closedRun}", not on "${runId}". Give both with the same run.`,
    );
  return report as OpenBookReport;
}

/** Throws for a report of another version or of a run that is not finished. */
function assertDrawable(report: Report, folder: RunFolder): void {
  if (!Array.isArray(report.arms) || report.arms.length === 0 || (report.money as unknown) === undefined)
    throw new ArtifactError(
      folder.at("report.json"),
      "is of another version: it has no arms with costs. Run the same command again to derive it anew.",
    );
  const pending = report.arms.reduce((sum, { notAsked }) => sum + notAsked.pending, 0);
  if (pending > 0)
    throw new UsageError(
      `${folder.path}: the run is not finished, ${pending} targets are still to be asked. Run the same command again, then draw.`,
    );
}

/**
 * The arm's latest projection with all four parts, on the chain with the most records that has one; without any, the first
 * found with the most parts. Undefined where the folder keeps no projection of the arm.
 */
function anatomyOf(folder: RunFolder, report: Report): Anatomy | undefined {
  const title = report.arms.find(({ id }) => id === shownArm)?.title;
  if (title === undefined || !existsSync(folder.at("projections"))) return undefined;
  const stored = new Set(readdirSync(folder.at("projections")));
  const manifest = readManifest(folder);
  let best: Anatomy | undefined;
  for (const { name, boundaries } of manifest.identity.chains.toSorted((a, b) => b.records - a.records)) {
    const ends = boundaries.map(({ end }) => end).filter((end) => stored.has(`${name}-${end}-${shownArm}.json`));
    if (ends.length === 0) continue;
    const { records } = reopenChain(folder, manifest, name);
    for (const end of ends.toReversed()) {
      const journal = toMessages(records.slice(0, end));
      const byId = new Map(journal.map((message) => [message.id, message]));
      const file = `projections/${name}-${end}-${shownArm}.json`;
      const { projection } = readCompaction(folder.at(file), folder.read(file) ?? "", (id) => byId.get(id));
      const parts = partsOf(projection);
      if (parts.length <= (best?.parts.length ?? 0)) continue;
      const rawTokens = renderedTokens(journal);
      best = { runId: report.runId, arm: { id: shownArm, title }, chain: name, end, rawTokens, parts };
      if (hasAllParts(parts)) return best;
    }
  }
  return best;
}
