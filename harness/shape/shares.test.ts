import { describe, expect, it } from "vitest";
import { allArms, smallChain, smallPlan } from "../../scripts/testing.ts";
import { measureBody } from "../models/body.ts";
import type { LedgerRow } from "../models/ledger.ts";
import type { Meter } from "../models/meter.ts";
import type { ModelReply, ModelRequest, Usage } from "../models/model.ts";
import { offlineProvider } from "../models/offline/offline.ts";
import { compactionCost } from "../report/cost.ts";
import { articleCosting } from "../report/costing.ts";
import type { CacheRulesName } from "./cache-rules.ts";
import { eachStep, offlineReplies, type SessionStep } from "./sessions.ts";
import { measureShares, readShare, repliesOf, shareOf } from "./shares.ts";
import { styles } from "./styles.ts";

const plan = smallPlan({
  chains: [smallChain("alder", 10)],
  arms: allArms().filter(({ arm }) => ["futureos-summarized", "codex", "recent"].includes(arm.id)),
});
const ends = plan.chains[0]?.boundaries.map(({ end }) => end) ?? [];
const usage: Usage = { freshInputTokens: 1_000_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

const stepsOf = async (replies: Meter = offlineReplies(plan)): Promise<SessionStep[]> => {
  const steps: SessionStep[] = [];
  await eachStep(plan, replies, async (step) => void steps.push(step));
  return steps;
};
const textsOf = (request: ModelRequest | undefined): string[] =>
  (request?.messages ?? []).flatMap(({ blocks }) =>
    blocks.map((block) => (block.kind === "text" ? block.text : block.kind)),
  );

describe("the session's last request", () => {
  it("carries the projection, then what came since, and ends before the last reply", async () => {
    const steps = (await stepsOf()).filter(({ arm }) => arm.id === "codex");
    const [first, second] = steps;
    const journal = plan.chains[0]?.journal ?? [];
    const boundary = plan.chains[0]?.boundaries[0]?.messages ?? 0;
    // A turn of the chain is: user, assistant's text, its call, the result. The last reply is text and call.
    expect(first?.session?.messages).toEqual(journal.slice(0, boundary - 3));
    expect(textsOf(second?.session)).toEqual([
      ...textsOf({
        ...(second?.session as ModelRequest),
        messages: first?.projection.map(({ message }) => message) ?? [],
      }),
      ...textsOf({
        ...(second?.session as ModelRequest),
        messages: journal.slice(boundary, (plan.chains[0]?.boundaries[1]?.messages ?? 0) - 3),
      }),
    ]);
  });

  it("is none where nothing has been said since the compaction", async () => {
    const [chain] = plan.chains;
    if (chain === undefined) throw new Error("no chain");
    const users = chain.journal.filter(({ role }) => role === "user");
    const quiet = {
      ...plan,
      chains: [{ ...chain, journal: users, boundaries: [{ end: 4, stage: undefined, messages: 2 }] }],
    };
    const steps: SessionStep[] = [];
    await eachStep(quiet, offlineReplies(plan), async (step) => void steps.push(step));
    expect(steps.map(({ session, onward }) => [session, onward])).toEqual(steps.map(() => [undefined, undefined]));
    expect((await measureShares(quiet, "openai")).shareOf({ arm: "codex", chain: "alder", end: 4 })).toBeNull();
  });
});

describe("measureShares", () => {
  it("gives the cost model a share for every compaction that asked a model, and null for any other", async () => {
    const shares = await measureShares(plan, "openai");
    for (const end of ends) {
      expect(shares.shareOf({ arm: "futureos-summarized", chain: "alder", end })).toBeGreaterThan(0.5);
      expect(shares.shareOf({ arm: "codex", chain: "alder", end })).toBe(0);
      expect(shares.shareOf({ arm: "recent", chain: "alder", end })).toBeNull();
    }
    const costing = { ...articleCosting(), cache: shares };
    const cost = (arm: string) => compactionCost(arm, { chain: "alder", end: ends[0] ?? 0, usages: [usage] }, costing);
    expect(cost("futureos-summarized").cachedNano).toBeLessThan(cost("futureos-summarized").coldNano ?? 0);
    expect(cost("codex").cachedNano).toBe(cost("codex").coldNano);
    expect(cost("recent").cachedNano).toBeNull();
  });

  it("measures under the rules that it is asked for", async () => {
    const place = { arm: "futureos-summarized", chain: "alder", end: ends[0] ?? 0 };
    const names: readonly CacheRulesName[] = ["openai", "openai-5.6", "anthropic", "deepseek"];
    const shares = await Promise.all(names.map(async (name) => (await measureShares(plan, name)).shareOf(place) ?? 0));
    for (const share of shares) expect(share).toBeGreaterThan(0.5);
    // OpenAI's older rules round down to 128 tokens; DeepSeek's unit ends with the reply, behind the request.
    expect(shares[0]).toBeLessThan(shares[3] ?? 0);
    expect((await measureShares(plan, "deepseek")).rules).toBe("deepseek");
  });

  it("takes the last request of a step, which is the one that was answered", async () => {
    const steps = await stepsOf();
    const step = steps.find(({ arm }) => arm.id === "futureos-summarized");
    const [style] = styles;
    if (step === undefined || style === undefined) throw new Error("nothing to look at");
    const compact = step.calls.filter(({ request }) => request.purpose === "compact");
    const other = compact.map((call) => ({ ...call, request: { ...call.request, system: "Another one." } }));
    const share = (calls: SessionStep["calls"]): number | undefined => {
      const usages = shareOf({ ...step, calls }, style)?.shared.usage.openai;
      return usages && readShare(usages);
    };
    expect(share([...other, ...compact])).toBe(share(compact));
    expect(share([...compact, ...other])).toBe(0);
  });
});

describe("repliesOf", () => {
  /** What a run that asked the offline model would have written down. */
  const ledgerOf = async (change: (reply: ModelReply) => ModelReply): Promise<LedgerRow[]> => {
    const provider = offlineProvider({ windowTokens: plan.options.windowTokens });
    const rows: LedgerRow[] = [];
    const replies: Meter = {
      forStep: (cell) => async (request) => {
        const reservation = String(rows.length);
        const body = provider.encode(request);
        const { purpose } = request;
        rows.push({
          row: "reserve",
          ...cell,
          reservation,
          key: reservation,
          purpose,
          request: measureBody(body).sha256,
          reservedNano: "0",
          at: "",
        });
        const reply = change(await provider.send(body));
        rows.push({ row: "settle", reservation, costNano: "0", reply, at: "" });
        return reply;
      },
    };
    await stepsOf(replies);
    return rows;
  };

  it("goes through a run with the replies it was given, not with the offline model's", async () => {
    const rows = await ledgerOf((reply) => ({ ...reply, text: `${reply.text} And the word is plover.` }));
    const steps = await stepsOf(repliesOf(rows, plan.provider));
    expect(steps.length).toBe(3 * ends.length);
    expect(JSON.stringify(steps.map(({ projection }) => projection))).toContain("And the word is plover.");
  });

  it("ends a cell where the ledger ends", async () => {
    const rows = await ledgerOf((reply) => reply);
    const half = rows.slice(0, 3);
    const steps = await stepsOf(repliesOf(half, plan.provider));
    const answered = steps.filter(({ calls }) => calls.length > 0);
    expect(answered.length).toBe(1);
  });
});
