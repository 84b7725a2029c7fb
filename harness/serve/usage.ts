/** Billed tokens as usage objects of the three styles, and what faults make of them. */
import type { JsonObject } from "../json.ts";
import type { Usage } from "../models/model.ts";
import type { CacheRulesName } from "../shape/cache-rules.ts";
import type { UsageFaultName } from "./faults.ts";
import type { Route, UsageForm } from "./wire.ts";

/** Tokens of one request as this server counts them. */
export interface Billed extends Required<Usage> {
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number;
}

type Style = "openai" | "responses" | "anthropic" | "deepseek";

/** The style follows the cache rules; OpenAI's fields have other names on its responses route. */
function styleOf(rules: CacheRulesName, route: Route): Style {
  if (rules === "anthropic" || rules === "deepseek") return rules;
  return route === "responses" ? "responses" : "openai";
}

/** The usage object of a request, with the fault if there is one; undefined where that keeps it back. */
export function usageForm(
  rules: CacheRulesName,
  route: Route,
  billed: Billed,
  fault: UsageFaultName | undefined,
): UsageForm | undefined {
  const style = styleOf(rules, route);
  const right = styles[style](billed);
  switch (fault) {
    case "usage-missing":
      return undefined;
    case "usage-negative":
      return formOf(style, { ...right, [outputField[style]]: -1 });
    case "usage-fractional":
      return formOf(style, { ...right, [outputField[style]]: billed.outputTokens + 0.5 });
    case "usage-wrong":
      return formOf(style, { ...right, ...wrong[style](billed) });
    case "usage-last":
    case undefined:
      return formOf(style, right);
  }
}

/** On the route of Anthropic's messages the first event carries the input counts and the last one the output count. */
function formOf(style: Style, whole: JsonObject): UsageForm {
  const field = outputField[style];
  const last = style === "anthropic" ? { [field]: whole[field] ?? 0 } : whole;
  return { whole, first: { ...whole, [field]: Math.min(1, Number(whole[field])) }, last };
}

const outputField: { readonly [name in Style]: string } = {
  openai: "completion_tokens",
  deepseek: "completion_tokens",
  responses: "output_tokens",
  anthropic: "output_tokens",
};

const inputOf = ({ freshInputTokens, cacheReadTokens, cacheWriteTokens }: Billed): number =>
  freshInputTokens + cacheReadTokens + cacheWriteTokens;

/** Details of an input count that includes what was read from and written to a cache. */
const inputDetails = ({ cacheReadTokens, cacheWriteTokens }: Billed): JsonObject => ({
  cached_tokens: cacheReadTokens,
  ...(cacheWriteTokens === 0 ? {} : { cache_write_tokens: cacheWriteTokens }),
});

const styles: { readonly [name in Style]: (billed: Billed) => JsonObject } = {
  openai: (billed) => ({
    prompt_tokens: inputOf(billed),
    completion_tokens: billed.outputTokens,
    total_tokens: inputOf(billed) + billed.outputTokens,
    prompt_tokens_details: inputDetails(billed),
    completion_tokens_details: { reasoning_tokens: billed.reasoningTokens },
  }),
  responses: (billed) => ({
    input_tokens: inputOf(billed),
    input_tokens_details: inputDetails(billed),
    output_tokens: billed.outputTokens,
    output_tokens_details: { reasoning_tokens: billed.reasoningTokens },
    total_tokens: inputOf(billed) + billed.outputTokens,
  }),
  anthropic: ({ freshInputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens, outputTokens }) => ({
    input_tokens: freshInputTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWriteTokens - cacheWriteHourTokens,
      ephemeral_1h_input_tokens: cacheWriteHourTokens,
    },
    output_tokens: outputTokens,
    service_tier: "standard",
  }),
  deepseek: (billed) => ({
    prompt_tokens: inputOf(billed),
    completion_tokens: billed.outputTokens,
    total_tokens: inputOf(billed) + billed.outputTokens,
    prompt_tokens_details: { cached_tokens: billed.cacheReadTokens },
    prompt_cache_hit_tokens: billed.cacheReadTokens,
    prompt_cache_miss_tokens: inputOf(billed) - billed.cacheReadTokens,
    completion_tokens_details: { reasoning_tokens: billed.reasoningTokens },
  }),
};

/** Counts that contradict each other: more read from a cache than was sent, or a split that does not add up. */
const wrong: { readonly [name in Style]: (billed: Billed) => JsonObject } = {
  openai: (billed) => ({ prompt_tokens_details: { cached_tokens: inputOf(billed) + 1 } }),
  responses: (billed) => ({ input_tokens_details: { cached_tokens: inputOf(billed) + 1 } }),
  anthropic: ({ cacheWriteTokens }) => ({
    cache_creation: { ephemeral_5m_input_tokens: cacheWriteTokens + 1, ephemeral_1h_input_tokens: 0 },
  }),
  deepseek: (billed) => ({ prompt_cache_miss_tokens: inputOf(billed) - billed.cacheReadTokens + 1 }),
};
