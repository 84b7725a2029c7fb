/** For tests of figures: a small report whose numbers are easy to see, and what figures need besides. */
import type { Composition } from "../../harness/report/composition.ts";
import type { ArmReport } from "../../harness/report/arm-report.ts";
import type { Report } from "../../harness/report/report.ts";
import type { RunInput } from "./index.ts";

interface Numbers {
  readonly hits: number;
  readonly tokens: number;
  readonly coldNano?: number;
  readonly cachedNano?: number;
  readonly notAsked?: number;
}

const empty = {
  calls: 0,
  unknownUsage: 0,
  usage: { freshInputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
};

/** An arm that confirmed `hits` of the 20 targets that could be asked. */
export function armReport(id: string, title: string, source: string, numbers: Numbers): ArmReport {
  const { hits, tokens, coldNano = 0, cachedNano = 0, notAsked = 0 } = numbers;
  const recall = { hits, of: 20 - notAsked };
  const share = hits / recall.of;
  const perTurnNano = tokens * 40;
  const point = (compactionNano: number): number | null =>
    hits === 0 ? null : (compactionNano + 100 * perTurnNano) / (100 * share);
  return {
    id,
    title,
    source,
    recall,
    survival: { hits, of: 20 },
    decoys: { confirmed: id === "codex" ? 1 : 0, of: 8 },
    answers: { usable: 2, unusable: 0, doesNotFit: 0, byLabel: {}, invented: 0, wrapped: 0 },
    notAsked: { doesNotFit: notAsked, failed: 0, pending: 0 },
    failures: [],
    fallbacks: { count: 0, byReason: {} },
    byChain: {},
    byGroup: {},
    bySource: {
      assistant: { recall, survival: { hits, of: 12 } },
      user: { recall, survival: { hits, of: 4 } },
      tool: { recall, survival: { hits, of: 4 } },
    },
    byAge: {},
    medianProjectionTokens: tokens,
    compression: 0.1,
    medianRawTokens: 100_000,
    boundaries: { total: 4, scored: 2, compacted: 4 },
    parts: { original: null, evidence: null, summary: null, tail: null },
    ...empty,
    byPurpose: { compact: empty, answer: empty },
    cost: {
      compactions: 4,
      cacheShare: coldNano > 0 ? 0.98 : null,
      total: { coldNano: 4 * coldNano, cachedNano: 4 * cachedNano },
      perCompaction: { coldNano, cachedNano },
      perTurnNano,
      breakEvenTurns: 2,
      costPerPointNano: point(cachedNano),
      asPublished: { breakEvenTurns: 8, costPerPointNano: point(4 * cachedNano) },
    },
    intervals: {
      recall: { low: Math.max(0, share - 0.1), high: Math.min(1, share + 0.1) },
      medianProjectionTokens: { low: tokens * 0.8, high: tokens * 1.3 },
      costPerPointNano: { low: null, high: null },
    },
  };
}

/** Two products that ask a model, one that does not, and the three controls. */
export function smallReport(arms: readonly ArmReport[] = defaultArms()): Report {
  return {
    runId: "exam-0123456789ab",
    model: "offline:offline-1",
    labels: ["offline model: perfect reader, extractive summariser; not an LLM"],
    exam: { preset: "reference", targets: 20, decoys: 8, sheets: 2 },
    conditions: {
      seed: 7,
      trigger: "forced",
      probe: "production",
      windowTokens: 200_000,
      outputReserveTokens: 20_000,
      chains: ["alder"],
      boundaries: 4,
    },
    money: {
      priceId: "article-flash",
      currency: "CNY",
      priceFrom: "the article's, because the model bills nothing",
      cache: "assumed 0.98",
      turnCacheShare: 0.98,
      turns: 100,
      baseline: { medianTokens: 100_000, perTurnNano: 4_000_000, doesNotFit: { boundaries: 1, of: 4 } },
      intervals: { level: 0.95, resamples: 10_000, seed: 7 },
    },
    arms,
  };
}

const defaultArms = (): ArmReport[] => [
  armReport("futureos-summarized", "FutureOS (summarized)", "mirror", {
    hits: 18,
    tokens: 12_000,
    coldNano: 300_000_000,
    cachedNano: 20_000_000,
  }),
  armReport("futureos-deterministic", "FutureOS (deterministic)", "mirror", { hits: 16, tokens: 10_000 }),
  armReport("codex", "Codex", "mirror", { hits: 8, tokens: 2_000, coldNano: 280_000_000, cachedNano: 280_000_000 }),
  armReport("full", "No compaction", "control", { hits: 14, tokens: 100_000, notAsked: 6 }),
  armReport("empty", "Nothing kept", "control", { hits: 0, tokens: 0 }),
];

const tally = (chain: string, tool: number, assistant: number, user: number): Composition => ({
  chain,
  records: 8,
  characters: tool + assistant + user,
  toolResult: { records: 3, characters: tool },
  assistantText: { records: 1, characters: assistant },
  userText: { records: 1, characters: user },
  toolCall: { records: 3 },
});

export const smallRun = (): RunInput => ({
  report: smallReport(),
  chains: [tally("alder", 900, 90, 10), tally("birch", 980, 15, 5)],
  anatomy: {
    runId: "exam-0123456789ab",
    arm: { id: "futureos-summarized", title: "FutureOS (summarized)" },
    chain: "alder",
    end: 40,
    rawTokens: 100_000,
    parts: [
      {
        part: "original",
        tokens: 5000,
        messages: 12,
        excerpt:
          "Kept word for word: 日志 and 😕 included, and a good deal more of it than fits on three lines of a card, so that the end has to be left out, which is what the ellipsis says; and still it goes on, sentence after sentence, until there is no doubt that it was cut.",
      },
      { part: "evidence", tokens: 2000, messages: 1, excerpt: '{"entryId":"alder-3","head":"built"}' },
      { part: "summary", tokens: 1500, messages: 1, excerpt: "- Ship it." },
      { part: "tail", tokens: 900, messages: 4, excerpt: "done" },
    ],
  },
});
