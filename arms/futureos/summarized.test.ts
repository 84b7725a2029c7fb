import { describe, expect, it } from "vitest";
import { messagesTokens } from "../../harness/chain/tokens.ts";
import type { ProviderFailure } from "../../harness/errors.ts";
import { BudgetError, ContextOverflowError, InterruptedError, ProviderError } from "../../harness/errors.ts";
import type { ModelReply } from "../../harness/models/model.ts";
import { messagesOf, recordingContext, reply, smallShape } from "../testing.ts";
import { handoffHeading, indexHeader, summaryHeader } from "./prompt.ts";
import { futureosSummarized as arm } from "./summarized.ts";
import { upstreamSummarizedOptions } from "./options.ts";
import {
  assistant,
  checkpointOf,
  checkpointText,
  compactAt,
  compactedOf,
  pair,
  rowIds,
  structuredMessages,
  user,
} from "./testing.ts";

const exportChain = structuredMessages();
const ends = [28, 96, 112, 180, 224];
const handoff = (_: unknown, index: number): ModelReply => reply(`  ## Objective\n- part ${index} \n`);
const steps = await compactAt(arm, exportChain, ends, handoff, { fixedTokens: 3_000 });
const compactions = steps.map(({ compaction }) => compactedOf(compaction));
const requestOf = (step: number) => {
  const request = steps[step]?.requests[0];
  if (request === undefined) throw new Error(`Step ${step} made no request.`);
  return request;
};
const instructionOf = (step: number): string => {
  const block = requestOf(step).messages.at(-1)?.blocks[0];
  return block?.kind === "text" ? block.text : "";
};

describe("the summary request", () => {
  it("is sent once a step, with the session's own system prompt and tools and twice the length as output limit", () => {
    expect(steps.map(({ requests }) => requests.length)).toEqual([1, 1, 1, 1, 1]);
    const { messages: _, ...rest } = requestOf(0);
    expect(rest).toEqual({ ...smallShape, toolChoice: "auto", maxOutputTokens: 8_192 });
  });

  it("carries the history before the compaction in full, then the instruction as a user message", () => {
    expect(requestOf(0).messages.slice(0, -1)).toEqual(exportChain.slice(0, 28));
    const before = [...messagesOf(compactions[0]?.projection ?? []), ...exportChain.slice(28, 96)];
    expect(requestOf(1).messages.slice(0, -1)).toEqual(before);
    expect(requestOf(1).messages.at(-1)?.role).toBe("user");
  });

  it("repeats the whole earlier checkpoint, index included, in the prior summary, and none the first time", () => {
    expect(instructionOf(0)).not.toContain("<prior-summary>");
    const { summary } = checkpointOf(compactions[0] ?? { state: null });
    expect(summary).toContain("part 0");
    expect(instructionOf(1)).toContain(`<prior-summary>\n${summary}\n</prior-summary>`);
  });

  it("holds as much as window, reply and margin leave, else it lacks the middle and counts what it lacks", async () => {
    const history = exportChain.slice(0, 28);
    const windowTokens = messagesTokens(history) + 8_192 + 2_048;
    const shownIn = async (windowTokens: number) => {
      const [step] = await compactAt(arm, history, [28], handoff, { windowTokens, outputReserveTokens: 32_000 });
      const shown = step?.requests[0]?.messages.slice(0, -1) ?? [];
      expect(compactedOf(step?.compaction ?? nothing).counts?.["leftOut"]).toBe(28 - shown.length);
      return shown;
    };
    expect(await shownIn(windowTokens)).toEqual(history);
    expect(await shownIn(windowTokens - 1)).toEqual([...history.slice(0, 2), ...history.slice(4)]);
  });
});

const nothing = { kind: "unchanged", projection: [], reason: "no such step" } as const;

