/** The words of the exam: targets, decoys and sheets. */

/** Where a value was drawn from. `tool`: results only. */
export type TargetSource = "assistant" | "user" | "tool";
export const targetSources = ["assistant", "user", "tool"] as const satisfies readonly TargetSource[];

/** Where a value stands last in the covered history. */
export interface Place {
  /** Id of the record. */
  readonly record: string;
  /** Role of the record. */
  readonly source: TargetSource;
  readonly kind: "text" | "tool_call" | "tool_result";
  /** Share of the covered records that come after it, in [0, 1). */
  readonly age: number;
  /** Other sources in which the value also stands. */
  readonly alsoIn: readonly TargetSource[];
}

export interface Target {
  readonly kind: "target";
  readonly value: string;
  /** The pool it was drawn from; `given` where the sheet came from a file. */
  readonly source: TargetSource | "given";
  /** Name of the pattern that found it, or `given`. */
  readonly pattern: string;
  /** Missing only for a given target that stands nowhere by this project's rule of matching. */
  readonly place?: Place;
}

export interface Decoy {
  readonly kind: "decoy";
  readonly value: string;
  readonly pattern: string;
}

export type Question = Target | Decoy;

/** What a sheet wants of one source, and how many distinct values of it the covered history offers. */
export interface Supply {
  readonly wanted: number;
  readonly found: number;
}

/** The questions of one scored boundary, in the order asked. */
export interface Sheet {
  readonly chain: string;
  readonly stage: number;
  /** Records covered. */
  readonly end: number;
  readonly questions: readonly Question[];
  /** How many drawn decoys occurred in the chain and were drawn again. */
  readonly redrawn: number;
  /** Only on drawn sheets of imported sessions, which ask fewer targets where too few are found. */
  readonly supply?: Readonly<Record<TargetSource, Supply>>;
}

/** A number for each source. */
export const bySource = <Value>(valueOf: (source: TargetSource) => Value): Readonly<Record<TargetSource, Value>> => ({
  assistant: valueOf("assistant"),
  user: valueOf("user"),
  tool: valueOf("tool"),
});

export const targetsOf = (sheet: Sheet): Target[] => sheet.questions.filter((question) => question.kind === "target");
export const decoysOf = (sheet: Sheet): Decoy[] => sheet.questions.filter((question) => question.kind === "decoy");
