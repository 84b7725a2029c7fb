/** What a figure is about: a run's report or the published numbers, in one form. */
import published from "../../fixtures/published.json" with { type: "json" };
import type { ArmCost, Baseline } from "../../harness/report/cost.ts";
import {
  publishedArmIds,
  publishedBaseline,
  publishedCost,
  publishedNames,
} from "../../harness/report/cost-published.ts";
import type { Report } from "../../harness/report/report.ts";

export interface SubjectArm {
  readonly id: string;
  readonly title: string;
  /** Controls bound the products and are no product. */
  readonly isControl: boolean;
  readonly hits: number;
  /** Targets asked. */
  readonly of: number;
  /** Targets that could not be asked: their request does not fit, or their cell failed. */
  readonly notAsked: number;
  readonly decoys: { readonly confirmed: number; readonly of: number };
  readonly medianProjectionTokens: number | null;
  readonly cost: ArmCost;
  /** Undefined for print, which gives none. */
  readonly intervals: Report["arms"][number]["intervals"] | undefined;
}

export interface Subject {
  readonly kind: "run" | "published";
  /** What a panel of it is called where there are two. */
  readonly name: string;
  /** What has to stand under the title. */
  readonly conditions: string;
  /** What was asked, where no model matters. */
  readonly exam: string;
  /** Names of the chains that were asked about; none for print, which numbers its sessions. */
  readonly chains: readonly string[];
  /** Where the numbers are from. */
  readonly source: string;
  /** Null where the price is not known. */
  readonly currency: string | null;
  readonly cache: string;
  readonly turns: number;
  readonly baseline: Baseline;
  readonly targets: number;
  /** Targets by the pool they were drawn from. */
  readonly bySource: { readonly assistant: number; readonly user: number; readonly tool: number };
  readonly window: { readonly windowTokens: number; readonly outputReserveTokens: number };
  readonly arms: readonly SubjectArm[];
}

/** A run's report as a subject. */
export function subjectOfRun(report: Report): Subject {
  const { money, exam, conditions } = report;
  const model = report.labels[0] ?? `model ${report.model}`;
  const mode =
    conditions.trigger === "automatic"
      ? `automatic compaction (${listed(report.arms.filter(({ source }) => source !== "control").map(({ title, boundaries }) => `${title} at ${boundaries.compacted}`))} of ${conditions.boundaries} boundaries)`
      : `${conditions.trigger} compaction`;
  const drawn = (source: "assistant" | "user" | "tool"): number =>
    Math.max(0, ...report.arms.map(({ bySource }) => bySource[source]?.survival.of ?? 0));
  return {
    kind: "run",
    name: "This run",
    conditions: `${model[0]?.toUpperCase()}${model.slice(1)}. Exam ${exam.preset}, ${mode}, seed ${conditions.seed}.`,
    exam: `Exam ${exam.preset}, seed ${conditions.seed}.`,
    chains: conditions.chains,
    source: `Source: closed-book, run ${report.runId}`,
    currency: money.currency,
    cache: money.cache,
    turns: money.turns,
    baseline: money.baseline,
    targets: exam.targets,
    bySource: { assistant: drawn("assistant"), user: drawn("user"), tool: drawn("tool") },
    window: conditions,
    arms: report.arms.map((arm) => ({
      id: arm.id,
      title: arm.title,
      isControl: arm.source === "control",
      ...arm.recall,
      notAsked: arm.notAsked.doesNotFit + arm.notAsked.failed + arm.notAsked.pending,
      decoys: arm.decoys,
      medianProjectionTokens: arm.medianProjectionTokens,
      cost: arm.cost,
      intervals: arm.intervals,
    })),
  };
}

const publishedTitles = {
  summarized: "FutureOS (summarized)",
  deterministic: "FutureOS (deterministic)",
  opencode: "OpenCode",
  main: "FutureOS (main)",
  codex: "Codex",
} as const;

/** The published experiment as a subject. Its numbers are the article's, none is a result of this project. */
export function subjectOfPublished(): Subject {
  const { exam, callShape, prices } = published;
  const share = (source: keyof typeof exam.designWeights): number => exam.designWeights[source] * exam.questions;
  return {
    kind: "published",
    name: "Published",
    conditions: `As the article prints it, forced compaction, ${exam.questions} questions; one draw a cell, so no intervals.`,
    exam: "The exam's design weights.",
    chains: [],
    source: "Source: published figures (fixtures/published.json); not results of this project",
    currency: prices.currency,
    cache: `assumed ${prices.modelledCacheHit}`,
    turns: 100,
    baseline: publishedBaseline(),
    targets: exam.questions,
    bySource: { assistant: share("assistant"), user: share("user"), tool: share("tool") },
    window: { windowTokens: callShape.windowTokens, outputReserveTokens: callShape.outputReserveTokens },
    arms: publishedNames.map((name) => {
      const row = published.forced[name];
      return {
        id: publishedArmIds[name],
        title: publishedTitles[name],
        isControl: false,
        hits: row.hits,
        of: row.of,
        notAsked: 0,
        decoys: { confirmed: published.falsePositives, of: exam.decoysPerSheet * exam.sheets },
        medianProjectionTokens: row.medianProjectionTokens,
        cost: publishedCost(name),
        intervals: undefined,
      };
    }),
  };
}

/** Arms of all subjects, each once, in the order of the first that has it. */
export function armsOf(subjects: readonly Subject[]): { readonly id: string; readonly title: string }[] {
  const titles = new Map<string, string>();
  for (const { arms } of subjects) for (const { id, title } of arms) if (!titles.has(id)) titles.set(id, title);
  return [...titles].map(([id, title]) => ({ id, title }));
}

/** The subtitle and source line of one subject, or of two beside each other. */
export function provenance(subjects: readonly Subject[]): { readonly conditions: string; readonly source: string } {
  const [first] = subjects;
  if (subjects.length === 1 && first !== undefined) return first;
  return {
    conditions: subjects.map(({ name, conditions }) => `${name}: ${conditions}`).join(" "),
    source: subjects.map(({ source }, index) => (index === 0 ? source : source.replace(/^Source: /, ""))).join("; "),
  };
}

/** The cache shares in the costs, of one subject or of two that differ, as in "share assumed 0.98". */
export function cacheShares(subjects: readonly Subject[]): string {
  const different = [...new Set(subjects.map(({ cache }) => cache))];
  return different.length < 2
    ? `share ${different[0] ?? "unknown"}`
    : `shares: ${subjects.map(({ name, cache }) => `${name.toLowerCase()} ${cache}`).join(", ")}`;
}

/** Whether the amounts of all subjects are of one currency, and so may share a scale. */
export const shareCurrency = (subjects: readonly Subject[]): boolean =>
  new Set(subjects.map(({ currency }) => currency)).size < 2;

export const whole = (value: number): string => Math.round(value).toLocaleString("en-US");
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** An amount with as many places as give two significant digits, at least two and at most five. */
export function amount(nano: number): string {
  if (nano === 0) return "0";
  const value = nano / 1e9;
  const places = Math.min(5, Math.max(2, 1 - Math.floor(Math.log10(value))));
  return value.toFixed(places);
}

/** Names in a sentence: "A", "A and B", "A, B and C". */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
