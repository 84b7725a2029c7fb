/** closed-book composition: what fills a window, by kind and chain, and where the exam's targets stand. Asks no model. */
import type { Argv } from "yargs";
import type { Chain } from "../../harness/chain/record.ts";
import type { Sheet } from "../../harness/exam/question.ts";
import { UsageError } from "../../harness/errors.ts";

export const command = "composition";
export const describe = "Tally what fills a window, and where the exam's targets stand; asks no model";

interface Flags {
  readonly seed: number;
  readonly chain: readonly string[];
  readonly exam: string;
  readonly json: boolean;
}

export const builder = (yargs: Argv) =>
  yargs
    .option("seed", { type: "number", default: 1, describe: "seed of the generated chains and sheets" })
    .option("chain", {
      type: "string",
      array: true,
      default: [],
      describe: "tally chains from files or imports' folders instead of the five session-shaped ones; may repeat",
    })
    .option("exam", {
      type: "string",
      default: "reference",
      describe: "exam preset whose targets are placed: reference, article or tool-heavy",
    })
    .option("json", { type: "boolean", default: false, describe: "print JSON" })
    .example("$0 composition", "the five session-shaped chains, and the targets of the exam's eighteen sheets")
    .example("$0 composition --chain mine.jsonl", "a session of yours; no cuts are needed, and nothing is asked of it");

export async function handler({ seed, chain, exam, json }: Flags): Promise<void> {
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new UsageError("--seed has to be a whole number that is not negative.");
  const { compositionOf, compositionSum, targetPlaces } = await import("../../harness/report/composition.ts");
  const { compositionTables } = await import("../composition-tables.ts");
  const { terminalTable } = await import("../../harness/report/tables.ts");
  const { compositionChain, compositionChainNames } =
    await import("../../harness/chain/generate/composition-chains.ts");
  const { chainNames, generateChain } = await import("../../harness/chain/generate/index.ts");
  const own = await chainsAt(chain);
  const tallies = (own.length > 0 ? own : compositionChainNames.map((name) => compositionChain(name, seed))).map(
    compositionOf,
  );
  const total = compositionSum("all", tallies);
  // A chain file has no sheets unless a run gives it cuts; an imported session has cuts of its own.
  const examined =
    own.length > 0
      ? own.filter(({ group }) => group === "imported")
      : chainNames.map((name) => generateChain(name, seed));
  const places = examined.length === 0 ? undefined : targetPlaces(await examSheets(examined, seed, exam));
  if (json) {
    process.stdout.write(
      `${JSON.stringify({ chains: tallies, total, ...(places && { targets: places }) }, null, 2)}\n`,
    );
    return;
  }
  process.stdout.write(`${compositionTables(tallies, total, places).map(terminalTable).join("\n\n")}\n`);
}

/** Chains from files and imports' folders. A tally needs no cuts, and a file without any is read all the same. */
async function chainsAt(paths: readonly string[]): Promise<Chain[]> {
  const { readChainFile } = await import("../../harness/chain/file.ts");
  const { importFolder, readImport } = await import("../../harness/import/store.ts");
  return paths.map((path) => {
    const folder = importFolder(path);
    return folder === undefined ? readChainFile(path, [1]) : readImport(folder).chain;
  });
}

/** The exam's sheets of these chains. */
async function examSheets(chains: readonly Chain[], seed: number, exam: string): Promise<Sheet[]> {
  const { safeAfter, scoredCuts } = await import("../../harness/chain/boundaries.ts");
  const { examPreset, quotasOf } = await import("../../harness/exam/presets.ts");
  const { buildSheets } = await import("../../harness/exam/sheet.ts");
  const { defaultShapePath, readShape } = await import("../../harness/run/shape.ts");
  const shape = readShape(defaultShapePath);
  const avoid = [shape.system, JSON.stringify(shape.tools)];
  const preset = examPreset(exam);
  return chains.flatMap((chain) => {
    const cuts = scoredCuts(chain, safeAfter(chain.records));
    return buildSheets({ chain, cuts, quotas: quotasOf(preset, chain.name, cuts.length), seed, avoid });
  });
}
