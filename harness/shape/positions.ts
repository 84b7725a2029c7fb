/** Places in a request's canonical rendering, each with a key that two renderings share only if they are equal up to there. */
import { hash } from "node:crypto";
import { quarterTokens } from "../chain/tokens.ts";

export interface Position {
  /** Tokens up to here. */
  readonly tokens: number;
  readonly key: string;
}

interface Stretch {
  readonly by: string;
  readonly head: string;
  readonly text: string;
  readonly tokens: number;
}

/**
 * The end of every block, and with `grainTokens` also every multiple of it inside a text (counted from the request's
 * start), in order. What a block costs beyond its text counts at its end. One pass over the text.
 */
export function positionsOf(blocks: readonly Stretch[], grainTokens?: number): Position[] {
  const positions: Position[] = [];
  let key = "";
  let tokens = 0;
  const place = (bytes: string, at: number): void => {
    key = hash("sha256", key + bytes, "base64");
    positions.push({ tokens: at, key });
  };
  for (const { by, head, text, tokens: own } of blocks) {
    let pending = `${JSON.stringify([by, head])}\n`;
    let from = 0;
    if (grainTokens !== undefined) {
      const offsetAt = createCutter(text);
      for (let next = grainTokens - (tokens % grainTokens); next < own; next += grainTokens) {
        const offset = offsetAt(4 * next);
        if (offset >= text.length) break;
        place(pending + text.slice(from, offset), tokens + next);
        pending = "";
        from = offset;
      }
    }
    tokens += own;
    place(`${pending}${text.slice(from)}\n(end)`, tokens);
  }
  return positions;
}

/** How many positions, from the first on, a set has without a gap. */
export function sharedCount(positions: readonly Position[], keys: ReadonlySet<string>): number {
  const missing = positions.findIndex(({ key }) => !keys.has(key));
  return missing < 0 ? positions.length : missing;
}

/** Tokens of the longest prefix among `entries` that ends at one of the places or within `lookBack` positions back from it, its own the first; 0 without one. */
export function entryTokens(
  places: readonly { readonly index: number }[],
  positions: readonly Position[],
  entries: ReadonlySet<string>,
  lookBack: number,
): number {
  for (const { index } of places.toReversed())
    for (let at = index; at >= 0 && at > index - lookBack; at--) {
      const position = positions[at];
      if (position !== undefined && entries.has(position.key)) return position.tokens;
    }
  return 0;
}

/** Code units that are weighed at once: the largest strides first, as long as they fit. */
const strides = [64, 32, 16, 8, 4, 2, 1];

/** Offsets into a text by quarter-tokens, asked for in ascending order: the largest one, between code points, that is not above. */
function createCutter(text: string): (quarters: number) => number {
  if (Buffer.byteLength(text) === text.length) return (quarters) => quarters;
  let offset = 0;
  let weight = 0;
  const step = (chars: number, limit: number): boolean => {
    let end = Math.min(text.length, offset + chars);
    const last = text.charCodeAt(end - 1);
    if (last >= 0xd800 && last < 0xdc00 && end < text.length) end++;
    const more = quarterTokens(text.slice(offset, end));
    if (weight + more > limit) return false;
    offset = end;
    weight += more;
    return true;
  };
  return (quarters) => {
    for (const chars of strides) while (offset < text.length && step(chars, quarters));
    return offset;
  };
}
