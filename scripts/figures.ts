/**
 * npm run figures [-- --run DIR] [--out DIR] [--published] [--compare]: draws the nine figures as Vega-Lite, SVG and PNG.
 * No browser, no canvas, no network; equal runs give equal bytes.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import yargs from "yargs";
import { exitCodes, HarnessError, UsageError } from "../harness/errors.ts";
import { refuseWorkTree } from "../harness/import/privacy.ts";
import { openToRead } from "../harness/run/folder.ts";
import { asJson, importedIn, readManifest } from "../harness/run/manifest.ts";
import { compactJson } from "./figures/compact-json.ts";
import { toPng, toSvg } from "./figures/draw.ts";
import { figures, fileName, type Input } from "./figures/index.ts";
import { loadRun } from "./figures/load.ts";
import { makeFolder } from "../harness/make-folder.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export interface FigureFlags {
  readonly run: string;
  /** Missing: the repository's figures, or, for a run on an imported session, a folder in the run's own. */
  readonly out?: string | undefined;
  readonly allowRepo?: boolean;
  readonly published: boolean;
  readonly compare: boolean;
  readonly openBook: string | undefined;
}

/** Draws all figures that there is data for; says on stderr which are done and which are missing, and why. */
export async function drawFigures({
  run,
  out: chosen,
  published,
  compare,
  openBook,
  allowRepo = false,
}: FigureFlags): Promise<void> {
  if (published && compare)
    throw new UsageError("--published draws the article alone and --compare a run beside it. Choose one.");
  const input: Input = published
    ? { kind: "published" }
    : { kind: compare ? "compare" : "run", run: await loadRun(run, openBook) };
  const isPrivate = !published && importedIn(readManifest(openToRead(run))).length > 0;
  if (isPrivate && chosen !== undefined) refuseWorkTree(chosen, "figures of your own session", allowRepo);
  const out = chosen ?? (isPrivate ? join(run, "figures") : at("../figures"));
  try {
    makeFolder(out);
  } catch (cause) {
    throw new UsageError(
      `${out}: cannot be made (${(cause as NodeJS.ErrnoException).code}). Choose another folder with --out.`,
      { cause },
    );
  }
  for (const [index, { name, draw }] of figures.entries()) {
    const drawing = draw(input);
    const step = `${index + 1}/${figures.length} ${name}`;
    if ("missing" in drawing) {
      process.stderr.write(`${step}: not drawn, ${drawing.missing}\n`);
      continue;
    }
    const file = join(out, fileName(name, input.kind));
    const svg = await toSvg(drawing.spec);
    writeFileSync(`${file}.vl.json`, `${compactJson(asJson(drawing.spec))}\n`);
    writeFileSync(`${file}.svg`, svg);
    writeFileSync(`${file}.png`, toPng(svg));
    process.stderr.write(`${step}${drawing.note === undefined ? "" : `: ${drawing.note}`}\n`);
  }
  process.stdout.write(`Drawn into ${out}\n`);
}

/** The command line; gives back the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const cli = yargs([...argv])
    .scriptName("npm run figures --")
    .usage("$0 [options]\n\nDraw the nine figures from a run folder, from the published numbers, or from both.")
    .option("run", {
      type: "string",
      default: at("../results/reference"),
      defaultDescription: "results/reference",
      describe: "a run's folder",
    })
    .option("out", {
      type: "string",
      describe: "folder to draw into [default: figures; for a run on an imported session one in its own folder]",
    })
    .option("allow-repo", {
      type: "boolean",
      default: false,
      describe: "let figures of an imported session go into a git work tree",
    })
    .option("published", { type: "boolean", default: false, describe: "the published numbers alone" })
    .option("compare", { type: "boolean", default: false, describe: "the run beside the published numbers" })
    .option("open-book", { type: "string", describe: "folder of an open book on the run, for figure 9" })
    .strict()
    .exitProcess(false)
    .version(false)
    .fail((message: string | null, error: Error | undefined) => {
      throw error ?? new UsageError(`${message ?? "The command is wrong"}. See npm run figures -- --help.`);
    });
  try {
    const flags = await cli.parseAsync();
    if (argv.includes("--help")) return exitCodes.done;
    await drawFigures(flags);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
