/** One arm on one chain: boundary after boundary it compacts, and where a sheet is due it asks. What is on disk is not done again. */
import type { Arm, Compaction, CompactionInput } from "../arm.ts";
import { CompactionRefusedError, ProviderError } from "../errors.ts";
import type { Sheet } from "../exam/question.ts";
import type { Meter } from "../models/meter.ts";
import * as artifacts from "./artifacts.ts";
import type { RunFolder } from "./folder.ts";
import type { PlannedBoundary, PlannedChain, RunPlan } from "./plan.ts";
import { answerStep, compactStep, type StepContext } from "./step.ts";

/** What one boundary left. */
export interface Step {
  readonly boundary: PlannedBoundary;
  readonly compaction: Compaction;
  /** Undefined where no sheet is asked. */
  readonly answer: artifacts.StoredAnswer | undefined;
}

export type CellEnd =
  | { readonly kind: "done" }
  /** The step at `end` failed, and none after it was tried. */
  | { readonly kind: "failed"; readonly end: number; readonly reason: string }
  /** The step at `end` has not been run yet. */
  | { readonly kind: "pending"; readonly end: number };

/** One arm on one chain, as far as it got. */
export interface Cell {
  readonly chain: PlannedChain;
  readonly arm: Arm;
  readonly steps: readonly Step[];
  readonly end: CellEnd;
}

/** `run` makes what is missing through the meter; `read` only looks. */
export type CellMode =
  | {
      readonly kind: "run";
      readonly meter: Meter;
      readonly signal: AbortSignal;
      readonly onStep: (step: Step) => Promise<void>;
    }
  | { readonly kind: "read" };

/**
 * Runs or reads a cell. A refused compaction and a provider that failed for good end the cell as failed, on disk and in the
 * result; anything that stops the run (budget, interruption, authentication, a bug) is thrown, with all earlier steps kept.
 */
export async function runCell(
  plan: RunPlan,
  chain: PlannedChain,
  arm: Arm,
  folder: RunFolder,
  mode: CellMode,
): Promise<Cell> {
  const store = stepStore(chain, folder);
  const stored = store.failure({ chain: chain.chain.name, arm: arm.id });
  // Two cells whose names run together have one file.
  const failed = stored?.chain === chain.chain.name && stored.arm === arm.id ? stored : undefined;
  const steps: Step[] = [];
  let previous: CompactionInput["previous"];
  let compactedMessages = 0;
  for (const boundary of chain.boundaries) {
    const name = { chain: chain.chain.name, end: boundary.end, arm: arm.id };
    if (failed?.end === boundary.end)
      return { chain, arm, steps, end: { kind: "failed", end: failed.end, reason: failed.reason } };
    const journal = chain.journal.slice(0, boundary.messages);
    const input = { journal, fresh: journal.slice(compactedMessages), previous, trigger: plan.options.trigger };
    const sheet = boundary.stage === undefined ? undefined : chain.sheets[boundary.stage];
    const effects: StepContext | undefined =
      mode.kind === "read" ? undefined : { plan, arm, name, complete: mode.meter.forStep(name), signal: mode.signal };
    let step: Step | undefined;
    try {
      step = await runStep(store, boundary, input, sheet, name, effects);
    } catch (error) {
      const reason = failureReason(error);
      if (reason === undefined) throw error;
      store.keepFailure(name, reason);
      return { chain, arm, steps, end: { kind: "failed", end: boundary.end, reason } };
    }
    if (step === undefined) return { chain, arm, steps, end: { kind: "pending", end: boundary.end } };
    if (step.compaction.kind === "compacted") {
      previous = step.compaction;
      compactedMessages = boundary.messages;
    }
    steps.push(step);
    if (mode.kind === "run") await mode.onStep(step);
  }
  return { chain, arm, steps, end: { kind: "done" } };
}

/** One step, read from the store or made and kept there; undefined where something is missing and there are no effects to make it with. */
async function runStep(
  store: StepStore,
  boundary: PlannedBoundary,
  input: CompactionInput,
  sheet: Sheet | undefined,
  name: artifacts.StepName,
  effects: StepContext | undefined,
): Promise<Step | undefined> {
  const compaction =
    store.compaction(name) ?? (effects && store.keepCompaction(name, await compactStep(input, effects)));
  if (compaction === undefined || sheet === undefined) return compaction && { boundary, compaction, answer: undefined };
  const answer =
    store.answer(name) ?? (effects && store.keepAnswer(name, await answerStep(compaction.projection, sheet, effects)));
  return answer && { boundary, compaction, answer };
}

/** Why a cell failed, or undefined for an error that stops the run. */
function failureReason(error: unknown): string | undefined {
  if (error instanceof CompactionRefusedError) return error.message;
  return error instanceof ProviderError && error.failure.decision !== "stop" ? error.message : undefined;
}

type StepStore = ReturnType<typeof stepStore>;

/** The artifacts of one chain's steps in a run folder. */
function stepStore(chain: PlannedChain, folder: RunFolder) {
  const byId = new Map(chain.journal.map((message) => [message.id, message]));
  const find: artifacts.Find = (id) => byId.get(id);
  const load = <Value>(file: string, read: (path: string, text: string) => Value): Value | undefined => {
    const text = folder.read(file);
    return text === undefined ? undefined : read(folder.at(file), text);
  };
  return {
    compaction: (name: artifacts.StepName) =>
      load(artifacts.projectionFile(name), (path, text) => artifacts.readCompaction(path, text, find)),
    keepCompaction: (name: artifacts.StepName, compaction: Compaction): Compaction => {
      folder.write(artifacts.projectionFile(name), artifacts.compactionText(name, compaction, find));
      return compaction;
    },
    answer: (name: artifacts.StepName) => load(artifacts.answerFile(name), artifacts.readAnswer),
    keepAnswer: (name: artifacts.StepName, answer: artifacts.StoredAnswer): artifacts.StoredAnswer => {
      folder.write(artifacts.answerFile(name), artifacts.answerText(name, answer));
      return answer;
    },
    failure: (name: Omit<artifacts.StepName, "end">) => load(artifacts.failureFile(name), artifacts.readFailure),
    keepFailure: (name: artifacts.StepName, reason: string): void =>
      folder.derive(artifacts.failureFile(name), `${JSON.stringify({ ...name, reason })}\n`),
  };
}
