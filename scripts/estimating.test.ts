/** The estimate against what a server then bills, under every provider's cache rules. */
import { describe, expect, it } from "vitest";
import { spending } from "../harness/models/ledger.ts";
import type { CacheRulesName } from "../harness/shape/cache-rules.ts";
import { openAiProvider } from "../harness/models/openai/openai.ts";
import { type ArmEstimate, estimatePlan, totalOf } from "./estimating.ts";
import { allArms, smallChain, smallPlan } from "./testing.ts";
import { chainFiles, closedBook, ledgerOf, modelFlags, newResults, serve } from "./testing-remote.ts";

const chains = chainFiles(["alder"], 30).flatMap((file) => ["--chain", file]);
const what = ["--cuts", "48,84,120", "--arms", "opencode,futureos-summarized,full", ...chains];

describe("the estimate", () => {
  it.each<[CacheRulesName, string]>([
    ["openai", "openai:gpt-5-mini"],
    ["openai-5.6", "openai:gpt-5.6"],
    ["anthropic", "anthropic:claude-sonnet-4-5"],
  ])(
    "expects of every arm the calls, the input and the cached input that a server with %s rules bills",
    async (cacheRules, model) => {
      const server = await serve({ cacheRules, cacheByKey: true });
      const results = newResults();
      const [style = "", name = ""] = model.split(":");
      const flags = [...what, ...modelFlags(server, style, name), "--results", results];
      const estimated = await closedBook(["estimate", "--json", ...flags]);
      const run = await closedBook(["run", "--json", "--yes", "--concurrency", "1", ...flags]);
      expect(run.code, run.err).toBe(0);
      const rows = ledgerOf(results);
      const { arms } = JSON.parse(estimated.out) as { readonly arms: readonly ArmEstimate[] };
      const billed = arms.map(({ arm }) => {
        const { calls, usage } = spending(rows, (row) => row.arm === arm);
        const { freshInputTokens: fresh, cacheReadTokens: read, cacheWriteTokens: written } = usage;
        return { arm, calls, inputTokens: fresh + read + written, cacheReadTokens: read };
      });
      expect(
        arms.map(({ arm, compactions, answers, inputTokens, cacheReadTokens }) => ({
          arm,
          calls: compactions + answers,
          inputTokens,
          cacheReadTokens,
        })),
      ).toEqual(billed);
      const cached = billed.reduce((sum, { cacheReadTokens }) => sum + cacheReadTokens, 0);
      // Away from OpenAI's own servers GPT-5.6 gets no explicit breakpoint, and its own lies behind the question.
      if (cacheRules === "openai-5.6") expect(cached).toBe(0);
      else expect(cached).toBeGreaterThan(0);
    },
  );

  it("counts on GPT-5.6's explicit breakpoint where it is sent, and on none where it is not", async () => {
    const readAt = async (baseUrl: string): Promise<number> => {
      const provider = openAiProvider({ model: "gpt-5.6", baseUrl, apiKey: "any", windowTokens: 1_000_000 });
      const arms = allArms().filter(({ arm }) => arm.id === "full");
      const plan = smallPlan({ provider, arms, chains: [smallChain("alder", 30)] });
      return totalOf(await estimatePlan(plan, undefined, () => true)).cacheReadTokens;
    };
    expect(await readAt("https://api.openai.com/v1")).toBeGreaterThan(10_000);
    expect(await readAt("https://gateway.example/v1")).toBe(0);
  });
});
