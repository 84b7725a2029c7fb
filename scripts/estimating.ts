/** What a run may cost, by arm: gone through offline, priced cold, with the provider's own cache, and at most. */
import { entries } from "../arms/index.ts";
import type { JsonObject } from "../harness/json.ts";
import { measureBody } from "../harness/models/body.ts";
import { callNano, decimalOf, type Price, reservationNano } from "../harness/models/prices.ts";
import type { Table } from "../harness/report/tables.ts";
import { type ExpectedCall, expectCalls } from "../harness/run/estimate.ts";
import type { PlannedArm, RunPlan } from "../harness/run/plan.ts";
import { prefixBlocks } from "../harness/serve/prefix.ts";
import { createPrefixCache, type InputUsage, type PrefixRequest } from "../harness/shape/cache-rules.ts";
import { blocksOf } from "../harness/shape/measure.ts";
import { cacheRulesNameOf, cacheRulesOf } from "../harness/shape/served-by.ts";

/** Expected calls of one arm. Money is undefined where the price is unknown. */
export interface ArmEstimate {
  readonly arm: string;
  readonly compactions: number;
  readonly answers: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input that the provider's cache should serve, from the run's own earlier requests. */
  readonly cacheReadTokens: number;
  readonly coldNano: bigint | undefined;
  readonly cachedNano: bigint | undefined;
  /** Every byte a token and every output at its limit: what is reserved, so what can be spent at most without retries. */
  readonly mostNano: bigint | undefined;
}

/** Estimates a plan's calls that `isMissing` says have not been made. Sends nothing. */
export async function estimatePlan(
  plan: RunPlan,
  price: Price | undefined,
  isMissing: (call: ExpectedCall) => boolean,
): Promise<ArmEstimate[]> {
  const cache = createPrefixCache(cacheRulesOf(plan.provider));
  const arms = new Map(plan.arms.map(({ arm }) => [arm.id, emptyEstimate(arm.id, price !== undefined)]));
  await expectCalls({ ...plan, arms: plan.arms.map(standIn) }, (call) => {
    const known = arms.get(call.arm);
    if (known === undefined || !isMissing(call)) return;
    const body = plan.provider.encode(call.request);
    const asked = cache.ask(prefixRequestOf(plan, call, body));
    asked.keep();
    arms.set(call.arm, added(known, call, asked.usage, body, price));
  });
  return [...arms.values()];
}

/** A real program is estimated by the mirror of its product, under its own name: nothing is started for it. */
function standIn(planned: PlannedArm): PlannedArm {
  const { id, source } = planned.arm;
  const mirror = entries.find(({ arm }) => source.kind === "native" && `${arm.id}-native` === id)?.arm;
  return mirror === undefined ? planned : { ...planned, arm: { ...mirror, id } };
}

const emptyEstimate = (arm: string, priced: boolean): ArmEstimate => {
  const nano = priced ? 0n : undefined;
  return {
    arm,
    compactions: 0,
    answers: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    coldNano: nano,
    cachedNano: nano,
    mostNano: nano,
  };
};

function added(
  sum: ArmEstimate,
  call: ExpectedCall,
  usage: InputUsage,
  body: JsonObject,
  price: Price | undefined,
): ArmEstimate {
  const { request, outputTokens } = call;
  const inputTokens = usage.freshInputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const cold = { freshInputTokens: inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens };
  const more = (nano: bigint | undefined, by: (price: Price) => bigint): bigint | undefined =>
    nano === undefined || price === undefined ? undefined : nano + by(price);
  const bytes = (): number => measureBody(body).bytes;
  return {
    arm: sum.arm,
    compactions: sum.compactions + (request.purpose === "compact" ? 1 : 0),
    answers: sum.answers + (request.purpose === "answer" ? 1 : 0),
    inputTokens: sum.inputTokens + inputTokens,
    outputTokens: sum.outputTokens + outputTokens,
    cacheReadTokens: sum.cacheReadTokens + usage.cacheReadTokens,
    coldNano: more(sum.coldNano, (known) => callNano(cold, known)),
    cachedNano: more(sum.cachedNano, (known) => callNano({ ...usage, outputTokens }, known)),
    mostNano: more(sum.mostNano, (known) => reservationNano(bytes(), request.maxOutputTokens, known)),
  };
}

/**
 * A request as its cache sees it: read from the body that would be sent, breakpoints included. Only OpenAI routes by a
 * key, so that only there cells share nothing. An offline model's request has no body that travels.
 */
function prefixRequestOf({ provider }: RunPlan, { request }: ExpectedCall, body: JsonObject): PrefixRequest {
  if (provider.id !== "openai" && provider.id !== "anthropic") {
    const { tools, system, messages } = request;
    return {
      blocks: prefixBlocks({ tools, system: [{ kind: "text", text: system }], messages, breakpoints: new Map() }),
    };
  }
  const { request: sent } = blocksOf({ form: provider.id === "anthropic" ? "messages" : "chat" }, body);
  return cacheRulesNameOf(provider).startsWith("openai") ? { ...sent, pool: request.cacheKey } : sent;
}

/** The sum over all arms. */
export const totalOf = (estimates: readonly ArmEstimate[]): ArmEstimate =>
  estimates.reduce((sum, one) => ({
    arm: "all",
    compactions: sum.compactions + one.compactions,
    answers: sum.answers + one.answers,
    inputTokens: sum.inputTokens + one.inputTokens,
    outputTokens: sum.outputTokens + one.outputTokens,
    cacheReadTokens: sum.cacheReadTokens + one.cacheReadTokens,
    coldNano: addedNano(sum.coldNano, one.coldNano),
    cachedNano: addedNano(sum.cachedNano, one.cachedNano),
    mostNano: addedNano(sum.mostNano, one.mostNano),
  }));

const addedNano = (left: bigint | undefined, right: bigint | undefined): bigint | undefined =>
  left === undefined || right === undefined ? undefined : left + right;

/** The estimate as a table. `currency` undefined: the price is unknown. */
export function estimateTable(estimates: readonly ArmEstimate[], currency: string | undefined): Table {
  const money = (nano: bigint | undefined): string => (nano === undefined ? "unknown" : decimalOf(nano, 4));
  const whole = (count: number): string => count.toLocaleString("en-US");
  return {
    title: `Expected calls, in estimated tokens${currency === undefined ? "; the price is unknown" : ` and ${currency}`}`,
    head: ["arm", "compactions", "answers", "input", "output", "cold", "with cache", "at most"],
    rows: [...estimates, totalOf(estimates)].map((one) => [
      one.arm,
      ...[one.compactions, one.answers, one.inputTokens, one.outputTokens].map(whole),
      ...[one.coldNano, one.cachedNano, one.mostNano].map(money),
    ]),
  };
}
