/** closed-book run: the comparison, from chains to tables. The same command resumes; a finished run answers at once. */
import type { Argv, InferredOptionTypes, Options } from "yargs";
import { UsageError } from "../../harness/errors.ts";

export const command = "run";
export const describe = "Run the comparison: compact every chain with every arm, ask, report";

const list = (value: string | undefined): string[] | undefined =>
  value
    ?.split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

const wholeNumber =
  (flag: string, least: number) =>
  (value: unknown): number | undefined => {
    if (value === undefined) return undefined;
    const number = typeof value === "string" && value.trim() !== "" ? Number(value.replaceAll("_", "")) : Number.NaN;
    if (!Number.isSafeInteger(number) || number < least)
      throw new UsageError(
        `${flag} is "${typeof value === "string" ? value : JSON.stringify(value)}", but it has to be a whole number of at least ${least}.`,
      );
    return number;
  };

const cutList = (value: string | undefined): number[] | undefined =>
  list(value)?.map((cut) => wholeNumber("--cuts", 1)(cut) as number);

export const flags = {
  arms: { type: "string", coerce: list, describe: "arms to run, in this order (default: all; see closed-book arms)" },
  arm: { type: "string", array: true, default: [], describe: "an arm from a file, added to the others; may repeat" },
  chains: { type: "string", coerce: list, describe: "generated chains to run (default: all six)" },
  chain: {
    type: "string",
    array: true,
    default: [],
    describe: "a chain from a file, instead of the generated ones; may repeat",
  },
  cuts: {
    type: "string",
    coerce: cutList,
    describe: "scored cuts of chain files that have none of their own: 28,112,224",
  },
  sheets: { type: "string", describe: "folder of ready sheets, <chain>-<stage>.json" },
  seed: { type: "string", coerce: wholeNumber("--seed", 0), describe: "seed of chains and sheets [default: 1]" },
  exam: { type: "string", default: "reference", describe: "exam preset: reference, article or tool-heavy" },
  trigger: {
    choices: ["forced", "automatic"],
    default: "forced",
    describe: "compact at every boundary, or by each product's own trigger",
  },
  window: {
    type: "string",
    coerce: wholeNumber("--window", 1),
    describe: "context window in tokens [default: 1000000]",
  },
  "output-reserve": {
    type: "string",
    coerce: wholeNumber("--output-reserve", 0),
    describe: "output reservation in tokens [default: 384000]",
  },
  model: { type: "string", default: "offline", describe: "offline, or yes (confirms everything, and must be caught)" },
  probe: {
    choices: ["production", "flat"],
    default: "production",
    describe: "the session's own next request, or the original's flattened form",
  },
  shape: { type: "string", describe: "session shape (system prompt and tools) from a file" },
  "codex-auto-limit": {
    type: "string",
    coerce: wholeNumber("--codex-auto-limit", 1),
    describe: "Codex's automatic limit in tokens [default: 90 % of window less output reservation]",
  },
  name: { type: "string", default: "exam", describe: "first part of the run's id" },
  results: { type: "string", default: "results", describe: "folder that run folders are made in" },
  json: { type: "boolean", default: false, describe: "the report as JSON on stdout, all else on stderr" },
} as const satisfies { [name: string]: Options };

export const builder = (yargs: Argv) =>
  yargs
    .options(flags)
    .example("$0 run", "the whole comparison with the offline model")
    .example("$0 run --exam tool-heavy", "ask where the arms differ: mostly tool results")
    .example("$0 run --arms codex,opencode --chains export", "two arms on one chain")
    .example("$0 run --arm ./my-arm.ts", "your own arm beside the others")
    .example("$0 run --chain mine.jsonl --cuts 40,90", "your own chain")
    .example("$0 run --json > report.json", "the report for a program");

type Flags = InferredOptionTypes<typeof flags>;

export async function handler(args: Flags): Promise<void> {
  const { planRun } = await import("../setup.ts");
  const { executeRun } = await import("../execute.ts");
  const { defaultOptions } = await import("../../harness/run/plan.ts");
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(args.name))
    throw new UsageError(
      `--name is "${args.name}", but it becomes a folder's name: letters, digits, dots, dashes and underscores.`,
    );
  const plan = await planRun({
    options: {
      seed: args.seed ?? defaultOptions.seed,
      exam: args.sheets === undefined ? args.exam : "given",
      trigger: args.trigger,
      windowTokens: args.window ?? defaultOptions.windowTokens,
      outputReserveTokens: args["output-reserve"] ?? defaultOptions.outputReserveTokens,
      probe: args.probe,
    },
    armIds: args.arms,
    armFiles: args.arm,
    chainNames: args.chains,
    chainFiles: args.chain,
    cuts: args.cuts,
    sheetsFolder: args.sheets,
    model: args.model,
    shapeFile: args.shape,
    codexAutoLimitTokens: args["codex-auto-limit"],
  });
  await executeRun(plan, {
    name: args.name,
    resultsFolder: args.results,
    json: args.json,
  });
}
