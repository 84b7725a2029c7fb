/** Turns a plan and a text into a checkpoint and the history that follows it, whole or not at all. */
import type { Compaction, ProjectedMessage } from "../../harness/arm.ts";
import { verbatim } from "../../harness/arm.ts";
import type { CompactionRefusedError } from "../../harness/errors.ts";
import { evidenceBudget } from "./budget.ts";
import { type Checkpoint, checkpointMessage } from "./checkpoint.ts";
import { type EvidenceIndex, evidenceIndex } from "./evidence.ts";
import { internalSummary, isBlank } from "./marked.ts";
import type { Plan } from "./plan.ts";
import { type RetentionKind, retentionNote } from "./prompt.ts";
import { budgetExceeded, invalidSummary, noProgress, noValidBoundary } from "./refusals.ts";
import type { Step } from "./step.ts";

/** What a compaction covers, by ids of the raw history, and the index of it. */
export interface Coverage {
  readonly from: string;
  readonly cutoff: string;
  readonly index: EvidenceIndex;
}

/**
 * The coverage of a plan, its index built anew over the raw history from the start. `summaryTokens` is kept free for a
 * summary. Throws CompactionRefusedError where the plan's cutoff is not in the raw history.
 *
 * Source: futuregene/future-os, deterministic-evidence-v1.
 */
export function cover(step: Step, plan: Plan, kind: RetentionKind, summaryTokens: number): Coverage {
  const { raw, context } = step;
  const cutoffIndex = coveredEnd(step, plan);
  const cutoff = raw[cutoffIndex]?.id;
  const first = raw[0]?.id;
  if (cutoff === undefined || first === undefined)
    throw noValidBoundary(`The last removed message, "${plan.cutoff}", is not in the journal`);
  const noteTokens = context.estimate.text(retentionSuffix(kind, plan.demoted));
  return {
    from: raw.some(({ id }) => id === plan.coveredFrom) ? plan.coveredFrom : first,
    cutoff,
    index: evidenceIndex(
      raw.slice(0, cutoffIndex + 1),
      cutoff,
      step.note,
      evidenceBudget(plan.slotTokens, noteTokens, summaryTokens, context.options.headerReserveTokens),
      context.options,
      context.estimate,
    ),
  };
}

/** Index of the last covered raw message, or -1. A checkpoint that is itself the last one removed stands for all before the tail. */
function coveredEnd({ raw }: Step, plan: Plan): number {
  const direct = raw.findIndex(({ id }) => id === plan.cutoff);
  if (direct >= 0) return direct;
  const isCheckpoint = plan.removed.some(
    (marked) => marked.message.id === plan.cutoff && internalSummary(marked) !== undefined,
  );
  if (!isCheckpoint) return -1;
  const [firstRetained] = plan.retained;
  return firstRetained === undefined ? raw.length - 1 : raw.findIndex(({ id }) => id === firstRetained.id) - 1;
}

/** The retention note as it is appended; "" where nothing was given up. */
const retentionSuffix = (kind: RetentionKind, demoted: number): string =>
  demoted === 0 ? "" : `\n\n${retentionNote(kind, demoted)}`;

export interface Draft {
  readonly kind: RetentionKind;
  /** Header and index, and the summary where there is one. */
  readonly body: string;
  readonly outcome: Checkpoint["summary_outcome"];
}

export type Commit =
  | { readonly kind: "committed"; readonly projection: readonly ProjectedMessage[]; readonly state: Checkpoint }
  | { readonly kind: "refused"; readonly error: CompactionRefusedError };

/**
 * Commits a draft, or says why not: a blank body, a history above its target or the input limit, no progress.
 *
 * Source: futuregene/future-os, finalisation of a compaction.
 */
export function commit(step: Step, plan: Plan, coverage: Coverage, draft: Draft): Commit {
  const { context, budget } = step;
  if (isBlank(draft.body)) return refused(invalidSummary("The checkpoint has no text"));
  const summary = draft.body + retentionSuffix(draft.kind, plan.demoted);
  const projection = [
    ...plan.originals.map((message) => verbatim("original", message)),
    checkpointMessage(step.entryId, summary),
    ...plan.retained.map((message) => verbatim("tail", message)),
  ];
  const history = projection.reduce((sum, { message }) => sum + context.estimate.message(message), 0);
  const afterTokens = history + context.fixedTokens;
  const limit = Math.min(plan.targetTokens, budget.inputLimitTokens - context.fixedTokens);
  if (history > limit)
    return refused(budgetExceeded(`The compacted history takes ${history} tokens and may take ${limit}`));
  if (!step.manual && afterTokens >= plan.beforeTokens)
    return refused(noProgress(`The compaction leaves ${afterTokens} of ${plan.beforeTokens} tokens`));
  const state: Checkpoint = {
    entry_id: step.entryId,
    checkpoint_id: `cp_${step.entryId}`,
    covered_from_entry_id: coverage.from,
    cutoff_entry_id: coverage.cutoff,
    summary,
    protected_entry_ids: plan.originals.map(({ id }) => id),
    tokens_before: plan.beforeTokens,
    tokens_after: afterTokens,
    trigger: step.manual ? "manual" : "automatic",
    phase: "pre-turn",
    algorithm_version: draft.kind === "deterministic" ? "deterministic-evidence-v1" : "summarized-evidence-v1",
    model: null,
    context_window: context.windowTokens,
    summary_outcome: draft.outcome,
  };
  return { kind: "committed", projection, state };
}

const refused = (error: CompactionRefusedError): Commit => ({ kind: "refused", error });

export type Compacted = Extract<Compaction<Checkpoint>, { kind: "compacted" }>;

/** What a committed step is counted by. */
export const countsOf = (step: Step, plan: Plan, { index }: Coverage): NonNullable<Compacted["counts"]> => ({
  rows: index.rows,
  smallRows: index.smallRows,
  originals: plan.originals.length,
  demoted: plan.demoted,
  retained: plan.retained.length,
  unpaired: step.unpaired,
});
