/** closed-book run: the comparison, from chains to tables. The same command resumes; a finished run answers at once. */
import type { Argv, InferredOptionTypes, Options } from "yargs";
import { UsageError } from "../../harness/errors.ts";
import { planFlags, planFromFlags, resultsFolderFor, wholeNumber } from "../flags.ts";

export const command = "run";
export const describe = "Run the comparison: compact every chain with every arm, ask, report";

export const flags = {
  ...planFlags,
  budget: {
    type: "string",
    describe: "most that may be spent, in the price's currency; reached, the run stops with exit code 3",
  },
  "confirm-above": { type: "string", default: "1", describe: "ask before a run that may cost more than this" },
  yes: { type: "boolean", default: false, describe: "do not ask" },
  concurrency: {
    type: "string",
    coerce: wholeNumber("--concurrency", 1),
    describe: "cells that run side by side [default: 4 with a remote model]",
  },
  "max-attempts": {
    type: "string",
    coerce: wholeNumber("--max-attempts", 1),
    describe: "attempts a request [default: 5]",
  },
  "retry-wait": {
    type: "string",
    coerce: wholeNumber("--retry-wait", 0),
    describe: "wait before the second attempt in ms, doubled each time; a provider's own wish wins [default: 500]",
  },
  only: { type: "string", describe: "only this cell, chain/arm: a cheap try of the same run" },
  "max-cells": { type: "string", coerce: wholeNumber("--max-cells", 1), describe: "only so many unfinished cells" },
  "retry-failed": { type: "boolean", default: false, describe: "run the cells again that failed" },
  cache: {
    choices: ["measured", "assumed"],
    default: "measured",
    describe: "cache share in the costs: measured from the requests' shared prefix, or the article's 0.98",
  },
  name: { type: "string", default: "exam", describe: "first part of the run's id" },
  results: {
    type: "string",
    describe: "folder that run folders are made in [default: results; for imported sessions one in the data folder]",
  },
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
    .example("$0 run --model openai:deepseek-chat --base-url https://api.deepseek.com --budget 5", "a real model")
    .example("$0 run --json > report.json", "the report for a program");

export async function handler(args: InferredOptionTypes<typeof flags>): Promise<void> {
  const { executeRun } = await import("../execute.ts");
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(args.name))
    throw new UsageError(
      `--name is "${args.name}", but it becomes a folder's name: letters, digits, dots, dashes and underscores.`,
    );
  const { plan, chosen } = await planFromFlags(args, true);
  await executeRun(plan, chosen, {
    name: args.name,
    resultsFolder: resultsFolderFor(args, chosen),
    json: args.json,
    budget: args.budget,
    confirmAbove: args["confirm-above"],
    yes: args.yes,
    concurrency: args.concurrency,
    maxAttempts: args["max-attempts"],
    retryWaitMs: args["retry-wait"],
    only: args.only,
    maxCells: args["max-cells"],
    retryFailed: args["retry-failed"],
    cache: args.cache,
  });
}
