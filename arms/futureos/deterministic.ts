/** FutureOS without a model: original texts, an index of tool evidence, and the newest messages. */
import { type Arm, defineArm } from "../../harness/arm.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { commit, type Compacted, countsOf, cover, type Coverage } from "./commit.ts";
import { type FutureosOptions, upstreamOptions } from "./options.ts";
import { type Plan, planStep } from "./plan.ts";
import { withSpans } from "./projection.ts";
import { indexHeader } from "./prompt.ts";
import { openStep, type Step } from "./step.ts";

const id = "futureos-deterministic";

/** The checkpoint of a plan without a summary. Throws CompactionRefusedError where it cannot be committed. */
export function commitIndex(
  step: Step,
  plan: Plan,
  coverage: Coverage,
  outcome: Checkpoint["summary_outcome"],
): Compacted {
  const body = `${indexHeader}\n${coverage.index.text}`;
  const done = commit(step, plan, coverage, { kind: "deterministic", body, outcome });
  if (done.kind === "refused") throw done.error;
  const { projection, state } = done;
  return { kind: "compacted", projection, state, counts: countsOf(step, plan, coverage) };
}

/** What neither arm models, for `arms` and the README. */
export const notModelled = [
  "the triggers provider-limit and downshift and the phases mid-turn and standalone: no boundary here raises them",
  "the input tokens that a provider reported for the last request: sizes are estimates",
  "the newest version's cap on the declared output: its rule is known at three points only, and the default call shape is none that it changes",
  "the weight of hexagram symbols (4DC0-4DFF), which the agent's own estimator counts lower",
  "the loss of a call whose id was used before: it is kept under an id of its own",
  "image attachments that are kept as metadata beside a message",
  "random entry ids and creation times: ids are digests of arm, chain and boundary",
  "the product's wording of headers and notes",
];

const arm: Arm<Checkpoint, FutureosOptions> = {
  id,
  title: "FutureOS (deterministic)",
  source: {
    kind: "mirror",
    product: "futuregene/future-os",
    commit: "deterministic-evidence-v1",
    path: "the algorithm as published with the experiment; its commit is not known",
    notModelled,
  },
  options: upstreamOptions,
  async compact(input, context) {
    const step = openStep(id, input, context);
    const plan = planStep(step, context.options.slotTokens);
    if (plan.kind === "unchanged") return { ...plan, projection: withSpans(step.projected, step.checkpoint) };
    return commitIndex(step, plan, cover(step, plan, "deterministic", 0), null);
  },
};

export const futureosDeterministic = defineArm(arm);
