/** What a run may cost, by arm: gone through offline, priced cold, with the provider's own cache, and at most. */
import type { ToolDefinition } from "../harness/models/model.ts";
import type { Block } from "../harness/chain/message.ts";
import { callNano, decimalOf, type Price, reservationNano } from "../harness/models/prices.ts";
import type { Table } from "../harness/report/tables.ts";
import { type ExpectedCall, expectCalls } from "../harness/run/estimate.ts";
import type { RunPlan } from "../harness/run/plan.ts";
import { prefixBlocks } from "../harness/serve/prefix.ts";
import {
  anthropicRules,
  type CacheRules,
  cacheRules,
  createPrefixCache,
  type InputUsage,
  type Life,
} from "../harness/shape/cache-rules.ts";

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
  const cache = createPrefixCache(rulesOf(plan));
  const arms = new Map(plan.arms.map(({ arm }) => [arm.id, emptyEstimate(arm.id, price !== undefined)]));
  await expectCalls(plan, (call) => {
    const known = arms.get(call.arm);
    if (known === undefined || !isMissing(call)) return;
    const asked = cache.ask({ blocks: blocksOf(call), pool: call.request.cacheKey });
    asked.keep();
    arms.set(call.arm, added(known, call, asked.usage, plan, price));
  });
  return [...arms.values()];
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
  plan: RunPlan,
  price: Price | undefined,
): ArmEstimate {
  const { request, inputTokens, outputTokens } = call;
  const cold = { freshInputTokens: inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens };
  const more = (nano: bigint | undefined, by: (price: Price) => bigint): bigint | undefined =>
    nano === undefined || price === undefined ? undefined : nano + by(price);
  const bytes = (): number => Buffer.byteLength(JSON.stringify(plan.provider.encode(request)));
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

/** The cache rules of the plan's server, as far as its name tells: DeepSeek's where that is in the base URL. */
export function rulesOf({ provider }: RunPlan): CacheRules {
  if (provider.id === "anthropic") return anthropicRules(provider.model);
  return JSON.stringify(provider.parameters).includes("deepseek") ? cacheRules.deepseek : cacheRules.openai;
}

/** A request as blocks, with breakpoints where the Anthropic adapter sets them; other rules do not look at them. */
function blocksOf({ request }: ExpectedCall) {
  const { tools, messages } = request;
  const system = [{ kind: "text", text: request.system }] as const;
  const lastOfHistory = messages.at(-2)?.blocks.at(-1);
  const marks: (ToolDefinition | Block | undefined)[] = [tools.at(-1), system[0], lastOfHistory];
  const breakpoints = new Map<ToolDefinition | Block, Life>(
    marks.flatMap((mark) => (mark === undefined ? [] : [[mark, "minutes"] as const])),
  );
  return prefixBlocks({ tools, system, messages, breakpoints });
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
