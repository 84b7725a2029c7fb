/** closed-book estimate: calls, tokens and money of a run, by arm, before anything is sent. */
import { join } from "node:path";
import type { Argv, InferredOptionTypes, Options } from "yargs";
import { defaultResultsFolder, planFlags, planFromFlags } from "../flags.ts";

export const command = "estimate";
export const describe = "What a run would ask and cost, by arm; sends nothing";

const flags = {
  ...planFlags,
  name: { type: "string", default: "exam", describe: "first part of the run's id" },
  results: {
    type: "string",
    describe:
      "folder of the runs; what one has finished is not counted again [default: results; for imported sessions one in the data folder]",
  },
  json: { type: "boolean", default: false, describe: "print JSON; money in 10⁻⁹ of the currency" },
} as const satisfies { [name: string]: Options };

export const builder = (yargs: Argv) =>
  yargs
    .options(flags)
    .example("$0 estimate", "the default run at the article's prices")
    .example("$0 estimate --model anthropic:claude-sonnet-4-5 --arms codex,opencode", "two arms with a real model");

export async function handler(args: InferredOptionTypes<typeof flags>): Promise<void> {
  const { estimatePlan, estimateTable } = await import("../estimating.ts");
  const { stillAsked } = await import("../confirm.ts");
  const { articleCosting } = await import("../../harness/report/costing.ts");
  const { manifestOf } = await import("../../harness/run/manifest.ts");
  const { terminalTable } = await import("../../harness/report/tables.ts");
  const { plan, chosen } = await planFromFlags(args, false);
  // An offline run bills nothing; what its calls would cost is shown at the article's prices unless --prices says otherwise.
  const price = chosen.shownPrice ?? (chosen.kind === "offline" ? articleCosting().price : undefined);
  const { runId } = manifestOf(plan, args.name, "");
  const estimates = await estimatePlan(
    plan,
    price,
    await stillAsked(plan, join(defaultResultsFolder(args), runId), {}),
  );
  if (args.json) {
    const decimal = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value);
    process.stdout.write(
      `${JSON.stringify({ runId, price: price?.id ?? null, currency: price?.currency ?? null, arms: estimates }, decimal, 2)}\n`,
    );
    return;
  }
  process.stdout.write(`${terminalTable(estimateTable(estimates, price?.currency))}\n`);
  if (estimates.every(({ compactions, answers }) => compactions + answers === 0))
    process.stdout.write(
      "\nThis run has been done: every call is in its folder. The whole of it: the same with an empty --results folder.\n",
    );
  process.stdout.write(
    `\nRun ${runId}. Replies are taken from the offline model. Cold: nothing cached; with cache: by the provider's rules, from the run's own requests; at most: what would be reserved, retries apart.${price === undefined ? "" : ` Price ${price.id}.`}\n`,
  );
}
