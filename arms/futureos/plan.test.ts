import { describe, expect, it } from "vitest";
import type { Message } from "../../harness/chain/message.ts";
import { messagesTokens } from "../../harness/chain/tokens.ts";
import { CompactionRefusedError } from "../../harness/errors.ts";
import { messagesOf, recordingContext } from "../testing.ts";
import { futureosDeterministic as arm } from "./deterministic.ts";
import { assistant, checkpointOf, compactAt, compactedOf, pair, structuredMessages, user } from "./testing.ts";

const exportChain = structuredMessages();
const nothing = { kind: "unchanged", projection: [], reason: "no such step" } as const;
const run = (journal: readonly Message[], overrides: Parameters<typeof compactAt>[4] = {}) =>
  compactAt(arm, journal, [journal.length], undefined, overrides).then(([step]) => step?.compaction);

describe("what has to stay", () => {
  const say = (id: string, tokens: number) => assistant(id, "x".repeat(4 * (tokens - 6)));
  const ask = (id: string, tokens: number) => user(id, "x".repeat(4 * (tokens - 6)));

  it("drops assistant texts from the oldest on where they do not fit, tries smaller ones further on, and says so", async () => {
    const journal = [
      ask("u1", 40_000),
      say("small", 1_000),
      say("old", 50_000),
      say("new", 84_000),
      ...pair("x", "a.txt", "y".repeat(40_000)),
    ];
    const compacted = compactedOf((await run(journal)) ?? nothing);
    expect(
      messagesOf(compacted.projection)
        .map(({ id }) => id)
        .slice(0, -1),
    ).toEqual(["u1", "small", "new"]);
    expect(compacted.counts).toMatchObject({ demoted: 1, originals: 3 });
    const { summary, protected_entry_ids: ids } = checkpointOf(compacted);
    expect(summary).toMatch(/\n\n\[Retention: 1 [^\n]*not summarized[^\n]*\]$/);
    expect(ids).toEqual(["u1", "small", "new"]);
  });

  it("is refused, never shortened, where the user's own text does not fit", async () => {
    const journal = [ask("u1", 100_000), ask("u2", 30_000), ...pair("x", "a.txt", "y".repeat(40_000))];
    await expect(run(journal)).rejects.toThrow(CompactionRefusedError);
    await expect(run(journal)).rejects.toThrow(/^What has to stay .* may take 128000; [^\n]*\(BudgetExceeded\)\.$/);
  });

  it("may exceed the target of 32,000 tokens when the originals alone do", async () => {
    const journal = [ask("u1", 60_000), ...pair("x", "a.txt", "y".repeat(40_000))];
    const compacted = compactedOf((await run(journal)) ?? nothing);
    expect(messagesTokens(messagesOf(compacted.projection))).toBeGreaterThan(60_000);
  });
});

it("compacts automatically from the very trigger on", async () => {
  const journal = exportChain.slice(0, 28);
  const fixedTokens = 613_952 - messagesTokens(journal);
  expect(await run(journal, { fixedTokens, trigger: "automatic" })).toMatchObject({ kind: "compacted" });
  expect(await run(journal, { fixedTokens: fixedTokens - 1, trigger: "automatic" })).toMatchObject({
    reason: "the request is below the trigger",
  });
});

describe("no compaction exists", () => {
  it("where system prompt and tools fill the input limit", async () => {
    await expect(run(exportChain.slice(0, 28), { fixedTokens: 613_952 })).rejects.toThrow(/BudgetExceeded/);
    await expect(run(exportChain.slice(0, 28), { fixedTokens: 613_952, trigger: "automatic" })).rejects.toThrow(
      /BudgetExceeded/,
    );
  });

  it("automatically, where only what an earlier compaction left could be removed", async () => {
    const [step] = await compactAt(arm, exportChain, [96]);
    const previous = compactedOf(step?.compaction ?? nothing);
    const { context } = recordingContext(arm, undefined, {
      fixedTokens: 612_000,
      boundary: { chain: "test", end: 97 },
    });
    const input = { journal: exportChain.slice(0, 96), fresh: [], previous };
    await expect(arm.compact({ ...input, trigger: "automatic" }, context)).rejects.toThrow(/NoValidBoundary/);
    const forced = await arm.compact({ ...input, trigger: "forced" }, context);
    expect(forced).toMatchObject({ kind: "unchanged", reason: "nothing is left to compact" });
  });

  it("for a single message above the automatic trigger and the input limit", async () => {
    const huge = [user("u", "x".repeat(2_600_000))];
    await expect(run(huge, { trigger: "automatic" })).rejects.toThrow(/NoValidBoundary/);
    const fits = [user("u", "x".repeat(3_300_000))];
    expect(await run(fits, { trigger: "automatic", outputReserveTokens: 32_000 })).toMatchObject({
      kind: "unchanged",
      reason: "there is no place to cut, and the request still fits",
    });
  });

  it("for the automatic trigger where the index would cost more than what it stands for; a forced one is made", async () => {
    const many = Array.from({ length: 15 }, (_, at) => pair(String(at), `file-${at}.txt`, "z".repeat(240))).flat();
    const journal = [user("u", "x".repeat(7_336)), ...many, user("v", "What now?")];
    const tight = { windowTokens: 10_000, outputReserveTokens: 0, fixedTokens: 5_000 };
    await expect(run(journal, { ...tight, trigger: "automatic" })).rejects.toThrow(/NoProgress/);
    const forced = checkpointOf(compactedOf((await run(journal, tight)) ?? nothing));
    expect(forced.tokens_after).toBeGreaterThan(forced.tokens_before);
  });
});
