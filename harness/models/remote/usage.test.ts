import { describe, expect, it } from "vitest";
import { nanoOf, callNano, type Price } from "../prices.ts";
import type { Usage } from "../model.ts";
import { anthropicUsage, openAiUsage } from "./usage.ts";

const usage = (fresh: number, read: number, write: number, output: number): Usage => ({
  freshInputTokens: fresh,
  cacheReadTokens: read,
  cacheWriteTokens: write,
  outputTokens: output,
});
const price: Price = {
  id: "test",
  currency: "USD",
  inputNano: nanoOf("3"),
  outputNano: nanoOf("15"),
  cacheReadNano: nanoOf("0.3"),
  cacheWriteNano: nanoOf("3.75"),
  cacheWriteHourNano: nanoOf("6"),
};
/** Everything at the full input price. */
const cold = ({
  freshInputTokens: fresh,
  cacheReadTokens: read,
  cacheWriteTokens: write,
  outputTokens,
}: Usage): Usage => usage(fresh + read + write, 0, 0, outputTokens);

describe("usage", () => {
  it.each([
    [
      "OpenAI, 1,920 of 2,006 from the cache",
      openAiUsage({ prompt_tokens: 2006, completion_tokens: 300, prompt_tokens_details: { cached_tokens: 1920 } }),
      usage(86, 1920, 0, 300),
      [5_334_000n, 10_518_000n],
    ],
    [
      "OpenAI, with cache writes inside the prompt count",
      openAiUsage({
        prompt_tokens: 5000,
        completion_tokens: 10,
        total_tokens: 5010,
        prompt_tokens_details: { cached_tokens: 1024, cache_write_tokens: 3900 },
      }),
      usage(76, 1024, 3900, 10),
      [15_310_200n, 15_150_000n],
    ],
    [
      "Anthropic, both cache counts outside the input count",
      anthropicUsage({
        input_tokens: 3,
        cache_creation_input_tokens: 12_304,
        cache_read_input_tokens: 0,
        output_tokens: 550,
      }),
      usage(3, 0, 12_304, 550),
      [54_399_000n, 45_171_000n],
    ],
    [
      "Anthropic, 200 of 300 written tokens kept for an hour",
      anthropicUsage({
        input_tokens: 20,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 1000,
        cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
        output_tokens: 1,
      }),
      { ...usage(20, 1000, 300, 1), cacheWriteHourTokens: 200 },
      [1_950_000n, 3_975_000n],
    ],
    [
      "DeepSeek, as hits and misses",
      openAiUsage({
        prompt_tokens: 1000,
        completion_tokens: 20,
        total_tokens: 1020,
        prompt_cache_hit_tokens: 960,
        prompt_cache_miss_tokens: 40,
      }),
      usage(40, 960, 0, 20),
      [708_000n, 3_300_000n],
    ],
  ] as const)("counts and costs exactly: %s", (_name, counted, expected, [cachedNano, coldNano]) => {
    expect(counted).toEqual(expected);
    expect(callNano(expected, price)).toBe(cachedNano);
    expect(callNano(cold(expected), price)).toBe(coldNano);
  });

  it("takes reasoning tokens as part of the output, not beside it", () => {
    const raw = { prompt_tokens: 5, completion_tokens: 300, completion_tokens_details: { reasoning_tokens: 192 } };
    expect(openAiUsage(raw)).toEqual(usage(5, 0, 0, 300));
  });

  const openAi = { prompt_tokens: 100, completion_tokens: 10 };
  it.each([
    ["nothing", undefined],
    ["null", null],
    ["no output count", { prompt_tokens: 100 }],
    ["no input count", { completion_tokens: 10 }],
    ["a prompt of no tokens", { ...openAi, prompt_tokens: 0 }],
    ["a negative count", { ...openAi, completion_tokens: -1 }],
    ["a fractional count", { ...openAi, prompt_tokens: 99.5 }],
    ["a count as a text", { ...openAi, prompt_tokens: "100" }],
    ["a count beyond whole numbers", { ...openAi, prompt_tokens: 2 ** 60 }],
    ["more cached than sent", { ...openAi, prompt_tokens_details: { cached_tokens: 101 } }],
    [
      "more read and written than sent",
      { ...openAi, prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 41 } },
    ],
    ["a total that does not add up", { ...openAi, total_tokens: 130 }],
    ["more reasoning than output", { ...openAi, completion_tokens_details: { reasoning_tokens: 11 } }],
    ["hits without misses", { ...openAi, prompt_cache_hit_tokens: 100 }],
    ["hits and misses that miss the sum", { ...openAi, prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 41 }],
    [
      "two different cached counts",
      {
        ...openAi,
        prompt_tokens_details: { cached_tokens: 50 },
        prompt_cache_hit_tokens: 60,
        prompt_cache_miss_tokens: 40,
      },
    ],
  ])("believes no completion's usage with %s", (_name, raw) => {
    expect(openAiUsage(raw)).toBeUndefined();
  });

  const anthropic = { input_tokens: 10, output_tokens: 5 };
  it.each([
    ["nothing", undefined],
    ["no output count", { input_tokens: 10 }],
    ["no input at all", { ...anthropic, input_tokens: 0 }],
    ["a negative count", { ...anthropic, cache_read_input_tokens: -5 }],
    ["a fractional count", { ...anthropic, output_tokens: 0.5 }],
    [
      "a split that misses the sum",
      {
        ...anthropic,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 10 },
      },
    ],
  ])("believes no message's usage with %s", (_name, raw) => {
    expect(anthropicUsage(raw)).toBeUndefined();
  });
});
