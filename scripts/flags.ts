/** The flags that decide what is sent, shared by every command that makes a plan. */
import type { InferredOptionTypes, Options } from "yargs";
import { UsageError } from "../harness/errors.ts";
import { dataFolder, privateResultsFolder, refuseUnsafeRun } from "../harness/import/privacy.ts";
import { importFolder, importName } from "../harness/import/store.ts";
import { defaultOptions, type RunPlan } from "../harness/run/plan.ts";
import { chooseModel, type ChosenModel } from "./model-choice.ts";

/** A coercion for yargs: a list with commas, or a flag given several times. Throws UsageError for one with an empty place. */
const list =
  (flag: string) =>
  (value: string | readonly string[] | undefined): string[] | undefined => {
    const items = value
      ?.toString()
      .split(",")
      .map((item) => item.trim());
    if (items?.includes(""))
      throw new UsageError(
        `${flag} is "${value?.toString()}", which leaves a place empty. Name what it lists, with commas.`,
      );
    return items;
  };

/** A coercion for yargs: a whole number of at least `least`, or UsageError naming the flag. */
export const wholeNumber =
  (flag: string, least: number) =>
  (value: unknown): number | undefined => {
    if (value === undefined) return undefined;
    if (Array.isArray(value)) throw new UsageError(`${flag} is given twice. Give it once.`);
    const number = typeof value === "string" && value.trim() !== "" ? Number(value.replaceAll("_", "")) : Number.NaN;
    if (!Number.isSafeInteger(number) || number < least)
      throw new UsageError(
        `${flag} is "${typeof value === "string" ? value : JSON.stringify(value)}", but it has to be a whole number of at least ${least}.`,
      );
    return number;
  };

const cutList = (value: string | undefined): number[] | undefined =>
  list("--cuts")(value)?.map((cut) => wholeNumber("--cuts", 1)(cut) as number);

export const planFlags = {
  arms: {
    type: "string",
    coerce: list("--arms"),
    describe: "arms to run, in this order (default: all; see closed-book arms)",
  },
  arm: { type: "string", array: true, default: [], describe: "an arm from a file, added to the others; may repeat" },
  chains: { type: "string", coerce: list("--chains"), describe: "generated chains to run (default: all six)" },
  chain: {
    type: "string",
    array: true,
    default: [],
    describe: "a chain from a file or an import's folder, instead of the generated ones; may repeat",
  },
  cuts: {
    type: "string",
    coerce: cutList,
    describe: "scored cuts of chains from files or imports, in place of their own: 28,112,224",
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
    describe: "context window in tokens [default: the model's own where it is known; offline 1000000]",
  },
  "output-reserve": {
    type: "string",
    coerce: wholeNumber("--output-reserve", 0),
    describe: "output reservation in tokens [default: 384000 of a million and more, else a quarter of the window]",
  },
  model: {
    type: "string",
    default: "offline",
    describe: "offline, yes (confirms everything, and must be caught), openai:NAME or anthropic:NAME",
  },
  "base-url": {
    type: "string",
    describe: "server of openai:NAME or anthropic:NAME: vLLM, llama.cpp, Ollama, a gateway",
  },
  stream: { type: "boolean", default: true, describe: "stream replies; --no-stream for servers that cannot" },
  thinking: {
    choices: ["off", "low", "medium", "high", "default"],
    default: "off",
    describe: "the model's thinking, where its API can be told",
  },
  "reply-timeout": {
    type: "string",
    coerce: wholeNumber("--reply-timeout", 1),
    describe: "ms that a reply may stay silent [default: 300000 before its first byte, 120000 after it]",
  },
  prices: { type: "string", describe: "price file [default: the price package's entry of the model]" },
  probe: {
    choices: ["production", "flat"],
    default: "production",
    describe: "the session's own next request, or the original's flattened form",
  },
  data: { type: "string", describe: "data folder of imported sessions [default: closed-book in the XDG data home]" },
  "allow-repo": {
    type: "boolean",
    default: false,
    describe: "let a run on an imported session write into a git work tree",
  },
  "yes-send": { type: "boolean", default: false, describe: "let an imported session be sent to a remote model" },
  redact: {
    type: "boolean",
    default: true,
    describe: "replace secrets, home paths, addresses and hosts of an imported session before a remote model sees it",
  },
  shape: { type: "string", describe: "session shape (system prompt and tools) from a file" },
  "codex-auto-limit": {
    type: "string",
    coerce: wholeNumber("--codex-auto-limit", 1),
    describe: "Codex's automatic limit in tokens [default: 90 % of window less output reservation]",
  },
  prompts: {
    choices: ["own", "upstream"],
    default: "own",
    describe: "words of the arms codex and opencode: this project's, or the products' (see closed-book prompts fetch)",
  },
  "codex-version": { type: "string", describe: "release of the arm codex-native [default: the pinned one]" },
  "opencode-version": { type: "string", describe: "release of the arm opencode-native [default: the pinned one]" },
} as const satisfies { [name: string]: Options };

