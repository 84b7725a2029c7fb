/** Finding places of a text in a history, for the search tools. */
import { standsAt } from "../exam/stands.ts";

/** One text that can be searched, and the name of where it stands. */
export interface Searchable {
  readonly text: string;
}

/** Where a searched text was found. */
export interface FoundPlace<Where extends Searchable> {
  readonly where: Where;
  /** First character of the match, in UTF-16 units. */
  readonly at: number;
  readonly chars: number;
}

/**
 * Places of `wanted`, at most `limit`, one a text: first those where it stands as a whole value (the one rule of
 * matching), then those where it only occurs, whatever its letter case; each in the given order. Linear in the texts.
 */
export function findPlaces<Where extends Searchable>(
  texts: readonly Where[],
  wanted: string,
  limit: number,
): FoundPlace<Where>[] {
  const found: FoundPlace<Where>[] = [];
  const taken = new Set<Where>();
  for (const where of texts) {
    if (found.length === limit) return found;
    const at = standsAt(where.text, wanted);
    if (at < 0) continue;
    found.push({ where, at, chars: wanted.length });
    taken.add(where);
  }
  const anyCase = new RegExp(escaped(wanted), "iu");
  for (const where of texts) {
    if (found.length === limit) return found;
    const match = taken.has(where) ? null : anyCase.exec(where.text);
    if (match !== null) found.push({ where, at: match.index, chars: match[0].length });
  }
  return found;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** A stretch of a text with so many characters on both sides of a match, as it stands, between code points. Dots mark what goes on. */
export function excerptOf(text: string, at: number, chars: number, sideChars: number): string {
  const from = betweenPoints(text, Math.max(0, at - sideChars));
  const to = betweenPoints(text, Math.min(text.length, at + chars + sideChars));
  return `${from > 0 ? "…" : ""}${text.slice(from, to).toWellFormed()}${to < text.length ? "…" : ""}`;
}

/** The index, or the one before it where it lies within a surrogate pair. */
export const betweenPoints = (text: string, index: number): number =>
  index > 0 && isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index)) ? index - 1 : index;

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