describe("the checkpoint", () => {
  it("has 14 rows where the deterministic arm has 11, within 2,448 tokens, and the trimmed summary below them", () => {
    expect(compactions.map(({ counts }) => counts?.["rows"])).toEqual([11, 14, 14, 14, 14]);
    const { summary, ...rest } = checkpointOf(compactions[4] ?? { state: null });
    expect(summary.startsWith(`${summaryHeader}\nCoverage cutoff: "export-07-result-10"\n`)).toBe(true);
    expect(summary.endsWith(`\n\n${handoffHeading}\n\n## Objective\n- part 4`)).toBe(true);
    expect(rest).toMatchObject({
      algorithm_version: "summarized-evidence-v1",
      summary_outcome: { status: "summarized", reason: null },
    });
    expect(compactions.every(({ fellBack }) => fellBack === undefined)).toBe(true);
  });

  it("is one message, part evidence of its rows and part summary of nothing", () => {
    const text = checkpointText(compactions[4]?.projection ?? []);
    const spans = compactions[4]?.projection.find(({ spans }) => spans.length > 1)?.spans ?? [];
    expect(spans.map(({ part }) => part)).toEqual(["evidence", "summary"]);
    expect(spans[0]?.sources).toEqual(rowIds(text));
    expect(spans[1]?.sources).toEqual([]);
    expect(text.slice(spans[0]?.chars)).toBe(`\n\n${handoffHeading}\n\n## Objective\n- part 4]`);
  });

  it("replaces the earlier one and never nests it", () => {
    for (const { projection } of compactions) {
      const texts = messagesOf(projection).flatMap(({ blocks }) =>
        blocks.map((block) => (block.kind === "text" ? block.text : "")),
      );
      expect(texts.filter((text) => text.startsWith("[Context compaction:"))).toHaveLength(1);
      expect(checkpointText(projection).split("Coverage cutoff:")).toHaveLength(2);
    }
  });

  it("takes a summary longer than asked for as long as the history stays within its target", async () => {
    const long = "word ".repeat(6_000);
    const [step] = await compactAt(arm, exportChain, [28], () => reply(long));
    const compacted = compactedOf(step?.compaction ?? nothing);
    expect(compacted.fellBack).toBeUndefined();
    expect(checkpointText(compacted.projection)).toContain(long.trim());
  });

  it("says that what was demoted is left to the summary", async () => {
    const journal = [
      user("u", "go"),
      ...["a", "b"].map((id) => assistant(id, id.repeat(400_000))),
      ...pair("x", "a.txt"),
    ];
    const [step] = await compactAt(arm, journal, [journal.length], handoff);
    const compacted = compactedOf(step?.compaction ?? nothing);
    expect(compacted.counts).toMatchObject({ demoted: 1 });
    expect(checkpointText(compacted.projection)).toMatch(/part 0\n\n\[Retention: 1 [^\n]*only the summary[^\n]*\]\]$/);
  });
});

const failure = (decision: ProviderFailure["decision"]): ProviderFailure => ({
  provider: "test",
  status: 500,
  charge: "none",
  decision,
});
const raise = (error: Error) => (): ModelReply => {
  throw error;
};

