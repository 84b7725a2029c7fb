/** Scores of one sheet: what a model confirmed of it, and what of it survived. */
import { type Message, readable } from "../chain/message.ts";
import { standing } from "./occurrences.ts";
import { type Answer, unwrapped } from "./parse.ts";
import { type Sheet, targetsOf, decoysOf } from "./question.ts";

/** What an answer made of a question: confirmed or left out, reported only in quotes or back-ticks, or no answer to read. */
export type Outcome = "confirmed" | "left out" | "wrapped" | "no answer";

export interface SheetScore {
  /** Whether the reply held an answer at all. */
  readonly usable: boolean;
  /** One a question, in the sheet's order. */
  readonly outcomes: readonly Outcome[];
  /** Whether each question's value was confirmed, in the sheet's order. */
  readonly confirmed: readonly boolean[];
  /** Targets confirmed, of all targets. */
  readonly recall: { readonly hits: number; readonly of: number };
  readonly decoys: { readonly confirmed: number; readonly of: number };
  /** Reported values that were not asked. */
  readonly invented: number;
  /** Reported values that were asked, but came in quotes or back-ticks: misses. */
  readonly wrapped: number;
}

/** Scores an answer by exact, case-sensitive equality. One without anything to read hits nothing and keeps its denominators. */
export function scoreSheet(sheet: Sheet, answer: Answer): SheetScore {
  const usable = "reported" in answer;
  const reported = new Set(usable ? answer.reported : []);
  const asked = new Set(sheet.questions.map(({ value }) => value));
  const inWraps = new Set<string>();
  let invented = 0;
  let wrapped = 0;
  for (const value of reported) {
    if (asked.has(value)) continue;
    const inside = unwrapped(value);
    if (inside !== undefined && asked.has(inside)) {
      wrapped++;
      inWraps.add(inside);
    } else invented++;
  }
  const outcomes = sheet.questions.map(({ value }): Outcome => {
    if (!usable) return "no answer";
    if (reported.has(value)) return "confirmed";
    return inWraps.has(value) ? "wrapped" : "left out";
  });
  const confirmed = outcomes.map((outcome) => outcome === "confirmed");
  const count = (kind: "target" | "decoy"): number =>
    sheet.questions.filter((question, index) => question.kind === kind && confirmed[index]).length;
  return {
    usable,
    outcomes,
    confirmed,
    recall: { hits: count("target"), of: targetsOf(sheet).length },
    decoys: { confirmed: count("decoy"), of: decoysOf(sheet).length },
    invented,
    wrapped,
  };
}

/** For each question, in the sheet's order, whether its value still stands in a history. Newest messages are read first, each once. */
export function survivalOf(sheet: Sheet, messages: readonly Message[]): boolean[] {
  return standing(
    sheet.questions.map(({ value }) => value),
    newestFirst(messages),
  );
}

function* newestFirst(messages: readonly Message[]): Generator<string> {
  for (let index = messages.length - 1; index >= 0; index--) yield* readable(messages[index] as Message);
}
