/** Runs a plan: every arm on every chain, into one folder. */
import { existsSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import pLimit from "p-limit";
import type { Arm } from "../arm.ts";
import { chainToJsonl } from "../chain/file.ts";
import { ArtifactError } from "../errors.ts";
import { isGenerated } from "../chain/record.ts";
import { openLedger, type LedgerRow } from "../models/ledger.ts";
import { createMeter, defaultRetries, interrupted, type Retries } from "../models/meter.ts";
import type { Pricing } from "../models/prices.ts";
import { type Cell, runCell, type Step } from "./cell.ts";
import { chainFile, type RunFolder, shapeFile, sheetFile } from "./folder.ts";
import type { PlannedChain, RunPlan } from "./plan.ts";
import { type CellChoice, chooseCells } from "./selection.ts";

/** How far a run is. */
export interface Progress {
  readonly steps: { readonly done: number; readonly all: number };
  readonly chain: string;
  readonly end: number;
  readonly arm: string;
  /** Questions asked so far, decoys included. */
  readonly questionsAsked: number;
  readonly spentNano: bigint;
}

export interface RunEffects {
  readonly pricing: Pricing;
  readonly budgetNano?: bigint;
  /** @default defaultRetries */
  readonly retries?: Retries;
  /** Cells that run side by side. @default 1 */
  readonly concurrency?: number;
  /** @default every cell */
  readonly cells?: CellChoice;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface RunResult {
  readonly cells: readonly Cell[];
  readonly ledger: readonly LedgerRow[];
}

/**
 * Does what is missing in the folder: cells side by side, the boundaries of each in order. The first error that stops the
 * run (BudgetError, InterruptedError, a provider that says stop, a bug) lets the calls in flight finish and is thrown;
 * what is finished is kept.
 */
export async function runPlan(plan: RunPlan, folder: RunFolder, effects: RunEffects): Promise<RunResult> {
  keepInputs(plan, folder);
  assertLedgerThere(folder);
  const ledger = openLedger(folder.at("ledger.jsonl"), {
    budgetNano: effects.budgetNano,
    currency: effects.pricing.kind === "priced" ? effects.pricing.price.currency : "",
    survives: effects.pricing.kind === "free" ? "process" : "power",
  });
  const drain = new AbortController();
  const { provider } = plan;
  const { pricing, signal } = effects;
  const { retries = defaultRetries } = effects;
  const meter = createMeter({ provider, ledger, pricing, retries, signal, drain: drain.signal });
  const chosen = await chooseCells(plan, folder, effects.cells ?? {});
  const all = chosen.reduce((sum, cell) => sum + (cell.kind === "run" ? cell.chain.boundaries.length : 0), 0);
  let done = 0;
  let questionsAsked = 0;
  const limit = pLimit(effects.concurrency ?? 1);
  const cellOf = async (chain: PlannedChain, arm: Arm): Promise<Cell> => {
    const onStep = async ({ boundary, answer }: Step): Promise<void> => {
      done++;
      if (answer?.kind === "asked") questionsAsked += chain.sheets[boundary.stage ?? -1]?.questions.length ?? 0;
      const steps = { done, all };
      const place = { chain: chain.chain.name, end: boundary.end, arm: arm.id };
      effects.onProgress({ steps, ...place, questionsAsked, spentNano: ledger.spentNano() });
      // Signals and the terminal are only served between turns of the event loop.
      await turn();
      if (signal.aborted) throw interrupted();
      drain.signal.throwIfAborted();
    };
    try {
      drain.signal.throwIfAborted();
      return await runCell(plan, chain, arm, folder, { kind: "run", meter, signal, onStep });
    } catch (error) {
      drain.abort(error);
      throw error;
    }
  };
  try {
    const ends = await Promise.allSettled(
      chosen.map((cell) =>
        cell.kind === "kept" ? Promise.resolve(cell.cell) : limit(() => cellOf(cell.chain, cell.arm)),
      ),
    );
    drain.signal.throwIfAborted();
    const cells = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
    return { cells, ledger: ledger.rows() };
  } finally {
    ledger.dispose();
  }
}

/** Throws ArtifactError where a run has made something and its ledger is gone: what was paid is then not known. */
function assertLedgerThere(folder: RunFolder): void {
  if (
    folder.read("ledger.jsonl") !== undefined ||
    !["projections", "answers"].some((name) => existsSync(folder.at(name)))
  )
    return;
  throw new ArtifactError(
    folder.at("ledger.jsonl"),
    "is missing, so nobody knows what was asked and paid. Restore it, or move the run folder away and run anew.",
  );
}

/** Session shape, sheets, and chains that only exist in the user's files: what the report and `history` need later. */
function keepInputs(plan: RunPlan, folder: RunFolder): void {
  folder.write(shapeFile, `${JSON.stringify({ system: plan.shape.system, tools: plan.shape.tools }, null, 1)}\n`);
  for (const { chain, sheets } of plan.chains) {
    if (!isGenerated(chain.group)) folder.write(chainFile(chain.name), chainToJsonl(chain));
    for (const sheet of sheets)
      folder.write(sheetFile(sheet.chain, sheet.stage), `${JSON.stringify(sheet, null, 1)}\n`);
  }
}

/** Reads a run's cells as far as they are on disk; nothing is asked or written. */
export async function readCells(plan: RunPlan, folder: RunFolder): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const chain of plan.chains)
    for (const { arm } of plan.arms) cells.push(await runCell(plan, chain, arm, folder, { kind: "read" }));
  return cells;
}