export type PlanFlags = InferredOptionTypes<typeof planFlags>;

/** The article's reservation in a window as large as the article's; a quarter of a smaller one, as products reserve there. */
const reserveOf = (windowTokens: number): number =>
  windowTokens >= defaultOptions.windowTokens ? defaultOptions.outputReserveTokens : Math.floor(windowTokens / 4);

/** The plan of these flags, and the model it is for; `sends`: whether requests will follow. Throws UsageError or ArtifactError for what is wrong with them; writes and sends nothing. */
export async function planFromFlags(
  args: PlanFlags,
  sends: boolean,
): Promise<{ readonly plan: RunPlan; readonly chosen: ChosenModel }> {
  const { planRun } = await import("./setup.ts");
  const chosen = await chooseModel({
    model: args.model,
    baseUrl: args["base-url"],
    stream: args.stream,
    thinking: args.thinking,
    replyTimeoutMs: args["reply-timeout"],
    windowTokens: args.window,
    pricesFile: args.prices,
    sends,
  });
  const { windowTokens } = chosen.provider;
  const plan = await planRun({
    options: {
      seed: args.seed ?? defaultOptions.seed,
      exam: args.sheets === undefined ? args.exam : "given",
      trigger: args.trigger,
      windowTokens,
      outputReserveTokens: args["output-reserve"] ?? reserveOf(windowTokens),
      probe: args.probe,
    },
    provider: chosen.provider,
    armIds: args.arms,
    armFiles: args.arm,
    chainNames: args.chains,
    chainFiles: args.chain,
    cuts: args.cuts,
    sheetsFolder: args.sheets,
    shapeFile: args.shape,
    codexAutoLimitTokens: args["codex-auto-limit"],
    prompts: args.prompts,
    codexVersion: args["codex-version"],
    openCodeVersion: args["opencode-version"],
    redactImports: chosen.kind === "remote" && args.redact,
  });
  return { plan, chosen };
}

type ResultsFlags = PlanFlags & { readonly results?: string | undefined };

const importsIn = ({ chain }: PlanFlags): string[] => chain.flatMap((path) => importFolder(path) ?? []);

/** The folder given, or `results`; for a run on imported sessions one in the data folder, outside any repository. */
export const defaultResultsFolder = (args: ResultsFlags): string =>
  args.results ?? (importsIn(args).length === 0 ? "results" : privateResultsFolder(dataFolder(args.data)));

/** Where a run goes. Throws UsageError where a run on imported sessions would be written into a git work tree or sent away without the user's word for it. */
export function resultsFolderFor(args: ResultsFlags, chosen: ChosenModel): string {
  const resultsFolder = defaultResultsFolder(args);
  refuseUnsafeRun({
    imported: importsIn(args).map(importName),
    resultsFolder,
    remoteModel: chosen.kind === "remote" ? args.model : undefined,
    allowRepo: args["allow-repo"],
    yesSend: args["yes-send"],
  });
  return resultsFolder;
}
