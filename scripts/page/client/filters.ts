/** Which questions are shown: pure, so that it can be tested without a browser. */
import type { PageQuestion } from "../data.ts";

export interface Filters {
  readonly chain: string;
  readonly source: string;
  readonly age: string;
  /** Id of an arm; "" for any. */
  readonly arm: string;
  readonly outcome: string;
  readonly text: string;
}

export const noFilters: Filters = { chain: "", source: "", age: "", arm: "", outcome: "", text: "" };
const filterNames = Object.keys(noFilters) as (keyof Filters)[];

export const outcomeNames = ["kept", "lost", "not asked"] as const;
export type OutcomeName = (typeof outcomeNames)[number];

/** An outcome as a reader asks for it. A decoy is kept where the model confirmed it, which it should not. */
export const outcomeName = (outcome: string): OutcomeName =>
  outcome === "confirmed" ? "kept" : ["does not fit", "failed", "pending"].includes(outcome) ? "not asked" : "lost";

/** The questions that pass: with an arm and an outcome, by what became of them there; with an outcome alone, in any arm. */
export function filtered(
  questions: readonly PageQuestion[],
  arms: readonly string[],
  { chain, source, age, arm, outcome, text }: Filters,
): PageQuestion[] {
  const at = arms.indexOf(arm);
  const wanted = text.trim().toLowerCase();
  return questions.filter((question) => {
    if (chain !== "" && question.chain !== chain) return false;
    // Decoys are shown when they are asked for: kept and lost are about targets.
    if (source === "" ? question.kind === "decoy" : question.source !== source) return false;
    if (age !== "" && question.age !== age) return false;
    if (wanted !== "" && !question.value.toLowerCase().includes(wanted)) return false;
    if (outcome === "") return true;
    const own = at < 0 ? question.arms : question.arms.slice(at, at + 1);
    return own.some((one) => outcomeName(one.outcome) === outcome);
  });
}

/** Filters as the part of an address after "#", without what is not set; "" for none. */
export const toHash = (filters: Filters): string =>
  new URLSearchParams(filterNames.flatMap((name) => (filters[name] === "" ? [] : [[name, filters[name]]]))).toString();

/** Filters of such an address; unknown names are left out. */
export function fromHash(hash: string): Filters {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  return Object.fromEntries(filterNames.map((name) => [name, given.get(name) ?? ""])) as unknown as Filters;
}

/** What a figure's mark knows of the questions behind it. */
export interface Mark {
  readonly arm?: string;
  readonly outcome?: string;
  /** Where a run of squares begins, and which one this is. */
  readonly from?: number;
  readonly square?: number;
  readonly chain?: string;
  readonly drawnFrom?: string;
}

/**
 * The questions behind a mark, and which of them it stands for: a square its own one, a bar or a point the first. Undefined
 * for a mark that has none in this run.
 */
export function behindMark(
  { arm = "", outcome = "", from = 0, square = from, chain = "", drawnFrom = "" }: Mark,
  known: { readonly arms: readonly string[]; readonly chains: readonly string[] },
): { readonly filters: Partial<Filters>; readonly at: number } | undefined {
  if (known.arms.includes(arm)) {
    const [, decoy] = /^decoy (.*)$/.exec(outcome) ?? [];
    const filters =
      decoy === undefined
        ? { arm, outcome }
        : { arm, source: "decoy", outcome: decoy === "confirmed" ? "kept" : "lost" };
    return { filters, at: square - from };
  }
  if (drawnFrom === "" || (chain !== "" && !known.chains.includes(chain))) return undefined;
  return { filters: { chain, source: drawnFrom }, at: 0 };
}
