/** Finding and reading runs that are on disk. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { unknownName } from "../harness/did-you-mean.ts";
import { UsageError } from "../harness/errors.ts";
import { dataFolder, privateResultsFolder } from "../harness/import/privacy.ts";
import { openToRead, type RunFolder } from "../harness/run/folder.ts";

/** The folder of a run, also of a private one, by id, by a beginning of it that only one run has, or by path. Throws UsageError with the runs there are. */
export function findRun(run: string, resultsFolder: string): RunFolder {
  if (existsSync(join(run, "manifest.json"))) return openToRead(run);
  // Runs on imported sessions lie in the data folder.
  const folders = [resultsFolder, privateResultsFolder(dataFolder(undefined))];
  const paths = new Map(folders.flatMap((folder) => runsIn(folder).map((id) => [id, join(folder, id)] as const)));
  const known = [...paths.keys()];
  const matching = known.includes(run) ? [run] : known.filter((id) => id.startsWith(run));
  if (matching.length > 1) throw new UsageError(`Run "${run}" could be ${matching.join(" or ")}. Give more of the id.`);
  if (matching[0] === undefined) {
    if (known.length === 0)
      throw new UsageError(
        `No run "${run}": there is none in ${resultsFolder}. Start one with closed-book run, or see --results.`,
      );
    throw unknownName("run", run, known);
  }
  return openToRead(paths.get(matching[0]) ?? join(resultsFolder, matching[0]));
}

function runsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "manifest.json")))
    .map((entry) => entry.name)
    .sort();
}
