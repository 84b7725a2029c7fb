/** Runs the rounds: every sheet of the arm in every round, into one folder. What is on disk is not done again. */
import { setImmediate as turnOfLoop } from "node:timers/promises";
import pLimit from "p-limit";
import { ProviderError } from "../errors.ts";
import { type LedgerRow, openLedger } from "../models/ledger.ts";
import { createMeter, defaultRetries, interrupted, type Meter, type Retries } from "../models/meter.ts";
import type { Pricing } from "../models/prices.ts";
import type { RunFolder } from "../run/folder.ts";
import { forgetFailure, keepDialogue, keepFailure, readDialogue, readFailure, type SheetName } from "./artifacts.ts";
import { type Dialogue, holdDialogue } from "./dialogue.ts";
import type { OpenBookPlan, OpenSheet } from "./plan.ts";
import type { Round } from "./rounds.ts";

/** What a sheet of a round left. */
export type SheetEnd =
  | Dialogue
  /** The provider failed for good. */
  | { readonly kind: "failed"; readonly reason: string }
  /** Not run yet. */
  | { readonly kind: "pending" };

export interface RoundSheet {
  readonly round: Round;
  readonly open: OpenSheet;
  readonly end: SheetEnd;
}

/** How far a run is. */
export interface OpenBookProgress {
  readonly done: number;
  readonly all: number;
  readonly round: Round;
  readonly chain: string;
  readonly end: number;
  /** Questions asked so far, decoys included, once for every round. */
  readonly questionsAsked: number;
  readonly spentNano: bigint;
}

export interface OpenBookEffects {
  readonly rounds: readonly Round[];
  readonly pricing: Pricing;
  readonly budgetNano?: bigint;
  /** Sheets that are asked side by side. @default 1 */
  readonly concurrency?: number;
  readonly retries?: Retries;
  /** Forgets failures of these rounds, so that failed sheets are asked again. */
  readonly retryFailed?: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: OpenBookProgress) => void;
}

/**
 * Does what is missing, round by round. A provider that failed for good fails its sheet, on disk and in the result; what
 * stops the run (BudgetError, InterruptedError, a provider that says stop, a bug) lets the calls in flight finish and is
 * thrown, with everything finished kept.
 */
export async function runOpenBook(
  plan: OpenBookPlan,
  folder: RunFolder,
  effects: OpenBookEffects,
): Promise<{ readonly sheets: readonly RoundSheet[]; readonly ledger: readonly LedgerRow[] }> {
  const { signal, pricing, rounds, retryFailed = false, retries = defaultRetries } = effects;
  const ledger = openLedger(folder.at("ledger.jsonl"), {
    budgetNano: effects.budgetNano,
    currency: effects.pricing.kind === "priced" ? effects.pricing.price.currency : "",
    survives: effects.pricing.kind === "free" ? "process" : "power",
  });
  const drain = new AbortController();
  const meter = createMeter({ provider: plan.provider, ledger, pricing, retries, signal, drain: drain.signal });
  const limit = pLimit(effects.concurrency ?? 1);
  const jobs = rounds.flatMap((round) => plan.sheets.map((open) => ({ round, open })));
  let done = 0;
  let questionsAsked = 0;
  const sheetOf = async ({ round, open }: (typeof jobs)[number]): Promise<RoundSheet> => {
    try {
      drain.signal.throwIfAborted();
      const name = sheetName(plan, round, open);
      if (retryFailed) forgetFailure(folder, name);
      const end = await askSheet(plan, folder, meter, round, open);
      if (end.kind === "held") questionsAsked += open.sheet.questions.length;
      const { chain, end: record } = name;
      const spentNano = ledger.spentNano();
      effects.onProgress({ done: ++done, all: jobs.length, round, chain, end: record, questionsAsked, spentNano });
      // Signals and the terminal are only served between turns of the event loop.
      await turnOfLoop();
      if (signal.aborted) throw interrupted();
      return { round, open, end };
    } catch (error) {
      drain.abort(error);
      throw error;
    }
  };
  try {
    const ends = await Promise.allSettled(jobs.map((job) => limit(() => sheetOf(job))));
    drain.signal.throwIfAborted();
    const sheets = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
    return { sheets, ledger: ledger.rows() };
  } finally {
    ledger.dispose();
  }
}

/** Reads what is on disk of these rounds; nothing is asked or written. */
export function readRounds(plan: OpenBookPlan, folder: RunFolder, rounds: readonly Round[]): RoundSheet[] {
  return rounds.flatMap((round) =>
    plan.sheets.map((open): RoundSheet => {
      const end = storedEnd(folder, sheetName(plan, round, open));
      return { round, open, end: end ?? { kind: "pending" } };
    }),
  );
}

const sheetName = ({ arm }: OpenBookPlan, { round }: Round, { sheet }: OpenSheet): SheetName => ({
  chain: sheet.chain,
  end: sheet.end,
  arm: arm.id,
  round,
});

function storedEnd(folder: RunFolder, name: SheetName): SheetEnd | undefined {
  const reason = readFailure(folder, name);
  return reason === undefined ? readDialogue(folder, name) : { kind: "failed", reason };
}

/** One sheet of one round, read from the folder or held and kept there. */
async function askSheet(
  plan: OpenBookPlan,
  folder: RunFolder,
  meter: Meter,
  round: Round,
  open: OpenSheet,
): Promise<SheetEnd> {
  const name = sheetName(plan, round, open);
  const known = storedEnd(folder, name);
  if (known !== undefined) return known;
  try {
    const dialogue = await holdSheet(plan, round, open, (turn) =>
      meter.forStep({ chain: name.chain, end: name.end, arm: name.arm, round: String(round.round), turn }),
    );
    keepDialogue(folder, name, dialogue);
    return dialogue;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.failure.decision === "stop") throw error;
    keepFailure(folder, name, error.message);
    return { kind: "failed", reason: error.message };
  }
}

/** The dialogue on one sheet of one round, through whatever `stepOf` gives for each turn. */
export function holdSheet(
  plan: OpenBookPlan,
  round: Round,
  { sheet, projection, journal, compactedAt }: OpenSheet,
  stepOf: (turn: number) => ReturnType<Meter["forStep"]>,
): Promise<Dialogue> {
  const { offer, limits, limitTokens, closed, arm } = plan;
  return holdDialogue(
    {
      shape: closed.shape,
      projection,
      sheet,
      round,
      offer,
      lookups: offer.open({ journal, compactedAt }),
      limits,
      cacheKey: `${sheet.chain}/${arm.id}`,
      limitTokens,
    },
    (request, turn) => stepOf(turn)(request),
  );
}
