/** closed-book open-book: the same sheets again, but the model may look things up. The same command resumes. */
import { existsSync } from "node:fs";
import type { Argv, InferredOptionTypes, Options } from "yargs";
import { UsageError } from "../../harness/errors.ts";
import { refuseUnagreedSend } from "../../harness/import/privacy.ts";
import { importedIn, type Manifest } from "../../harness/run/manifest.ts";
import { planFlags, wholeNumber } from "../flags.ts";
import { flags as runFlags } from "./run.ts";

export const command = "open-book";
export const describe = "Ask a finished run's sheets again, with tools that search the session's history";

const list = (value: string): string[] =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

const flags = {
  run: { type: "string", demandOption: true, describe: "the finished run: id, a beginning of it, or the folder" },
  arm: { type: "string", default: "futureos-summarized", describe: "arm of the run whose projections are used" },
  rounds: {
    type: "string",
    coerce: list,
    default: "closed,1,2,3,4,5",
    describe: "rounds to run: closed, 1 to 5 (see the README); 5 is an upper bound",
  },
  interface: {
    choices: ["journal", "product"],
    default: "journal",
    describe: "history_search and history_get, or what the arm's own design offers",
  },
  model: {
    type: "string",
    default: "offline-search",
    describe: "offline-search, offline-half, offline-never (scripted, not LLMs), openai:NAME or anthropic:NAME",
  },
  window: {
    type: "string",
    coerce: wholeNumber("--window", 1),
    describe: "context window of the model in tokens [default: its own where it is known, else the run's]",
  },
  "yes-send": planFlags["yes-send"],
  redact: {
    ...planFlags.redact,
    describe: "send a run on an imported session only where that is redacted; --no-redact sends it as it is",
  },
  "base-url": planFlags["base-url"],
  stream: planFlags.stream,
  thinking: planFlags.thinking,
  prices: planFlags.prices,
  budget: runFlags.budget,
  "confirm-above": runFlags["confirm-above"],
  yes: runFlags.yes,
  concurrency: {
    type: "string",
    coerce: wholeNumber("--concurrency", 1),
    describe: "sheets that are asked side by side [default: 4 with a remote model]",
  },
  "max-attempts": runFlags["max-attempts"],
  "retry-wait": runFlags["retry-wait"],
  "retry-failed": { type: "boolean", default: false, describe: "ask the sheets again that failed" },
  results: { type: "string", default: "results", describe: "folder of the runs" },
  json: { type: "boolean", default: false, describe: "the report as JSON on stdout, all else on stderr" },
} as const satisfies { [name: string]: Options };

export const builder = (yargs: Argv) =>
  yargs
    .options(flags)
    .example("$0 open-book --run exam-3f9a", "all rounds with the scripted searcher")
    .example("$0 open-book --run exam-3f9a --rounds closed,5 --json", "two rounds, for a program")
    .example("$0 open-book --run exam-3f9a --model openai:deepseek-chat --budget 5", "a real model");

type Flags = InferredOptionTypes<typeof flags>;

export async function handler(args: Flags): Promise<void> {
  const { findRun } = await import("../runs.ts");
  const { chooseModel } = await import("../model-choice.ts");
  const { executeOpenBook } = await import("../open-book.ts");
  const { defaultRetries } = await import("../../harness/models/meter.ts");
  const { readManifest } = await import("../../harness/run/manifest.ts");
  const { interfaceOf } = await import("../../harness/open-book/interfaces.ts");
  const { planOpenBook } = await import("../../harness/open-book/plan.ts");
  const { parseRounds } = await import("../../harness/open-book/rounds.ts");
  const rounds = parseRounds(args.rounds);
  const offer = interfaceOf(args.interface, args.arm);
  const folder = findRun(args.run, args.results);
  const manifest = readManifest(folder);
  if (folder.read("report.json") !== undefined && !existsSync(folder.at("answers")))
    throw new UsageError(
      `${folder.path}: keeps the report and not the run's sheets and projections. Run the same command again (npm run exam) and give that run with --run.`,
    );
  const chosen = await chooseModel({
    model: args.model,
    baseUrl: args["base-url"],
    stream: args.stream,
    thinking: args.thinking,
    windowTokens: windowOf(args, manifest.identity.options.windowTokens),
    pricesFile: args.prices,
    sends: true,
  });
  assertForcible(args, rounds);
  if (chosen.kind === "remote") assertSendable(args, manifest);
  const plan = await planOpenBook(folder, manifest, { arm: args.arm, offer, provider: chosen.provider });
  await executeOpenBook(plan, chosen, {
    closedPath: folder.path,
    rounds,
    json: args.json,
    budget: args.budget,
    confirmAbove: args["confirm-above"],
    yes: args.yes,
    concurrency: args.concurrency,
    retries: {
      ...defaultRetries,
      ...(args["max-attempts"] === undefined ? {} : { maxAttempts: args["max-attempts"] }),
      ...(args["retry-wait"] === undefined ? {} : { firstWaitMs: args["retry-wait"] }),
    },
    retryFailed: args["retry-failed"],
  });
}

/** An offline model takes the run's window; a remote one has its own, where it is known. */
const windowOf = ({ window, model }: Flags, runWindowTokens: number): number | undefined =>
  window ?? (model.includes(":") ? undefined : runWindowTokens);

/** Throws UsageError for a run on an imported session that may not be sent, or that is not redacted and should be. */
function assertSendable({ model, "yes-send": yesSend, redact }: Flags, manifest: Manifest): void {
  const imported = importedIn(manifest);
  refuseUnagreedSend(imported, model, yesSend);
  const plain = redact ? imported.find((name) => manifest.recorded.redaction?.[name] === undefined) : undefined;
  if (plain !== undefined)
    throw new UsageError(
      `Run "${manifest.runId}" has your session "${plain}" as it is, not redacted. Import it with --redact, run on that import and open the book there, or give --no-redact to send it.`,
    );
}

/** Throws UsageError for the one combination that Anthropic's API refuses: a forced call with thinking. */
function assertForcible({ model, thinking }: Flags, rounds: readonly { readonly design: string }[]): void {
  const thinks = thinking !== "off" && thinking !== "default";
  if (model.startsWith("anthropic:") && thinks && rounds.some(({ design }) => design === "required"))
    throw new UsageError(
      `Round 5 forces a call, which Anthropic's API refuses while the model thinks. Leave --thinking "${thinking}" or round 5 out.`,
    );
}
