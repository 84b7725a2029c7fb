/**
 * The three patterns of tool results in one pass over the text. Results are nearly all of a session's text, and most of
 * it is noise, so nothing here backtracks. Equal to the expressions of patterns.ts, which a property test asserts.
 */
import { isDigitPoint, isWordPoint, sizeAt } from "./patterns.ts";
import { unitsOf } from "./units.ts";

/** What a character is, as bits. `wide`: it takes two units. */
const known = 1;
const word = 2;
const ascii = 4;
const digit = 8;
const hexDigit = 16;
const wide = 32;

/** The bits of characters of one unit, 0 where nobody asked yet. Surrogates stay at 0. */
const kinds = new Uint8Array(0x10000);

/** The bits of the character at an index; looked up when a unit is first met. */
function kindAt(text: string, index: number): number {
  const point = text.codePointAt(index) as number;
  let kind = known | (isWordPoint(point) ? word : 0) | (isDigitPoint(point) ? digit : 0);
  if (point < 128) kind |= ascii | (/[0-9a-f]/.test(text.charAt(index)) ? hexDigit : 0);
  if (point > 0xffff) return kind | wide;
  if (point < 0xd800 || point > 0xdfff) kinds[point] = kind;
  return kind;
}

export interface ResultValues {
  readonly hex: readonly string[];
  readonly prefixed: readonly string[];
  readonly size: readonly string[];
}

/** How many matches of each pattern are wanted. */
export type ResultCaps = Readonly<Record<keyof ResultValues, number>>;

/** What was found in a text so far. Its methods tell whether that is all that was wanted. */
class Finds {
  readonly values = { hex: [] as string[], prefixed: [] as string[], size: [] as string[] };
  private sizeEnd = 0;
  private readonly text: string;
  private readonly caps: ResultCaps;

  constructor(text: string, caps: ResultCaps) {
    this.text = text;
    this.caps = caps;
  }

  /** Takes a run of ASCII word characters if it is a value; `common` are the bits of all of them. */
  word(begin: number, end: number, common: number): boolean {
    const { values, caps, text } = this;
    const chars = end - begin;
    if ((common & hexDigit) !== 0) {
      if (chars > 12 || values.hex.length >= caps.hex) return false;
      values.hex.push(text.slice(begin, end));
    } else {
      if (values.prefixed.length >= caps.prefixed || !isPrefixed(text, begin, chars)) return false;
      values.prefixed.push(text.slice(begin, end));
    }
    return this.isComplete();
  }

  /** Takes the size that starts here, if one does and it is no part of the one before. */
  size(begin: number): boolean {
    if (begin < this.sizeEnd || this.values.size.length >= this.caps.size) return false;
    const size = sizeAt(this.text, begin);
    if (size === undefined) return false;
    this.values.size.push(size);
    this.sizeEnd = begin + size.length;
    return this.isComplete();
  }

  private isComplete(): boolean {
    const { values, caps } = this;
    return values.hex.length >= caps.hex && values.prefixed.length >= caps.prefixed && values.size.length >= caps.size;
  }
}

/** The first matches of each pattern in a result's text. Stops where all caps are reached. */
export function scanResult(text: string, caps: ResultCaps): ResultValues {
  const finds = new Finds(text, caps);
  const units = unitsOf(text);
  const { length } = text;
  for (let index = 0; index < length;) {
    const begin = index;
    const first = (kinds[units[index] as number] as number) || kindAt(text, index);
    index += (first & wide) === 0 ? 1 : 2;
    if ((first & word) === 0) continue;
    let common = first;
    while (index < length) {
      const kind = (kinds[units[index] as number] as number) || kindAt(text, index);
      if ((kind & word) === 0) break;
      common &= kind;
      index += (kind & wide) === 0 ? 1 : 2;
    }
    if (index - begin >= 7 && (common & ascii) !== 0 && finds.word(begin, index, common)) break;
    if ((first & digit) !== 0 && mayBeSize(units, common, index) && finds.size(begin)) break;
  }
  return finds.values;
}

/** Whether a run of ASCII word characters is one of the prefixes, then 4 to 40 more. */
function isPrefixed(text: string, begin: number, chars: number): boolean {
  if (text.charCodeAt(begin + 3) === underscore)
    return chars >= 8 && chars <= 44 && /^(?:ver|ACK|DEC|RSN)$/.test(text.slice(begin, begin + 3));
  return text.charCodeAt(begin + 5) === underscore && chars >= 10 && chars <= 46 && text.startsWith("trace", begin);
}
const underscore = 0x5f;

/** Whether a size may start at a run of word characters that begins with a digit and ends at `end`; false for nearly all numbers in noise. */
function mayBeSize(units: Uint16Array, common: number, end: number): boolean {
  if ((common & ascii) === 0) return true;
  if ((common & digit) === 0) return units[end - 1] === 0x42;
  const next = units[end] as number;
  if (next === 0x2e) return true;
  if (next > 0x20 && next < 0x80) return false;
  const unit = units[end + 1];
  return unit === 0x4d || unit === 0x47 || unit === 0x4b;
}
