/** FutureOS with a model: as without one, a larger index, and a handoff summary below it. */
import { type Arm, defineArm } from "../../harness/arm.ts";
import type { Message } from "../../harness/chain/message.ts";
import { summaryReserve } from "./budget.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { commit, type Compacted, countsOf, cover } from "./commit.ts";
import { commitIndex, notModelled } from "./deterministic.ts";
import { type SummarizedOptions, upstreamSummarizedOptions } from "./options.ts";
import { type Plan, planStep } from "./plan.ts";
import { withSpans } from "./projection.ts";
import { handoffHeading, summaryHeader } from "./prompt.ts";
import { openStep, type Step } from "./step.ts";
import { type FallbackReason, shownMessages, summarize } from "./summarize.ts";

const id = "futureos-summarized";

/** The checkpoint with a summary of the `shown` messages, or without one and the reason. The index is the same in both. */
async function commitSummary(
  step: Step,
  plan: Plan,
  shown: readonly Message[],
  summaryTokens: number,
): Promise<Compacted> {
  const coverage = cover(step, plan, "summarized", summaryTokens);
  const fallBack = (reason: FallbackReason): Compacted => ({
    ...commitIndex(step, plan, coverage, { status: "fallback", reason }),
    fellBack: reason,
  });
  if (summaryTokens === 0) return fallBack("no room for a summary");
  const summary = await summarize(step, plan, shown, summaryTokens);
  if (summary.kind === "failed") return fallBack(summary.reason);
  const done = commit(step, plan, coverage, {
    kind: "summarized",
    body: `${summaryHeader}\n${coverage.index.text}\n\n${handoffHeading}\n\n${summary.text}`,
    outcome: { status: "summarized", reason: null },
  });
  if (done.kind === "refused") return fallBack("summary does not fit");
  const { projection, state } = done;
  return { kind: "compacted", projection, state, counts: countsOf(step, plan, coverage) };
}

const arm: Arm<Checkpoint, SummarizedOptions> = {
  id,
  title: "FutureOS (summarized)",
  source: {
    kind: "mirror",
    product: "futuregene/future-os",
    commit: "summarized-evidence-v1",
    path: "the algorithm as published with the experiment, with the newest rule for long summaries; its commit is not known",
    notModelled: [
      ...notModelled,
      "attempts, waits and stream timeouts of the summary call: the meter retries, the arm sees one reply or one failure",
      "the usage of each attempt in the checkpoint: the ledger has it",
      "switched-off thinking: a parameter of the run's model",
    ],
  },
  options: upstreamSummarizedOptions,
  async compact(input, context) {
    const step = openStep(id, input, context);
    const summaryTokens = summaryReserve(context.windowTokens, context.options);
    const { slotTokens, handoffTokens } = context.options;
    const plan = planStep(step, slotTokens + summaryTokens + handoffTokens);
    if (plan.kind === "unchanged") return { ...plan, projection: withSpans(step.projected, step.checkpoint) };
    const shown = shownMessages(step, summaryTokens);
    const compacted = await commitSummary(step, plan, shown, summaryTokens);
    return { ...compacted, counts: { ...compacted.counts, leftOut: step.projected.length - shown.length } };
  },
};

export const futureosSummarized = defineArm(arm);
