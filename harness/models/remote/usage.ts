/**
 * Usage objects of three styles as four disjoint counts. Whatever is missing, negative, fractional or contradicts itself
 * makes the whole usage unknown: a count is never guessed. Reasoning tokens are part of the output in all three.
 */
import * as z from "zod";
import type { Usage } from "../model.ts";

const count = z.int().nonnegative();
/** A part that servers leave out or set to null where they do not have it: nothing of it was billed apart. */
const part = count.nullish().transform((value) => value ?? 0);

const openAi = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count.nullish(),
  prompt_tokens_details: z.object({ cached_tokens: part, cache_write_tokens: part }).nullish(),
  completion_tokens_details: z.object({ reasoning_tokens: part }).nullish(),
  prompt_cache_hit_tokens: count.nullish(),
  prompt_cache_miss_tokens: count.nullish(),
});

/**
 * Usage of a chat completion. OpenAI style: the prompt count includes what was read from and written to a cache. DeepSeek
 * style: it is the sum of `prompt_cache_hit_tokens` and `prompt_cache_miss_tokens`. Undefined also where a total does not
 * add up, since then some server counts reasoning apart.
 */
export function openAiUsage(raw: unknown): Usage | undefined {
  const parsed = openAi.safeParse(raw);
  if (!parsed.success) return undefined;
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total, ...more } = parsed.data;
  const { prompt_tokens_details: details, prompt_cache_hit_tokens: hit, prompt_cache_miss_tokens: miss } = more;
  const read = hit ?? details?.cached_tokens ?? 0;
  const written = details?.cache_write_tokens ?? 0;
  const contradicts =
    input === 0 ||
    (total !== undefined && total !== null && total !== input + output) ||
    (more.completion_tokens_details?.reasoning_tokens ?? 0) > output ||
    typeof hit !== typeof miss ||
    (typeof hit === "number" && typeof miss === "number" && hit + miss !== input) ||
    (typeof hit === "number" && (details?.cached_tokens ?? 0) !== 0 && details?.cached_tokens !== hit) ||
    read + written > input;
  if (contradicts) return undefined;
  return {
    freshInputTokens: input - read - written,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    outputTokens: output,
  };
}

const anthropic = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: part,
  cache_creation_input_tokens: part,
  cache_creation: z.object({ ephemeral_5m_input_tokens: part, ephemeral_1h_input_tokens: part }).nullish(),
});

/** Usage of an Anthropic message: the input count excludes both cache counts. Writes that are kept for an hour stay told apart, for their price. */
export function anthropicUsage(raw: unknown): Usage | undefined {
  const parsed = anthropic.safeParse(raw);
  if (!parsed.success) return undefined;
  const { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: written } = parsed.data;
  const { output_tokens: output, cache_creation: split } = parsed.data;
  const hour = split?.ephemeral_1h_input_tokens ?? 0;
  if (split && split.ephemeral_5m_input_tokens + hour !== written) return undefined;
  if (fresh + read + written === 0) return undefined;
  return {
    freshInputTokens: fresh,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    ...(hour === 0 ? {} : { cacheWriteHourTokens: hour }),
    outputTokens: output,
  };
}