describe("a summary that cannot be used", () => {
  const cases: readonly (readonly [string, () => ModelReply])[] = [
    ["blank summary", () => reply(" \n")],
    ["summary cut off at the output limit", () => ({ ...reply("## Objective\n- so f"), finish: "length" })],
    ["summary cut off at the output limit", () => ({ ...reply(""), finish: "length" })],
    ["summary called a tool", () => ({ ...reply("text"), finish: "tool" })],
    ["summary called a tool", () => ({ ...reply("text"), calls: [{ id: "c", tool: "read", args: {} }] })],
    ["refusal", () => ({ ...reply("I cannot"), finish: "refusal" })],
    ["context overflow", raise(new ContextOverflowError("test: too long", failure("request")))],
    ["provider error", raise(new ProviderError("test: down", failure("retry")))],
    ["provider error", raise(new ProviderError("test: bad request", failure("request")))],
    ["summary does not fit", () => reply("word ".repeat(40_000))],
  ];

  it.each(cases)("becomes a checkpoint without one: %s", async (reason, answer) => {
    const [step] = await compactAt(arm, exportChain, [96], answer);
    const compacted = compactedOf(step?.compaction ?? nothing);
    expect(step?.requests).toHaveLength(1);
    expect(compacted).toMatchObject({ fellBack: reason, counts: { rows: 14 } });
    expect(checkpointOf(compacted)).toMatchObject({
      algorithm_version: "deterministic-evidence-v1",
      summary_outcome: { status: "fallback", reason },
    });
    const text = checkpointText(compacted.projection);
    expect(text).toContain(indexHeader);
    expect(text).not.toContain(handoffHeading);
  });

  it("does not stop the next step from being summarized, with the index alone as its prior summary", async () => {
    const [first, second] = await compactAt(arm, exportChain, [28, 96], (_, index) =>
      reply(index === 0 ? "" : "unused"),
    );
    const compacted = compactedOf(first?.compaction ?? nothing);
    expect(compacted.fellBack).toBe("blank summary");
    const [last] = (second?.requests[0]?.messages ?? []).slice(-1);
    expect(JSON.stringify(last)).toContain(JSON.stringify(checkpointOf(compacted).summary).slice(1, -1));
  });

  it("is not asked for where its length is 0", async () => {
    const options = { ...upstreamSummarizedOptions, summaryTokens: 0 };
    const [step] = await compactAt(arm, exportChain, [28], handoff, { options });
    expect(step?.requests).toEqual([]);
    expect(step?.compaction).toMatchObject({ fellBack: "no room for a summary" });
  });
});

describe("what ends a run is never turned into a fallback", () => {
  const errors: readonly Error[] = [
    new BudgetError("The next call may cost more than is left.", 2n, 1n),
    new InterruptedError("Stopped."),
    new ProviderError("test: wrong key", failure("stop")),
    new ContextOverflowError("test: no such model", failure("stop")),
    new TypeError("a bug"),
  ];

  it.each(errors)("$constructor.name: $message", async (error) => {
    await expect(compactAt(arm, exportChain, [28], raise(error))).rejects.toBe(error);
  });

  it("an aborted signal, before the request and during it", async () => {
    const stopped = new InterruptedError("Stopped.");
    const aborted = compactAt(arm, exportChain, [28], handoff, { signal: AbortSignal.abort(stopped) });
    await expect(aborted).rejects.toBe(stopped);
    const controller = new AbortController();
    const abort = (): ModelReply => {
      controller.abort(stopped);
      throw new ProviderError("test: reset", failure("retry"));
    };
    await expect(compactAt(arm, exportChain, [28], abort, { signal: controller.signal })).rejects.toBe(stopped);
  });

  it("a history that no compaction exists for, before any request is made", async () => {
    const { context, requests } = recordingContext(arm, handoff, { fixedTokens: 613_952 });
    const journal = exportChain.slice(0, 28);
    const compaction = arm.compact({ journal, fresh: journal, previous: undefined, trigger: "forced" }, context);
    await expect(compaction).rejects.toThrow(/BudgetExceeded/);
    expect(requests).toEqual([]);
  });
});

it("pays for a step that is committed already, or below the trigger, with no request", async () => {
  const { context, requests } = recordingContext(arm, handoff, { boundary: { chain: "test", end: 28 } });
  const input = { journal: exportChain.slice(0, 28), previous: compactions[0] } as const;
  const repeated = await arm.compact({ ...input, fresh: [], trigger: "forced" }, context);
  expect(repeated).toMatchObject({ kind: "unchanged", projection: compactions[0]?.projection });
  const waiting = await arm.compact(
    { ...input, previous: undefined, fresh: input.journal, trigger: "automatic" },
    context,
  );
  expect(waiting.kind).toBe("unchanged");
  expect(requests).toEqual([]);
});
