/** The nine figures: what each is called, and what it is drawn from. */
import type { TopLevelSpec } from "vega-lite";
import type { OpenBookReport } from "../../harness/open-book/report.ts";
import type { Composition } from "../../harness/report/composition.ts";
import type { Report } from "../../harness/report/report.ts";
import { anatomy } from "./anatomy.ts";
import { compactionCost } from "./compaction-cost.ts";
import { composition } from "./composition.ts";
import { costPerPoint } from "./cost-per-point.ts";
import { openBook, openBookOfRun, publishedOpenBook } from "./open-book.ts";
import type { Anatomy } from "./parts.ts";
import { hasSize, sizeRecall } from "./size-recall.ts";
import { type Subject, type SubjectArm, subjectOfPublished, subjectOfRun } from "./subject.ts";
import { threeWay } from "./three-way.ts";
import { trigger } from "./trigger.ts";
import { waffle } from "./waffle.ts";

/** A run as figures see it: its report, the chains that fill its windows, and one projection where the folder has one. */
export interface RunInput {
  readonly report: Report;
  readonly chains: readonly Composition[];
  readonly anatomy: Anatomy | undefined;
  /** An open book on this run, where one was named. */
  readonly openBook?: OpenBookReport;
}

/** `run` alone, the published numbers alone, or the run beside them. */
export type Input =
  | { readonly kind: "run"; readonly run: RunInput }
  | { readonly kind: "published" }
  | { readonly kind: "compare"; readonly run: RunInput };
export type InputKind = Input["kind"];

/** A drawing, or why there is none. */
export type Drawing = { readonly spec: TopLevelSpec; readonly note?: string } | { readonly missing: string };

export interface Figure {
  /** Number and name, as in file names. */
  readonly name: string;
  readonly draw: (input: Input) => Drawing;
}

const subjectsOf = (input: Input): readonly Subject[] => {
  if (input.kind === "published") return [subjectOfPublished()];
  const run = subjectOfRun(input.run.report);
  return input.kind === "run" ? [run] : [run, subjectOfPublished()];
};

/** A figure of arms: of those that `isShown`, and none where a run has none of them. */
const ofSubjects =
  (
    make: (subjects: readonly Subject[]) => TopLevelSpec,
    isShown: (arm: SubjectArm) => boolean = () => true,
    what = "arm",
  ): Figure["draw"] =>
  (input) => {
    const subjects = subjectsOf(input);
    return subjects[0]?.arms.some(isShown) ? { spec: make(subjects) } : { missing: `this run has no ${what}` };
  };

function drawComposition(input: Input): Drawing {
  const windows = subjectsOf(input).map((subject) => ({
    subject,
    chains: subject.kind === "run" && input.kind !== "published" ? input.run.chains : undefined,
    imported: subject.kind === "run" && input.kind !== "published" && input.run.report.imported !== undefined,
  }));
  return { spec: composition(windows) };
}

function drawAnatomy(input: Input): Drawing {
  if (input.kind !== "run") return { missing: "the article prints no projection; draw this one from a run alone" };
  const { anatomy: parts, report } = input.run;
  if (parts === undefined)
    return { missing: "this run has no projection of futureos-summarized; run that arm, or draw another run" };
  return { spec: anatomy(parts, subjectOfRun(report).conditions) };
}

function drawOpenBook(input: Input): Drawing {
  if (input.kind === "published") return { spec: openBook() };
  const { openBook: report } = input.run;
  if (report === undefined)
    return { spec: openBook(), note: "no open book was named with --open-book; these are the published rounds" };
  const own = openBookOfRun(report);
  return { spec: openBook(input.kind === "run" ? [own] : [own, publishedOpenBook()]) };
}

/** A figure of amounts: none where the run's price is not known. */
const ofCosts =
  (make: (subjects: readonly Subject[]) => TopLevelSpec): Figure["draw"] =>
  (input) =>
    input.kind !== "published" && input.run.report.money.currency === null
      ? { missing: `costs are unknown, ${input.run.report.money.priceFrom}` }
      : ofSubjects(make, ({ isControl }) => !isControl, "arm but controls")(input);

export const figures: readonly Figure[] = [
  { name: "1-waffle", draw: ofSubjects(waffle) },
  { name: "2-composition", draw: drawComposition },
  { name: "3-three-way", draw: ofSubjects(threeWay) },
  {
    name: "4-size-recall",
    draw: ofSubjects(sizeRecall, hasSize, "arm whose projections have a size and that was asked"),
  },
  { name: "5-compaction-cost", draw: ofCosts(compactionCost) },
  { name: "6-cost-per-point", draw: ofCosts(costPerPoint) },
  { name: "7-anatomy", draw: drawAnatomy },
  { name: "8-trigger", draw: ofSubjects(trigger) },
  { name: "9-open-book", draw: drawOpenBook },
];

/** Name of a figure's files without their ending. */
export const fileName = (name: string, kind: InputKind): string => (kind === "run" ? name : `${name}.${kind}`);
