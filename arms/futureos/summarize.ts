/** Asks the session's own model for a handoff summary, in a request that the session's last one is a prefix of. */
import type { Message } from "../../harness/chain/message.ts";
import { ContextOverflowError, ProviderError } from "../../harness/errors.ts";
import type { ModelReply } from "../../harness/models/model.ts";
import { saturated } from "./budget.ts";
import { fit } from "./fit.ts";
import { isBlank } from "./marked.ts";
import type { Plan } from "./plan.ts";
import { summaryInstruction } from "./prompt.ts";
import type { Step } from "./step.ts";

/** Why a summary was not used. */
export type FallbackReason =
  | "blank summary"
  | "summary cut off at the output limit"
  | "summary called a tool"
  | "refusal"
  | "context overflow"
  | "provider error"
  | "summary does not fit"
  | "no room for a summary";

export type Summary =
  | { readonly kind: "summary"; readonly text: string }
  | { readonly kind: "failed"; readonly reason: FallbackReason };

const failed = (reason: FallbackReason): Summary => ({ kind: "failed", reason });

/**
 * The model's summary of the `shown` messages, trimmed, whatever its length; or why there is none. Rejects where the run
 * has to stop instead: on an aborted signal, a budget refusal, an interruption, a failure that ends the run such as
 * authentication, and a bug.
 *
 * Source: futuregene/future-os, summarized-evidence-v1.
 */
export async function summarize(
  step: Step,
  plan: Plan,
  shown: readonly Message[],
  summaryTokens: number,
): Promise<Summary> {
  const { context } = step;
  context.signal.throwIfAborted();
  const outcome = await context
    .complete({
      system: context.shape.system,
      tools: context.shape.tools,
      toolChoice: "auto",
      messages: [...shown, instruction(step, plan, summaryTokens)],
      maxOutputTokens: 2 * summaryTokens,
    })
    .then(readReply, readFailure);
  context.signal.throwIfAborted();
  return outcome;
}

/** The history before this compaction, as far as the window holds it beside the reply. */
export const shownMessages = ({ projected, budget, context }: Step, summaryTokens: number): Message[] =>
  fit(
    projected.map(({ message }) => message),
    saturated(context.windowTokens - 2 * summaryTokens - budget.marginTokens),
    (message) => context.estimate.message(message),
  );

const instruction = (step: Step, plan: Plan, summaryTokens: number): Message => ({
  id: `${step.entryId}-instruction`,
  role: "user",
  blocks: [{ kind: "text", text: summaryInstruction(plan.previousSummary, step.note, summaryTokens) }],
});

function readReply({ text, calls, finish }: ModelReply): Summary {
  if (finish === "tool" || calls.length > 0) return failed("summary called a tool");
  if (finish === "length") return failed("summary cut off at the output limit");
  if (finish === "refusal") return failed("refusal");
  return isBlank(text) ? failed("blank summary") : { kind: "summary", text: text.trim() };
}

function readFailure(error: unknown): Summary {
  if (!(error instanceof ProviderError) || error.failure.decision === "stop") throw error;
  return failed(error instanceof ContextOverflowError ? "context overflow" : "provider error");
}
