/** Believable text of an exact length: sentences out of parts whose lengths add up to what is missing. */
import type { Random } from "../../../random.ts";

/** A sentence is one item of each part, in order. */
export type Parts = readonly (readonly string[])[];

/** Number of code points. */
export function codePoints(text: string): number {
  let count = text.length;
  if (Buffer.byteLength(text) === count) return count;
  for (let index = 1; index < text.length; index++) if ((text.charCodeAt(index) & 0xfc00) === 0xdc00) count--;
  return count;
}

export interface Filler {
  /** Every length from here on can be filled. */
  readonly minChars: number;
  /** Sentences that together have exactly `chars` code points. Throws RangeError below `minChars`. */
  fill(random: Random, chars: number): string;
}

/** A filler over the sentences of `parts`. Throws RangeError where their lengths leave no run of gapless lengths that is long enough. */
export function filler(parts: Parts): Filler {
  const lengths = parts.map((items) => items.map(codePoints));
  /** reach[i]: the lengths that the parts from i on can have. */
  const reach: Set<number>[] = [new Set([0])];
  for (const part of lengths.toReversed())
    reach.unshift(new Set([...(reach[0] as Set<number>)].flatMap((rest) => part.map((own) => own + rest))));
  const whole = reach[0] as Set<number>;
  const [minChars, maxChars] = longestRun(whole);
  if (maxChars < 2 * minChars) throw new RangeError(`Sentences of ${minChars} to ${maxChars} characters leave gaps.`);
  const sentence = (random: Random, chars: number): string => {
    let text = "";
    let left = chars;
    parts.forEach((items, part) => {
      const fitting = items.filter(
        (_item, index) => reach[part + 1]?.has(left - ((lengths[part] as number[])[index] as number)) === true,
      );
      const item = random.pick(fitting);
      text += item;
      left -= codePoints(item);
    });
    return text;
  };
  return {
    minChars,
    fill: (random, chars) => {
      if (chars < minChars) throw new RangeError(`Nothing fills ${chars} characters; ${minChars} is the least.`);
      let text = "";
      let left = chars;
      while (left > maxChars) {
        const next = random.range(minChars, Math.min(maxChars, left - minChars) + 1);
        text += sentence(random, next);
        left -= next;
      }
      return text + sentence(random, left);
    },
  };
}

/** First and last of the longest run of consecutive numbers. */
function longestRun(numbers: ReadonlySet<number>): [number, number] {
  let best: [number, number] = [0, -1];
  for (const start of numbers) {
    if (numbers.has(start - 1)) continue;
    let end = start;
    while (numbers.has(end + 1)) end++;
    if (end - start > best[1] - best[0]) best = [start, end];
  }
  return best;
}

/** Splits a whole number in shares as near to the weights as whole numbers can be; ties go to the earlier. */
export function shares(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((left, right) => left + right, 0);
  const exact = weights.map((weight) => (total * weight) / sum);
  const floors = exact.map(Math.floor);
  const missing = total - floors.reduce((left, right) => left + right, 0);
  const order = exact
    .map((share, index) => ({ index, rest: share - Math.floor(share) }))
    .sort((left, right) => right.rest - left.rest || left.index - right.index);
  for (const { index } of order.slice(0, missing)) floors[index] = (floors[index] as number) + 1;
  return floors;
}
