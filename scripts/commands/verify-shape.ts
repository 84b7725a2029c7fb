/** closed-book verify-shape: what every request looks like, checked without a model. */
import { fileURLToPath } from "node:url";
import type { Argv, InferredOptionTypes, Options } from "yargs";
import { exitCodes } from "../../harness/errors.ts";
import { type PlanFlags, planFlags, planFromFlags } from "../flags.ts";

export const command = "verify-shape";
export const describe = "Check every request of a run without a model: shape, validity, shared prefix";

/** One structured chain and the session-shaped ones; the other structured ones differ from it in nothing but their words. */
const defaultChains: readonly string[] = ["export", "sim-yt", "sim-visual", "sim-stream"];

const { arms, arm, chains, chain, cuts, seed, trigger, window, data, shape, prices } = planFlags;
const flags = {
  arms,
  arm,
  chains: { ...chains, describe: `generated chains to measure [default: ${defaultChains.join(",")}]` },
  chain,
  cuts,
  seed,
  trigger,
  window,
  "output-reserve": planFlags["output-reserve"],
  data,
  shape,
  prices: { ...prices, describe: "price file with one entry, for the cost of a compaction [default: the article's]" },
  update: { type: "boolean", default: false, describe: "rewrite the golden requests instead of comparing them" },
  json: { type: "boolean", default: false, describe: "checks and shares as JSON" },
} as const satisfies { [name: string]: Options };

/** What a run would take for the flags that this command does not have. */
const unset = Object.fromEntries(
  Object.entries(planFlags).map(([name, option]) => [name, "default" in option ? option.default : undefined]),
) as unknown as PlanFlags;

export const builder = (yargs: Argv) =>
  yargs
    .options(flags)
    .example("$0 verify-shape", "every arm and provider style, on four full-size chains and sixteen awkward ones")
    .example("$0 verify-shape --arm ./my-arm.ts --chains export", "what your arm sends, on one chain")
    .example("$0 verify-shape --shape .captures/codex_exec-0.155.0.json", "with the shape of a real agent")
    .example("$0 verify-shape --update", "accept what is sent now as the golden requests");

export async function handler(args: InferredOptionTypes<typeof flags>): Promise<void> {
  const { verify } = await import("../verify-shape/verify.ts");
  const chosen = args.chains ?? (args.chain.length > 0 ? undefined : [...defaultChains]);
  const { plan } = await planFromFlags({ ...unset, ...args, chains: chosen, prices: undefined }, false);
  const passed = await verify(plan, {
    awkward: true,
    shapeFile: args.shape,
    pricesFile: args.prices,
    isAllArms: args.arms === undefined,
    goldensFolder: fileURLToPath(new URL("../../fixtures/requests/", import.meta.url)),
    update: args.update,
    json: args.json,
  });
  if (!passed) process.exitCode = exitCodes.failed;
}
