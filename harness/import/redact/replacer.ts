/** Replaces many values in many texts: a text is read once, and where a value stands the longest one is taken. */
import type { PrivateKind, PrivateValue } from "./private-values.ts";

export interface Replacement {
  readonly kind: PrivateKind;
  readonly value: string;
  readonly edges: PrivateValue["edges"];
  /** Units of the value before and after what is replaced; they may be part of another value too. */
  readonly before: number;
  readonly after: number;
  /** For what lies between. */
  readonly standIn: string;
}

/** A text with all values replaced. `replaced` is told the kind of each. */
export type Replacer = (text: string, replaced: (kind: PrivateKind) => void) => string;

/** A value is looked up by its first three units; 15 bits hold three of ASCII with few collisions. */
const keyUnits = 3;
const keyMask = 0x7fff;
const extend = (key: number, unit: number): number => ((key << 5) ^ unit) & keyMask;

/** Values shorter than three units are not replaced. */
export function replacer(replacements: readonly Replacement[]): Replacer {
  const buckets = new Map<number, Replacement[]>();
  const isKey = new Uint8Array(keyMask + 1);
  for (const replacement of replacements) {
    if (replacement.value.length < keyUnits) continue;
    let key = 0;
    for (let at = 0; at < keyUnits; at++) key = extend(key, replacement.value.charCodeAt(at));
    isKey[key] = 1;
    buckets.set(key, [...(buckets.get(key) ?? []), replacement]);
  }
  for (const bucket of buckets.values()) bucket.sort((one, other) => other.value.length - one.value.length);

  return (text, replaced) => {
    let result = "";
    let copied = 0;
    let key = 0;
    for (let end = 0; end < text.length; end++) {
      key = extend(key, text.charCodeAt(end));
      if (isKey[key] === 0) continue;
      const start = end - keyUnits + 1;
      const found = buckets
        .get(key)
        ?.find((one) => start + one.before >= copied && text.startsWith(one.value, start) && fits(text, start, one));
      if (found === undefined) continue;
      replaced(found.kind);
      result += text.slice(copied, start + found.before) + found.standIn;
      copied = start + found.value.length - found.after;
    }
    return copied === 0 ? text : result + text.slice(copied);
  };
}

const word = /[\p{L}\p{N}_]/u;
const nameChar = /[\p{L}\p{N}_-]/u;

function fits(text: string, start: number, { value, edges }: Replacement): boolean {
  if (edges === "any") return true;
  const before = start === 0 ? "" : (text[start - 1] as string);
  const end = start + value.length;
  const after = text.charAt(end);
  if (edges === "word") {
    const startsInWord = word.test(value.charAt(0)) && word.test(before);
    return !startsInWord && !word.test(after);
  }
  if (nameChar.test(value.charAt(0)) && nameChar.test(before)) return false;
  return !nameChar.test(after) && !(after === "." && word.test(text.charAt(end + 1)));
}
