/** A row for every question of every sheet that was asked: values.csv. */
import { stringify } from "csv-stringify/sync";
import type { DialogueLabel, ValueOutcome } from "./outcomes.ts";
import type { Judged } from "./round-report.ts";
import type { Round, RoundName } from "./rounds.ts";

/** One question of one sheet in one round. */
export interface ValueRow {
  readonly round: RoundName;
  readonly bound: Round["bound"];
  readonly chain: string;
  readonly end: number;
  readonly kind: "target" | "decoy";
  readonly value: string;
  readonly source: string | null;
  readonly kept: boolean;
  readonly searched: boolean;
  readonly shown: boolean;
  readonly confirmed: boolean;
  readonly outcome: ValueOutcome | null;
  readonly label: DialogueLabel;
}

/** The rows of a sheet; none where it was not asked. */
export function valueRows({ sheet: { round, open }, outcome }: Judged): ValueRow[] {
  if (outcome === undefined) return [];
  return open.sheet.questions.map((question, index) => {
    const value = outcome.values[index];
    return {
      round: round.round,
      bound: round.bound,
      chain: open.sheet.chain,
      end: open.sheet.end,
      kind: question.kind,
      value: question.value,
      source: question.kind === "target" ? question.source : null,
      kept: open.kept[index] ?? false,
      searched: value?.searched ?? false,
      shown: value?.shown ?? false,
      confirmed: value?.confirmed ?? false,
      outcome: value?.outcome ?? null,
      label: outcome.label,
    };
  });
}

/** Rows as CSV: booleans are true and false, null is empty. */
export const valuesCsv = (rows: readonly ValueRow[]): string =>
  stringify([...rows], { header: true, cast: { boolean: String } });
