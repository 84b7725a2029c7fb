import { describe, expect, it } from "vitest";
import type { Message } from "../../harness/chain/message.ts";
import { pairFaults, readable } from "../../harness/chain/message.ts";
import { messagesTokens, messageTokens, textTokens } from "../../harness/chain/tokens.ts";
import { messagesOf, recordingContext } from "../testing.ts";
import { futureosDeterministic as arm } from "./deterministic.ts";
import { upstreamOptions } from "./options.ts";
import {
  assistant,
  call,
  checkpointOf,
  checkpointText,
  compactAt,
  compactedOf,
  pair,
  result,
  rowIds,
  structuredMessages,
  user,
} from "./testing.ts";

const exportChain = structuredMessages();
const nothing = { kind: "unchanged", projection: [], reason: "no such step" } as const;
const ends = [28, 96, 112, 180, 224];
const steps = await compactAt(arm, exportChain, ends, undefined, { fixedTokens: 3_000 });
const compactions = steps.map(({ compaction }) => compactedOf(compaction));

describe("on a structured chain", () => {
  it("asks no model", () => {
    expect(steps.flatMap(({ requests }) => requests)).toEqual([]);
  });

  it.each(["export", "analysis", "pipeline"] as const)(
    "retains 4, 0, 0, 0 and 4 messages and shows 11 normal rows at every boundary: %s",
    async (name) => {
      const steps = await compactAt(arm, structuredMessages(name), ends);
      const counts = steps.map(({ compaction }) => compactedOf(compaction).counts);
      expect(counts.map((count) => count?.["retained"])).toEqual([4, 0, 0, 0, 4]);
      expect(counts.map((count) => [count?.["rows"], count?.["smallRows"]])).toEqual(ends.map(() => [11, 0]));
    },
  );

  it("moves the cutoff to the last message before the tail", () => {
    expect(compactions.map((compaction) => checkpointOf(compaction).cutoff_entry_id)).toEqual([
      "export-00-result-10",
      "export-03-result-4",
      "export-03-tail-a",
      "export-06-result-4",
      "export-07-result-10",
    ]);
    expect(new Set(compactions.map((compaction) => checkpointOf(compaction).covered_from_entry_id))).toEqual(
      new Set(["export-00-u"]),
    );
  });

  it("lists important files, then the others in byte order, where nothing failed", () => {
    const rows = rowIds(checkpointText(compactions[0]?.projection ?? []));
    expect(rows).toEqual([0, 1, 10, 3, 4, 5, 6, 7, 8, 9, 2].map((at) => `export-00-result-${at}`));
  });

  it("lists both failures first, and rebuilds the index over the whole history, at the last boundary", () => {
    const rows = rowIds(checkpointText(compactions[4]?.projection ?? []));
    expect(rows).toEqual([
      "export-05-result-1",
      "export-02-result-1",
      "export-07-result-1",
      "export-00-result-1",
      "export-07-result-0",
      "export-00-result-0",
      "export-07-result-10",
      "export-00-result-10",
      "export-07-result-3",
      "export-00-result-3",
      "export-07-result-4",
    ]);
  });

  it("uses more than 1,800 of the index's 1,936 tokens and never more", () => {
    for (const { projection } of compactions) {
      const lines = checkpointText(projection).slice(0, -1).split("\n");
      const tokens = textTokens(lines.slice(1).join("\n"));
      expect(tokens).toBeGreaterThan(1_800);
      expect(tokens).toBeLessThanOrEqual(1_936);
    }
  });

  it("keeps every text of user and assistant from the start, in order and as it was", () => {
    const { projection } = compactions[4] ?? { projection: [] };
    const originals = projection.filter(({ spans }) => spans[0]?.part === "original");
    const texts = exportChain.slice(0, 220).filter(({ blocks }) => blocks[0]?.kind === "text");
    expect(messagesOf(originals)).toEqual(texts);
    expect(originals.every(({ message }, index) => message === texts[index])).toBe(true);
  });

  it("records the sizes before and after as a request of its projections would have them", () => {
    const states = compactions.map(checkpointOf);
    expect(states[0]?.tokens_before).toBe(messagesTokens(exportChain.slice(0, 28)) + 3_000);
    const after = compactions.map(({ projection }) => messagesTokens(messagesOf(projection)) + 3_000);
    expect(states.map((state) => state.tokens_after)).toEqual(after);
    const fresh = ends.map((end, index) => messagesTokens(exportChain.slice(end, ends[index + 1])));
    const before = ends.slice(1).map((_, index) => (after[index] ?? 0) + (fresh[index] ?? 0));
    expect(states.slice(1).map((state) => state.tokens_before)).toEqual(before);
  });

  it("puts all that a checkpoint has into its state", () => {
    const {
      summary,
      entry_id: entryId,
      protected_entry_ids: ids,
      ...rest
    } = checkpointOf(compactions[0] ?? { state: null });
    expect(ids).toEqual(["export-00-u", "export-00-a"]);
    expect(checkpointText(compactions[0]?.projection ?? [])).toBe(`[Context compaction: ${summary}]`);
    expect(compactions[0]?.projection[2]?.message.id).toBe(entryId);
    expect(rest).toMatchObject({
      checkpoint_id: `cp_${entryId}`,
      trigger: "manual",
      phase: "pre-turn",
      algorithm_version: "deterministic-evidence-v1",
      model: null,
      context_window: 1_000_000,
      summary_outcome: null,
    });
  });

  it("is compacted automatically at the second and fourth boundary alone, and continues over unchanged ones", async () => {
    const automatic = await compactAt(arm, exportChain, ends, undefined, { fixedTokens: 3_000, trigger: "automatic" });
    expect(automatic.map(({ compaction }) => compaction.kind)).toEqual([
      "unchanged",
      "compacted",
      "unchanged",
      "compacted",
      "unchanged",
    ]);
    const third = automatic[2]?.compaction;
    expect(third).toMatchObject({ reason: "the request is below the trigger" });
    const second = compactedOf(automatic[1]?.compaction ?? nothing);
    expect(third?.projection.slice(0, second.projection.length)).toEqual(second.projection);
    expect(messagesOf(third?.projection.slice(second.projection.length) ?? [])).toEqual(exportChain.slice(96, 112));
    const fourth = compactedOf(automatic[3]?.compaction ?? nothing);
    const costBefore =
      messagesTokens(messagesOf(second.projection)) + messagesTokens(exportChain.slice(96, 180)) + 3_000;
    expect(checkpointOf(fourth)).toMatchObject({ tokens_before: costBefore, trigger: "automatic" });
  });

  it("keeps the newest call with its result under the automatic trigger, where the forced one keeps nothing", async () => {
    const [, second] = await compactAt(arm, exportChain, [28, 96], undefined, {
      fixedTokens: 3_000,
      trigger: "automatic",
    });
    const { projection } = compactedOf(second?.compaction ?? nothing);
    expect(messagesOf(projection.filter(({ spans }) => spans[0]?.part === "tail"))).toEqual(exportChain.slice(94, 96));
  });
});

