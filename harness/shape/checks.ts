/** Checks and how they are collected: one check for each subject and style, passed unless something was found. */

/** What is checked, in the order of the output. */
export const checkNames = [
  "wire",
  "answer shape",
  "compaction shape",
  "commit",
  "projection",
  "sameness",
  "validity",
  "shared prefix",
  "control",
  "golden",
] as const;
export type CheckName = (typeof checkNames)[number];

export interface Check {
  readonly name: CheckName;
  /** The arm, or the control, or what arms have in common. */
  readonly subject: string;
  /** Id of the style. */
  readonly style: string;
  readonly passed: boolean;
  /** What was looked at, or the first thing that is wrong. */
  readonly detail: string;
}

/** Collects what one check name finds. */
export interface Tally {
  /** One thing was looked at, and these faults were found in it. */
  saw(subject: string, style: string, faults?: readonly string[]): void;
  /** One check for each subject and style that something was looked at for. */
  checks(): Check[];
}

/** An empty tally. `what` says of the counted things what holds, as in "requests arrive as they were encoded". */
export function createTally(name: CheckName, what: string): Tally {
  const seen = new Map<string, { subject: string; style: string; count: number; faults: number; first: string }>();
  return {
    saw: (subject, style, faults = []) => {
      const key = JSON.stringify([subject, style]);
      const known = seen.get(key) ?? { subject, style, count: 0, faults: 0, first: "" };
      seen.set(key, known);
      known.count++;
      known.faults += faults.length;
      known.first ||= faults[0] ?? "";
    },
    checks: () =>
      [...seen.values()].map(({ subject, style, count, faults, first }) => {
        const more = faults > 1 ? ` (and ${faults - 1} more)` : "";
        return { name, subject, style, passed: faults === 0, detail: faults === 0 ? `${count} ${what}` : first + more };
      }),
  };
}
