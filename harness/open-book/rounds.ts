/** The rounds of the open book: what each changes against the one before it, and how it lets the model look things up. */
import { UsageError } from "../errors.ts";

export type RoundName = "closed" | 1 | 2 | 3 | 4 | 5;

/** `autonomous`: the model may look things up. `required`: its first reply has to. */
export type Design = "no tools" | "autonomous" | "required";

export interface Round {
  readonly round: RoundName;
  readonly change: string;
  readonly design: Design;
  /** What the sheet calls the history before it: the session's record, or what compaction left of the session. */
  readonly calls: "record" | "view";
  /** How strongly the system prompt points to the lookups. `none` where there are none. */
  readonly guidance: "none" | "plain" | "strong";
  /** Whether the sheet orders the model to check what it does not see. */
  readonly verifies: boolean;
  /** A round that says what a model could do, not what it does: labelled so wherever it is shown. */
  readonly bound: "upper bound" | null;
}

/**
 * All rounds, in report order; each keeps what the one before it changed.
 *
 * Source of designs and changes: the published experiment (fixtures/published.json, `openBook`). The wording is this
 * project's.
 */
export const rounds: readonly Round[] = [
  {
    round: "closed",
    change: "the closed book's own request",
    design: "no tools",
    calls: "record",
    guidance: "none",
    verifies: false,
    bound: null,
  },
  {
    round: 1,
    change: "production prompt and lookup tools",
    design: "autonomous",
    calls: "record",
    guidance: "plain",
    verifies: false,
    bound: null,
  },
  {
    round: 2,
    change: "stronger guidance to look up",
    design: "autonomous",
    calls: "record",
    guidance: "strong",
    verifies: false,
    bound: null,
  },
  {
    round: 3,
    change: "the projection is no longer called the record",
    design: "autonomous",
    calls: "view",
    guidance: "strong",
    verifies: false,
    bound: null,
  },
  {
    round: 4,
    change: "closed book under round 3's wording (control)",
    design: "no tools",
    calls: "view",
    guidance: "none",
    verifies: false,
    bound: null,
  },
  {
    round: 5,
    change: "verification ordered and the first call forced",
    design: "required",
    calls: "view",
    guidance: "strong",
    verifies: true,
    bound: "upper bound",
  },
];

/** A round's name as titles print it: an upper bound says that it is one. */
export const roundTitle = ({ round, bound }: Pick<Round, "round" | "bound">): string =>
  bound === null ? String(round) : `${round} (${bound})`;

/** Reads `--rounds`, such as `closed,1,5`; the rounds come in report order. Throws UsageError for an unknown, a repeated or no round. */
export function parseRounds(names: readonly string[]): Round[] {
  const known = rounds.map(({ round }) => String(round));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`No round "${unknown}". Rounds: ${known.join(", ")}.`);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new UsageError(`Round "${repeated}" is named twice. Name each once.`);
  if (names.length === 0) throw new UsageError(`--rounds names no round. Rounds: ${known.join(", ")}.`);
  return rounds.filter(({ round }) => names.includes(String(round)));
}
