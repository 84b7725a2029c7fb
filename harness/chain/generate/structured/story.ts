/** What a structured chain is about. The structure is the same for all three; a story gives it its words. */
import type { StageValues } from "./values.ts";

/** The words that values are put together from. */
export interface Bank {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly verbs: readonly string[];
  readonly nouns: readonly string[];
  readonly shelves: readonly string[];
  readonly pages: readonly string[];
}

/** A text of one stage, given the stage's values. */
export type Wording = (values: StageValues) => string;

/** Clauses that a report's notes are joined from. `#` in a finding is replaced by a three-digit number. */
export interface Notes {
  readonly subjects: readonly string[];
  readonly findings: readonly string[];
  readonly consequences: readonly string[];
  /** Notes of one report. */
  readonly count: number;
  /** What a report comes to with its notes, within half a note. */
  readonly reportChars: number;
}

export interface Story {
  readonly bank: Bank;
  /** One a stage: the initial cap in the first, a new one in stages 2 and 5, a new format in stage 4. */
  readonly requirements: readonly Wording[];
  /** One a stage: what the assistant reports, with at least eight values. */
  readonly reports: readonly Wording[];
  /** Undefined where reports are short. */
  readonly notes: Notes | undefined;
  /** What the user asks before the next stage, and what the assistant answers; stages take turns. */
  readonly tails: readonly { readonly ask: Wording; readonly answer: Wording }[];
  /** What blocks the failed validations of stages 2 and 5. */
  readonly blockers: { readonly [stage: number]: string };
  /** Patterns of the noise lines (see ResultPlan). */
  readonly noise: readonly [string, string];
  /** Pattern of the tail result's lines: `NNNN` is the counter, `SS` the stage. */
  readonly tailLine: string;
}
