/** Finds which of many values occur in a text, in one pass whatever their number. */
import { unitsOf } from "./units.ts";

/**
 * Given a text, the indexes of the values that occur in it as plain substrings, each once, in no order that means anything.
 * Values must be distinct and not empty.
 */
export type Finder = (text: string) => number[];

/** A value is looked for by three of its units; 15 bits hold three of ASCII with few collisions. */
const keyUnits = 3;
const keyMask = 0x7fff;
const extend = (key: number, unit: number): number => ((key << 5) ^ unit) & keyMask;

interface Anchored {
  readonly index: number;
  readonly value: string;
  /** Where the three units begin in the value. */
  readonly offset: number;
}

/** Builds a finder. A unit of text costs a shift, an exclusive or and one look into a table; only where three units match is a value compared. */
export function valueFinder(values: readonly string[]): Finder {
  const buckets: Anchored[][] = [[]];
  /** For each key the bucket of the values that are looked for by it; 0 is the empty one. */
  const bucketOf = new Uint16Array(keyMask + 1);
  const tooShort: Anchored[] = [];
  values.forEach((value, index) => {
    if (value.length < keyUnits) {
      tooShort.push({ index, value, offset: 0 });
      return;
    }
    const offset = rarestWindow(value);
    let key = 0;
    for (let at = offset; at < offset + keyUnits; at++) key = extend(key, value.charCodeAt(at));
    if (bucketOf[key] === 0) bucketOf[key] = buckets.push([]) - 1;
    buckets[bucketOf[key] as number]?.push({ index, value, offset });
  });
  const foundIn = new Uint32Array(values.length);
  let texts = 0;

  const compare = (text: string, windowStart: number, bucket: number, found: number[]): void => {
    for (const { index, value, offset } of buckets[bucket] as Anchored[])
      if (foundIn[index] !== texts && windowStart >= offset && text.startsWith(value, windowStart - offset)) {
        foundIn[index] = texts;
        found.push(index);
      }
  };

  return (text) => {
    texts++;
    const found = tooShort.filter(({ value }) => text.includes(value)).map(({ index }) => index);
    if (buckets.length === 1) return found;
    const units = unitsOf(text);
    const { length } = text;
    let key = 0;
    for (let at = 0; at < length; at++) {
      key = extend(key, units[at] as number);
      const bucket = bucketOf[key] as number;
      if (bucket !== 0 && at >= keyUnits - 1) compare(text, at - keyUnits + 1, bucket, found);
    }
    return found;
  };
}

/** Start of the three units of a value that logs and prose are least likely to be full of: few digits and letters, many changes between them. */
function rarestWindow(value: string): number {
  let best = 0;
  let bestScore = -1;
  for (let start = 0; start + keyUnits <= value.length; start++) {
    let score = 0;
    for (let at = start; at < start + keyUnits; at++) {
      const kind = rarity(value.charCodeAt(at));
      score += kind + (at > start && kind !== rarity(value.charCodeAt(at - 1)) ? 3 : 0);
    }
    if (score > bestScore) [best, bestScore] = [start, score];
  }
  return best;
}

function rarity(unit: number): number {
  if (unit >= 0x80) return 5;
  if (unit >= 0x30 && unit <= 0x39) return 0;
  if (unit >= 0x61 && unit <= 0x7a) return 1;
  return unit === 0x20 ? 2 : 3;
}
