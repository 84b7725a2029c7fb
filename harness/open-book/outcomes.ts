/** What became of every value of a sheet in a round: whether it was kept, looked for, shown, and confirmed. */
import { standing } from "../exam/occurrences.ts";
import { type Answer, parseAnswer, type UnusableLabel, type UsableLabel } from "../exam/parse.ts";
import type { Sheet } from "../exam/question.ts";
import { scoreSheet, type SheetScore } from "../exam/score.ts";
import { stands } from "../exam/stands.ts";
import type { Dialogue } from "./dialogue.ts";
import { type Interface, type Refusal, refusals, resultBytes } from "./lookup.ts";
import type { Round } from "./rounds.ts";
import type { Lookup, ReadingLimits } from "./serving.ts";

/**
 * What became of a target. `kept`: it stands in the projection. `recovered`: lost, shown by a lookup, and confirmed.
 * `searched in vain`: lost and looked for or shown, but not confirmed. `guessed`: lost and confirmed although nothing
 * showed it; an honest model has none.
 */
const valueOutcomes = [
  "kept and confirmed",
  "kept and missed",
  "lost and never searched",
  "lost and searched in vain",
  "recovered",
  "guessed",
] as const;
export type ValueOutcome = (typeof valueOutcomes)[number];

/** An answer's label: those of the closed book, and two that only a dialogue can earn. */
export type DialogueLabel =
  | UsableLabel
  | UnusableLabel
  /** The rounds of calls were used up, and the reply after them holds no answer. */
  | "never-stopped"
  /** The lookups made the request too long for an answer. */
  | "outgrew-window";

/** What was odd about the way to an answer; an answer can be usable all the same. */
const oddities = [
  "called a tool that was not given",
  "called a session tool",
  "sent broken arguments",
  "asked for what does not exist",
  "used up the reading allowance",
  "was stopped at the limit of calls",
  "ignored the forced call",
] as const;
type Oddity = (typeof oddities)[number];

export interface SheetOutcome {
  readonly label: DialogueLabel;
  readonly oddities: readonly Oddity[];
  readonly score: SheetScore;
  /** One a question, in the sheet's order. */
  readonly values: readonly {
    readonly searched: boolean;
    readonly shown: boolean;
    readonly confirmed: boolean;
    /** Undefined for a decoy. */
    readonly outcome: ValueOutcome | undefined;
  }[];
  readonly toolCalls: number;
  readonly refusedCalls: number;
  readonly bytesRead: number;
  readonly turns: number;
}

export type Held = Extract<Dialogue, { readonly kind: "held" }>;

/** What a dialogue made of its sheet; `kept` says of each question whether its value stands in the projection. */
export function outcomeOf(
  sheet: Sheet,
  kept: readonly boolean[],
  { turns, end }: Held,
  { round, offer, limits }: { readonly round: Round; readonly offer: Interface; readonly limits: ReadingLimits },
): SheetOutcome {
  const lookups = turns.flatMap((turn) => turn.lookups);
  const stopped = turns.length > limits.callRounds;
  const { answer, label } = answerOf(turns.at(-1), end, stopped);
  const score = scoreSheet(sheet, answer);
  const values = sheet.questions.map(({ value }) => value);
  const shown = standing(values, shownTexts(lookups));
  const aims = lookups.flatMap(({ tool, args }) => offer.aim(tool, args) ?? []).map((aim) => aim.trim().toLowerCase());
  return {
    label,
    oddities: odditiesOf(lookups, stopped, round.design === "required" && turns[0]?.lookups.length === 0),
    score,
    values: sheet.questions.map(({ kind, value }, index) => {
      const confirmed = score.confirmed[index] ?? false;
      const isShown = shown[index] ?? false;
      const searched = isShown || isAimedAt(value, aims);
      const known = { kept: kept[index] ?? false, searched, shown: isShown, confirmed };
      return { searched, shown: isShown, confirmed, outcome: kind === "decoy" ? undefined : valueOutcome(known) };
    }),
    toolCalls: lookups.length,
    refusedCalls: lookups.filter(({ result }) => result.kind === "refused").length,
    bytesRead: lookups.reduce((sum, { result }) => sum + resultBytes(result), 0),
    turns: turns.length,
  };
}

function answerOf(
  last: Held["turns"][number] | undefined,
  end: Held["end"],
  stopped: boolean,
): { answer: Answer; label: DialogueLabel } {
  if (last === undefined || end === "outgrown") return { answer: { label: "empty" }, label: "outgrew-window" };
  const answer = parseAnswer(last.reply);
  return { answer, label: stopped && !("reported" in answer) ? "never-stopped" : answer.label };
}

function valueOutcome(value: {
  readonly kept: boolean;
  readonly searched: boolean;
  readonly shown: boolean;
  readonly confirmed: boolean;
}): ValueOutcome {
  if (value.kept) return value.confirmed ? "kept and confirmed" : "kept and missed";
  if (value.confirmed) return value.shown ? "recovered" : "guessed";
  return value.searched ? "lost and searched in vain" : "lost and never searched";
}

/** What lookups showed of the history, without the lines that this harness wrote around it. */
const shownTexts = (lookups: readonly Lookup[]): string[] =>
  lookups.flatMap(({ result }) => (result.kind === "served" ? result.pieces.map(({ text }) => text) : []));

/** Shorter queries are part of too much to be aimed at one value. */
const minAimChars = 3;

/** Whether a query was after a value: the value stands in it, or it is a part of the value; letter case does not matter. */
function isAimedAt(value: string, aims: readonly string[]): boolean {
  const wanted = value.toLowerCase();
  return aims.some((aim) => stands(aim, wanted) || (aim.length >= minAimChars && wanted.includes(aim)));
}

const oddityOf: { readonly [why in Refusal]: Oddity } = {
  "not given": "called a tool that was not given",
  "not runnable": "called a session tool",
  "broken arguments": "sent broken arguments",
  "out of range": "asked for what does not exist",
  allowance: "used up the reading allowance",
};

function odditiesOf(lookups: readonly Lookup[], stopped: boolean, ignored: boolean): Oddity[] {
  const refused = new Set(
    lookups.flatMap(({ result }): Refusal[] => {
      if (result.kind === "refused") return [result.why];
      return result.cut === true ? ["allowance"] : [];
    }),
  );
  return [
    ...refusals.filter((why) => refused.has(why)).map((why) => oddityOf[why]),
    ...(stopped ? ["was stopped at the limit of calls" as const] : []),
    ...(ignored ? ["ignored the forced call" as const] : []),
  ];
}