const run = (journal: readonly Message[], overrides: Parameters<typeof compactAt>[4] = {}) =>
  compactAt(arm, journal, [journal.length], undefined, overrides).then(([step]) => step?.compaction);

describe("a step", () => {
  it("is covered again, once, when an unknown algorithm wrote the earlier state", async () => {
    const foreign = { ...checkpointOf(compactions[0] ?? { state: null }), algorithm_version: "recursive-summary-v3" };
    const { context } = recordingContext(arm, undefined, { boundary: { chain: "test", end: 96 } });
    const input = { journal: exportChain.slice(0, 96), fresh: exportChain.slice(28, 96), trigger: "forced" } as const;
    const again = compactedOf(await arm.compact({ ...input, previous: { state: foreign, projection: [] } }, context));
    const anew = compactedOf(await arm.compact({ ...input, fresh: input.journal, previous: undefined }, context));
    expect(again).toEqual(anew);
    expect(checkpointOf(again).algorithm_version).toBe("deterministic-evidence-v1");
  });

  it("is left as it is when it is committed already", async () => {
    const { context } = recordingContext(arm, undefined, { fixedTokens: 3_000, boundary: { chain: "test", end: 28 } });
    const previous = compactions[0];
    const repeated = await arm.compact(
      { journal: exportChain.slice(0, 28), fresh: [], previous, trigger: "forced" },
      context,
    );
    expect(repeated).toMatchObject({ kind: "unchanged", reason: "this step is committed already" });
    expect(repeated.projection).toEqual(previous?.projection);
  });

  it("is made where messages came since, though its boundary has the same name", async () => {
    const { context } = recordingContext(arm, undefined, { boundary: { chain: "test", end: 28 } });
    const journal = exportChain.slice(0, 96);
    const input = { journal, fresh: journal.slice(28), previous: compactions[0], trigger: "forced" } as const;
    expect((await arm.compact(input, context)).kind).toBe("compacted");
  });

  it("covers from the first entry of the journal where nothing but a checkpoint stands before the new messages", async () => {
    const journal = [...pair("x", "a.txt"), ...pair("y", "b.txt")];
    const [, second] = await compactAt(arm, journal, [2, 4]);
    expect(checkpointOf(compactedOf(second?.compaction ?? nothing))).toMatchObject({
      covered_from_entry_id: "c-x",
      cutoff_entry_id: "r-y",
    });
  });

  it("gives equal results for equal inputs, and other entry ids at other boundaries", async () => {
    const again = await compactAt(arm, exportChain, ends.slice(0, 2), undefined, { fixedTokens: 3_000 });
    expect(again.map(({ compaction }) => compaction)).toEqual(compactions.slice(0, 2));
    expect(new Set(compactions.map((compaction) => checkpointOf(compaction).entry_id)).size).toBe(5);
  });

  it("counts the calls and results that a journal leaves without their other half", async () => {
    const journal = [
      user("u", "go"),
      assistant("a", "", call("open"), call("x")),
      result("r", "x", "body"),
      result("s", "no", "?"),
    ];
    const compacted = compactedOf((await run(journal)) ?? nothing);
    expect(compacted.counts?.["unpaired"]).toBe(2);
    expect(pairFaults(messagesOf(compacted.projection))).toEqual([]);
  });

  it("says unchanged for a history with nothing in it or nothing left in it", async () => {
    expect(await run([])).toMatchObject({ kind: "unchanged", reason: "the history is empty", projection: [] });
    expect(await run([user("u", " ")])).toMatchObject({ kind: "unchanged", reason: "nothing is left to compact" });
  });

  it("puts the user's note into the index, trimmed, and no line for a blank one", async () => {
    const noted = await run(exportChain.slice(0, 28), { options: { ...upstreamOptions, note: " mind the cap " } });
    expect(checkpointText(noted?.projection ?? []).split("\n")[2]).toMatch(/: "mind the cap"$/);
    const blank = await run(exportChain.slice(0, 28), { options: { ...upstreamOptions, note: "  " } });
    expect(checkpointText(blank?.projection ?? []).split("\n")[2]).toMatch(/^\{"entryId"/);
  });
});

it("labels every message truly and covers its readable text exactly", () => {
  for (const { projection } of compactions)
    for (const { message, spans } of projection) {
      const chars = readable(message).join("").length;
      expect(spans.reduce((sum, span) => sum + span.chars, 0)).toBe(chars);
      const isIndex = spans[0]?.part === "evidence";
      expect(spans[0]?.sources).toEqual(isIndex ? rowIds(checkpointText(projection)) : [message.id]);
    }
  expect(messageTokens(compactions[0]?.projection[2]?.message ?? user("none", ""))).toBeLessThanOrEqual(2_048 + 64);
});
