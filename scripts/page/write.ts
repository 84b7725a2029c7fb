/** Makes a run's report page and writes it, with its progress on stderr. */
import { writeFileSync } from "node:fs";
import { UsageError } from "../../harness/errors.ts";
import { refuseWorkTree } from "../../harness/import/privacy.ts";
import type { RunFolder } from "../../harness/run/folder.ts";
import { importedIn, readManifest } from "../../harness/run/manifest.ts";
import type { CostChoice } from "../costing.ts";
import { pageData } from "./build.ts";
import { pageHtml } from "./html.ts";

/**
 * Writes `report.html` into the run's folder, or to `out`. Gives back where it is. Throws UsageError where it cannot be
 * written, or where the page of a run on an imported session would come to lie in a git work tree.
 */
export async function writePage(
  folder: RunFolder,
  out: string | undefined,
  choice: CostChoice = {},
  allowRepo = false,
): Promise<string> {
  if (out !== undefined && importedIn(readManifest(folder)).length > 0)
    refuseWorkTree(out, "the page of your own session", allowRepo);
  let tenth = 0;
  const data = await pageData(
    folder,
    (done, all) => {
      if (Math.floor((10 * done) / all) <= tenth) return;
      tenth = Math.floor((10 * done) / all);
      process.stderr.write(`${done}/${all} cells\n`);
    },
    choice,
  );
  const html = await pageHtml(data);
  const path = out ?? folder.at("report.html");
  try {
    writeFileSync(path, html);
  } catch (cause) {
    throw new UsageError(
      `${path}: cannot be written (${(cause as NodeJS.ErrnoException).code ?? "unknown reason"}). Choose another file with --out.`,
      { cause },
    );
  }
  return path;
}
