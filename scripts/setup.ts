/** From the flags of `run` to a plan: chains, arms, model and session shape, each named thing checked before anything is written. */
import { readChainFile } from "../harness/chain/file.ts";
import { chainNames, generateChain } from "../harness/chain/generate/index.ts";
import type { Chain } from "../harness/chain/record.ts";
import { UsageError } from "../harness/errors.ts";
import { readGivenSheets } from "../harness/exam/given.ts";
import { examPreset, quotasOf } from "../harness/exam/presets.ts";
import { buildSheets } from "../harness/exam/sheet.ts";
import type { RedactionCounts } from "../harness/import/redact/redact.ts";
import { importFolder, readImport } from "../harness/import/store.ts";
import type { Provider, SessionShape } from "../harness/models/model.ts";
import { fixedTokensOf } from "../harness/run/ask.ts";
import { planChain, type RunOptions, type RunPlan } from "../harness/run/plan.ts";
import { defaultShapePath, readShape } from "../harness/run/shape.ts";
import { type ArmChoices, chooseArms, noRepeats } from "./arm-choice.ts";

/** What the user chose; undefined where a flag was not given. */
export interface Choices extends ArmChoices {
  readonly options: RunOptions;
  readonly chainNames: readonly string[] | undefined;
  readonly chainFiles: readonly string[];
  readonly cuts: readonly number[] | undefined;
  readonly sheetsFolder: string | undefined;
  readonly provider: Provider;
  readonly shapeFile: string | undefined;
  /** Whether imported sessions are redacted: they will leave this machine. */
  readonly redactImports: boolean;
}

/** The plan of these choices. Throws UsageError or ArtifactError for anything that is wrong with them; writes nothing. */
export async function planRun(choices: Choices): Promise<RunPlan> {
  const { options, provider } = choices;
  const shape = readShape(choices.shapeFile ?? defaultShapePath);
  assertRoom(options, shape);
  const { arms, prompts } = await chooseArms(choices, options);
  const sheetsFor = sheetMaker(choices, shape);
  const chains = (await chooseChains(choices)).map(({ chain, redaction }) => ({
    ...planChain(chain, options, sheetsFor),
    ...(redaction && { redaction }),
  }));
  return { options, chains, arms, prompts, shape, provider };
}

/** A window that system prompt, tools and output reservation fill leaves nothing to compact into. */
function assertRoom({ windowTokens, outputReserveTokens }: RunOptions, shape: SessionShape): void {
  const leftTokens = windowTokens - outputReserveTokens;
  const fixedTokens = fixedTokensOf(shape);
  if (leftTokens > fixedTokens) return;
  throw new UsageError(
    `The window of ${windowTokens} tokens less the output reservation of ${outputReserveTokens} leaves ${Math.max(0, leftTokens)}, but system prompt and tools alone take ${fixedTokens}. Give a larger --window or a smaller --output-reserve.`,
  );
}

/** A chain of the run, and what was replaced in it where it is an imported session. */
interface ChosenChain {
  readonly chain: Chain;
  readonly redaction?: RedactionCounts;
}

/** Generated chains, unless files are given; files alone, unless generated ones are asked for too. */
async function chooseChains(choices: Choices): Promise<ChosenChain[]> {
  const { chainNames: names, chainFiles, cuts, options } = choices;
  if (cuts !== undefined && chainFiles.length === 0)
    throw new UsageError("--cuts belongs to --chain FILE; generated chains have cuts of their own.");
  const generated = names ?? (chainFiles.length > 0 ? [] : chainNames);
  const chains = generated.map((name): ChosenChain => ({ chain: generateChain(name, options.seed) }));
  for (const path of chainFiles) {
    const folder = importFolder(path);
    chains.push(folder === undefined ? { chain: readChainFile(path, cuts) } : await imported(folder, choices));
  }
  noRepeats(
    "chain",
    chains.map(({ chain }) => chain.name),
  );
  return chains;
}

/** An imported session as a chain. The redaction rules are loaded only where they are needed. */
async function imported(path: string, { redactImports, cuts }: Choices): Promise<ChosenChain> {
  const { chain: stored, file } = readImport(path);
  const chain: Chain = cuts === undefined ? stored : { ...stored, cuts: { kind: "exact", ends: cuts } };
  if (!redactImports) return { chain, ...(file.redaction && { redaction: file.redaction }) };
  const { redactChain } = await import("../harness/import/redact/redact.ts");
  const { chain: redacted, counts } = await redactChain(chain);
  return { chain: redacted, redaction: counts };
}

/** Sheets from the user's folder, or drawn by the preset. Nothing that every request carries anyway may be asked. */
function sheetMaker({ options, sheetsFolder }: Choices, shape: SessionShape): Parameters<typeof planChain>[2] {
  if (sheetsFolder !== undefined) return (chain, cuts) => readGivenSheets(sheetsFolder, chain, cuts, options.seed);
  const preset = examPreset(options.exam);
  const avoid = [shape.system, JSON.stringify(shape.tools)];
  return (chain, cuts) =>
    buildSheets({ chain, cuts, quotas: quotasOf(preset, chain.name, cuts.length), seed: options.seed, avoid });
}
