/** One round of the report: counts over its sheets. */
import published from "../../fixtures/published.json" with { type: "json" };
import type { Spending } from "../models/ledger.ts";
import type { SheetOutcome, ValueOutcome } from "./outcomes.ts";
import type { Design, Round, RoundName } from "./rounds.ts";
import type { RoundSheet } from "./run.ts";

export interface RoundReport {
  readonly round: RoundName;
  readonly change: string;
  readonly design: Design;
  readonly bound: Round["bound"];
  /** Targets confirmed, of those that were asked. */
  readonly recall: { readonly hits: number; readonly of: number };
  readonly decoys: { readonly confirmed: number; readonly of: number; readonly searched: number };
  /** All calls, those that were refused included. */
  readonly toolCalls: number;
  readonly refusedCalls: number;
  /** UTF-8 bytes of what the calls showed. */
  readonly bytesRead: number;
  /** Replies of the model. */
  readonly turns: number;
  readonly sheets: {
    readonly asked: number;
    readonly withoutCall: number;
    readonly doesNotFit: number;
    readonly failed: number;
    readonly pending: number;
  };
  /** Every target that was asked is in one of these. */
  readonly values: {
    readonly keptAndConfirmed: number;
    readonly keptAndMissed: number;
    readonly lostAndNeverSearched: number;
    readonly lostAndSearchedInVain: number;
    readonly recovered: number;
    readonly guessed: number;
  };
  /** Recovered values, and what one call and one KB of reading brought; null where nothing was called. */
  readonly gained: {
    readonly values: number;
    readonly perCall: number | null;
    readonly perKilobyte: number | null;
    /** Hits more than in round `closed`, over the same targets; null where that round was not run in full. */
    readonly overClosed: number | null;
  };
  /** Sheets by the label of their answer, and by what was odd on the way to it. */
  readonly labels: { readonly [label: string]: number };
  readonly oddities: { readonly [oddity: string]: number };
  readonly spending: Spending;
  readonly money: {
    /** What the ledger says was spent, in nano; null where the price is unknown. */
    readonly spentNano: string | null;
    /** The usage at the report's list price, nothing cached, in nano. */
    readonly listNano: string;
  };
  readonly published: { readonly hits: number; readonly of: number; readonly toolCalls: number };
}

/** A sheet of a round, and what the dialogue made of it. */
export interface Judged {
  readonly sheet: RoundSheet;
  /** Undefined where the sheet was not asked. */
  readonly outcome: SheetOutcome | undefined;
}

/** The counts of one round. `closed` are the sheets of round `closed`, as far as that was run. */
export function roundReport(
  { round, change, design, bound }: Round,
  judged: readonly Judged[],
  closed: readonly Judged[],
): Omit<RoundReport, "spending" | "money"> {
  const outcomes = judged.flatMap(({ outcome }) => outcome ?? []);
  const sum = (count: (outcome: SheetOutcome) => number): number =>
    outcomes.reduce((total, outcome) => total + count(outcome), 0);
  const ended = (kind: RoundSheet["end"]["kind"]): number =>
    judged.filter(({ sheet }) => sheet.end.kind === kind).length;
  const valuesWith = (wanted: ValueOutcome): number =>
    sum(({ values }) => values.filter(({ outcome }) => outcome === wanted).length);
  const toolCalls = sum((outcome) => outcome.toolCalls);
  const bytesRead = sum((outcome) => outcome.bytesRead);
  const recovered = valuesWith("recovered");
  const recall = { hits: sum(({ score }) => score.recall.hits), of: sum(({ score }) => score.recall.of) };
  return {
    round,
    change,
    design,
    bound,
    recall,
    decoys: {
      confirmed: sum(({ score }) => score.decoys.confirmed),
      of: sum(({ score }) => score.decoys.of),
      searched: sum(({ values }) => values.filter(({ outcome, searched }) => outcome === undefined && searched).length),
    },
    toolCalls,
    refusedCalls: sum((outcome) => outcome.refusedCalls),
    bytesRead,
    turns: sum((outcome) => outcome.turns),
    sheets: {
      asked: outcomes.length,
      withoutCall: outcomes.filter((outcome) => outcome.toolCalls === 0).length,
      doesNotFit: ended("does-not-fit"),
      failed: ended("failed"),
      pending: ended("pending"),
    },
    values: {
      keptAndConfirmed: valuesWith("kept and confirmed"),
      keptAndMissed: valuesWith("kept and missed"),
      lostAndNeverSearched: valuesWith("lost and never searched"),
      lostAndSearchedInVain: valuesWith("lost and searched in vain"),
      recovered,
      guessed: valuesWith("guessed"),
    },
    gained: {
      values: recovered,
      perCall: toolCalls === 0 ? null : recovered / toolCalls,
      perKilobyte: bytesRead === 0 ? null : recovered / (bytesRead / 1024),
      overClosed: hitsOverClosed(recall.hits, judged, closed),
    },
    labels: tally(outcomes.map(({ label }) => label)),
    oddities: tally(outcomes.flatMap((outcome) => outcome.oddities)),
    published: publishedRound(round),
  };
}

/** The difference in hits, where the same sheets were asked in both rounds. */
function hitsOverClosed(hits: number, judged: readonly Judged[], closed: readonly Judged[]): number | null {
  const asked = (some: readonly Judged[]): string =>
    some.flatMap(({ sheet, outcome }) => (outcome ? [`${sheet.open.sheet.chain} ${sheet.open.sheet.end}`] : [])).join();
  if (closed.length === 0 || asked(closed) !== asked(judged)) return null;
  return hits - closed.reduce((sum, { outcome }) => sum + (outcome?.score.recall.hits ?? 0), 0);
}

/** What the original experiment printed for a round. Not a result of this project. */
function publishedRound(round: RoundName): RoundReport["published"] {
  const row = published.openBook.rounds.find((one) => one.round === round);
  if (row === undefined) throw new RangeError(`fixtures/published.json has no open-book round ${round}`);
  return { hits: row.hits, of: published.openBook.values, toolCalls: row.toolCalls };
}

/** How often each text occurs, most frequent first, then by text. */
function tally(texts: readonly string[]): { [text: string]: number } {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}
