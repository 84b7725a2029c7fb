/** Decides what a compaction removes, what stays, and how much room its checkpoint gets. */
import type { Message } from "../../harness/chain/message.ts";
import { expandedLimit, saturated, slotOf } from "./budget.ts";
import { turnAwareCut } from "./cut.ts";
import { internalSummary, isCompactable, type MarkedMessage, protectedForm } from "./marked.ts";
import { budgetExceeded, noValidBoundary } from "./refusals.ts";
import type { Step } from "./step.ts";

export interface Plan {
  readonly kind: "plan";
  readonly removed: readonly MarkedMessage[];
  readonly retained: readonly Message[];
  /** Texts of users and assistants that stay, out of what is removed. */
  readonly originals: readonly Message[];
  /** Assistant texts given up for lack of room. */
  readonly demoted: number;
  readonly slotTokens: number;
  /** What the history may cost afterwards. */
  readonly targetTokens: number;
  readonly beforeTokens: number;
  /** Ids of the first and last removed message. */
  readonly coveredFrom: string;
  readonly cutoff: string;
  /** Text of the checkpoint among the removed messages. */
  readonly previousSummary: string | undefined;
}

export interface Unchanged {
  readonly kind: "unchanged";
  readonly reason: string;
}

const unchanged = (reason: string): Unchanged => ({ kind: "unchanged", reason });

/**
 * Plans the compaction of a step with a slot of at most `slotCapTokens`. Throws CompactionRefusedError where the fixed
 * tokens or the user's own text leave no room, or where no cut exists. Linear.
 *
 * Source: futuregene/future-os, compaction planning, for the triggers manual and automatic before a turn.
 */
export function planStep(step: Step, slotCapTokens: number): Plan | Unchanged {
  const { projected, budget, manual, context } = step;
  const { fixedTokens } = context;
  if (projected.length === 0) return unchanged("the history is empty");
  if (step.committed) return unchanged("this step is committed already");
  const costs = projected.map(({ message }) => context.estimate.message(message));
  const beforeTokens = sum(costs) + fixedTokens;
  if (fixedTokens >= budget.inputLimitTokens)
    throw budgetExceeded(
      `System prompt and tools take ${fixedTokens} tokens, all of the input limit of ${budget.inputLimitTokens}; use a larger window`,
    );
  if (!manual && beforeTokens < budget.triggerTokens) return unchanged("the request is below the trigger");
  const keepTokens = manual ? Math.min(budget.keepTokens, context.options.manualTailTokens) : budget.keepTokens;
  const cut = cutOf(projected, costs, keepTokens, manual);
  if (cut === undefined && !manual && beforeTokens <= budget.inputLimitTokens)
    return unchanged("there is no place to cut, and the request still fits");
  if (cut === undefined || cut === 0)
    throw noValidBoundary(`There is no place to cut a history of ${projected.length} messages`);
  const removed = projected.slice(0, cut);
  if (!removed.some(isCompactable)) return unchanged("nothing is left to compact");
  const first = removed.find(({ message }) => message.id !== "");
  const last = removed.findLast(({ message }) => message.id !== "");
  if (first === undefined || last === undefined) throw noValidBoundary("No removed message has an id");
  const retained = projected.slice(cut).map(({ message }) => message);
  return {
    kind: "plan",
    removed,
    retained,
    ...roomFor(step, removed, sum(costs.slice(cut)), slotCapTokens),
    beforeTokens,
    coveredFrom: first.message.id,
    cutoff: last.message.id,
    previousSummary: removed.map(internalSummary).find((summary) => summary !== undefined),
  };
}

/** The cut behind every earlier checkpoint; the length of the history only where `manual` allows to keep nothing. */
function cutOf(
  projected: readonly MarkedMessage[],
  costs: readonly number[],
  keepTokens: number,
  manual: boolean,
): number | undefined {
  const byTurns = turnAwareCut(projected, costs, keepTokens, manual) ?? (manual ? projected.length : undefined);
  if (byTurns === undefined) return undefined;
  const checkpoint = projected.findLastIndex((marked) => internalSummary(marked) !== undefined);
  const cut = Math.max(byTurns, checkpoint + 1);
  if (manual) return sum(costs.slice(cut)) > keepTokens ? projected.length : cut;
  return cut === projected.length ? 0 : cut;
}

/** Which originals stay, newest first: every user's, and an assistant's while there is room. */
function roomFor(
  { budget, context }: Step,
  removed: readonly MarkedMessage[],
  retainedTokens: number,
  slotCapTokens: number,
): Pick<Plan, "originals" | "demoted" | "slotTokens" | "targetTokens"> {
  const { options, estimate } = context;
  const slotTokens = slotOf(context.windowTokens, slotCapTokens);
  const maxTokens = expandedLimit(budget.inputLimitTokens, context.fixedTokens, options.maxExpandedTokens);
  const candidates = protectedOf(removed);
  const userTokens = sum(candidates.map((message) => (message.role === "user" ? estimate.message(message) : 0)));
  const baseTokens = userTokens + retainedTokens + slotTokens + options.slotMarginTokens;
  let leftTokens = saturated(maxTokens - baseTokens);
  let assistantTokens = 0;
  const originals = candidates
    .toReversed()
    .filter((message) => {
      if (message.role === "user") return true;
      const cost = estimate.message(message);
      if (cost > leftTokens) return false;
      leftTokens -= cost;
      assistantTokens += cost;
      return true;
    })
    .toReversed();
  const requiredTokens = baseTokens + assistantTokens;
  if (requiredTokens > maxTokens)
    throw budgetExceeded(
      `What has to stay takes ${requiredTokens} tokens and may take ${maxTokens}; the user's own text is never shortened`,
    );
  const targetTokens = Math.max(Math.min(options.targetTokens, maxTokens), requiredTokens);
  return { originals, demoted: candidates.length - originals.length, slotTokens, targetTokens };
}

/** Protected forms in order, the first one under each id. */
function protectedOf(removed: readonly MarkedMessage[]): Message[] {
  const byId = new Map<string, Message>();
  for (const marked of removed) {
    const form = protectedForm(marked);
    if (form !== undefined && form.id !== "" && !byId.has(form.id)) byId.set(form.id, form);
  }
  return [...byId.values()];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
