/** closed-book verify-shape: what every request looks like, checked without a model. */
import { fileURLToPath } from "node:url";
import type { Argv, InferredOptionTypes, Options } from "yargs";
import { exitCodes } from "../../harness/errors.ts";
import { planFlags, planFromFlags } from "../flags.ts";

export const command = "verify-shape";
export const describe = "Check every request of a run without a model: shape, validity, shared prefix";

const { arms, arm, chains, chain, cuts, seed, exam, trigger, window, shape, prices } = planFlags;
const flags = {
  arms,
  arm,
  chains,
  chain,
  cuts,
  seed,
  exam,
  trigger,
  window,
  "output-reserve": planFlags["output-reserve"],
  shape,
  prices: { ...prices, describe: "price file with one entry, for the cost of a compaction [default: the article's]" },
  update: { type: "boolean", default: false, describe: "rewrite the golden requests instead of comparing them" },
  json: { type: "boolean", default: false, describe: "checks and shares as JSON" },
} as const satisfies { [name: string]: Options };

export const builder = (yargs: Argv) =>
  yargs
    .options(flags)
    .example("$0 verify-shape", "every arm, every provider style, the six chains and sixteen awkward ones")
    .example("$0 verify-shape --arm ./my-arm.ts --chains export", "what your arm sends, on one chain")
    .example("$0 verify-shape --shape .captures/codex_exec-0.155.0.json", "with the shape of a real agent")
    .example("$0 verify-shape --update", "accept what is sent now as the golden requests");

export async function handler(args: InferredOptionTypes<typeof flags>): Promise<void> {
  const { verify } = await import("../verify-shape/verify.ts");
  const offline = {
    model: "offline",
    "base-url": undefined,
    stream: true,
    thinking: "off",
    prices: undefined,
  } as const;
  const given = { probe: "production", sheets: undefined, "codex-auto-limit": undefined } as const;
  const own = { data: undefined, "allow-repo": false, "yes-send": false, redact: false } as const;
  const { plan } = await planFromFlags({ ...args, ...offline, ...given, ...own }, false);
  const passed = await verify(plan, {
    shapeFile: args.shape,
    pricesFile: args.prices,
    isAllArms: args.arms === undefined,
    goldensFolder: fileURLToPath(new URL("../../fixtures/requests/", import.meta.url)),
    update: args.update,
    json: args.json,
  });
  if (!passed) process.exitCode = exitCodes.failed;
}
