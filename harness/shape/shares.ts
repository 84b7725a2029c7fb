/** Measured shares: what each compaction request of a plan has in common with the session's last request. */
import { measureBody } from "../models/body.ts";
import type { LedgerRow } from "../models/ledger.ts";
import type { Meter } from "../models/meter.ts";
import type { ModelReply, Provider } from "../models/model.ts";
import { ContextOverflowError } from "../errors.ts";
import type { CacheShares, CompactionPlace } from "../report/costing.ts";
import { Refusal } from "../serve/wire.ts";
import type { RunPlan } from "../run/plan.ts";
import type { CacheRules, CacheRulesName, InputUsage } from "./cache-rules.ts";
import { blocksOf, isSame, type SharedPrefix, sharedPrefix, unlessRefused, usageAfter, weighed } from "./measure.ts";
import { eachStep, offlineReplies, type SessionStep } from "./sessions.ts";
import { type Style, styles } from "./styles.ts";

/** One compaction request, measured in one style. */
export interface BoundaryShare {
  readonly arm: string;
  readonly chain: string;
  readonly end: number;
  readonly style: string;
  readonly shared: SharedPrefix;
  readonly outputTokens: number;
}

/**
 * The last compaction request of a step against the session's last request; undefined where the arm asked no model, or the
 * session has sent nothing since its last compaction. Throws Refusal for a body that is none of its form. `base`: the share in the style that this one is a variant of.
 */
export function shareOf(step: SessionStep, style: Style, base?: BoundaryShare): BoundaryShare | undefined {
  const pair = pairOf(step);
  if (pair === undefined) return undefined;
  const { session, request, reply } = pair;
  const earlier = weighed(style, style.encode(session));
  const later = weighed(style, style.encode(request));
  const shared = sharedPrefix(style, earlier, later, base?.shared);
  const { chain, end, arm } = step;
  return { arm: arm.id, chain, end, style: style.id, shared, outputTokens: reply.usage?.outputTokens ?? 0 };
}

/** The last compaction request of a step with its reply, and the session's last request before it. */
function pairOf({ calls, session }: SessionStep) {
  const compaction = calls.findLast(({ request }) => request.purpose === "compact");
  return compaction === undefined || session === undefined ? undefined : { session, ...compaction };
}

/** The input of a step's last compaction request under one provider's rules; undefined as in `shareOf`. Throws Refusal. */
function inputOf(step: SessionStep, style: Style, rules: CacheRules): InputUsage | undefined {
  const pair = pairOf(step);
  if (pair === undefined) return undefined;
  const later = blocksOf(style, style.encode(pair.request)).request;
  // Requests that begin differently share no message, and a session's messages are most of what there is to read.
  const start = blocksOf(style, style.encode({ ...pair.session, messages: [] })).request;
  const begins = start.blocks.filter(({ by }) => by === "tools" || by === "system");
  const shares = begins.every((block, at) => isSame(block, later.blocks[at]));
  const earlier = shares ? blocksOf(style, style.encode(pair.session)).request : start;
  return usageAfter(rules, earlier, later);
}

/** Share of a request that is read from cache. */
export const readShare = ({ freshInputTokens, cacheReadTokens, cacheWriteTokens }: InputUsage): number =>
  cacheReadTokens / Math.max(1, freshInputTokens + cacheReadTokens + cacheWriteTokens);

/** Share of a request that is written to cache. */
const writtenShare = ({ freshInputTokens, cacheReadTokens, cacheWriteTokens }: InputUsage): number =>
  cacheWriteTokens / Math.max(1, freshInputTokens + cacheReadTokens + cacheWriteTokens);

/**
 * The shares of a plan's compactions for the cost model, under one provider's cache rules. Goes through the plan with the
 * given replies: the offline model's, or `repliesOf` a run's ledger. Sends nothing.
 */
export async function measureShares(
  plan: RunPlan,
  rules: CacheRulesName,
  replies: Meter = offlineReplies(plan),
  own?: CacheRules,
): Promise<Extract<CacheShares, { kind: "measured" }>> {
  const style = styles.find((one) => rules in one.rules);
  const cache = own ?? style?.rules[rules];
  if (style === undefined || cache === undefined) throw new RangeError(`no style has the rules "${rules}"`);
  const known = new Map<string, InputUsage>();
  const keyOf = ({ arm, chain, end }: { arm: string; chain: string; end: number }): string =>
    JSON.stringify([arm, chain, end]);
  await eachStep(plan, replies, async (step) => {
    const input = unlessRefused(() => inputOf(step, style, cache));
    if (input !== undefined && !(input instanceof Refusal)) known.set(keyOf({ ...step, arm: step.arm.id }), input);
  });
  const shareAt = (place: CompactionPlace, share: (input: InputUsage) => number): number | null => {
    const input = known.get(keyOf(place));
    return input === undefined ? null : share(input);
  };
  return {
    kind: "measured",
    rules,
    shareOf: (place) => shareAt(place, readShare),
    writtenShareOf: (place) => shareAt(place, writtenShare),
  };
}

/** The replies that a run's ledger holds, by step and request. Rejects a request that was never answered as one that does not fit. */
export function repliesOf(rows: readonly LedgerRow[], provider: Provider): Meter {
  const keyOf = (cell: { chain: string; end: number; arm: string }, request: string): string =>
    JSON.stringify([cell.chain, cell.end, cell.arm, request]);
  const keys = new Map<string, string>();
  const replies = new Map<string, ModelReply>();
  for (const row of rows) {
    if (row.row === "reserve") keys.set(row.reservation, keyOf(row, row.request));
    else if (row.row === "settle" && "reply" in row) {
      const key = keys.get(row.reservation);
      if (key !== undefined) replies.set(key, row.reply);
    }
  }
  return {
    forStep: (cell) => async (request) => {
      const reply = replies.get(keyOf(cell, measureBody(provider.encode(request)).sha256));
      if (reply !== undefined) return reply;
      const failure = { provider: provider.id, status: undefined, charge: "none", decision: "request" } as const;
      throw new ContextOverflowError(`${provider.id}: the ledger has no reply to this request.`, failure);
    },
  };
}
