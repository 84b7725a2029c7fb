/** Stand-ins: what a private text is replaced by. Letters become letters, digits digits; everything else stays. */
import { createHash } from "node:crypto";

/** Gives every text a stand-in of its own, always the same one. */
export type StandIns = (text: string) => string;

/**
 * Stand-ins drawn from the hash of `salt` and text, so that they are stable but cannot be guessed back without the salt.
 * A stand-in has the length of its text in UTF-16 units and UTF-8 bytes, and costs the same estimated tokens. Different
 * texts get different stand-ins wherever their length leaves room for that.
 */
export function standIns(salt: string): StandIns {
  const given = new Map<string, string>();
  const taken = new Set<string>();
  return (text) => {
    const known = given.get(text);
    if (known !== undefined) return known;
    let drawn = text;
    for (let attempt = 0; attempt < 50 && (drawn === text || taken.has(drawn)); attempt++)
      drawn = draw(salt, text, attempt);
    given.set(text, drawn);
    taken.add(drawn);
    return drawn;
  };
}

function draw(salt: string, text: string, attempt: number): string {
  const bytes = byteStream(`${salt}\n${attempt}\n${text.toWellFormed()}`);
  let drawn = "";
  for (const char of text) drawn += like(char, bytes());
  return drawn;
}

/** Bytes of a hash, and of the hash's hashes after them. */
function byteStream(seed: string): () => number {
  let block = createHash("sha256").update(seed).digest();
  let at = 0;
  return () => {
    if (at === block.length) {
      block = createHash("sha256").update(block).digest();
      at = 0;
    }
    return block[at++] as number;
  };
}

const within = (first: number, count: number, byte: number): string => String.fromCodePoint(first + (byte % count));

/** Ranges of letters in which all have one length in UTF-8 and one weight in estimated tokens: from, to, and what to draw from. */
const ranges: readonly {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly count: number;
}[] = [
  { from: 0x30, to: 0x39, first: 0x30, count: 10 },
  { from: 0x41, to: 0x5a, first: 0x41, count: 26 },
  { from: 0x61, to: 0x7a, first: 0x61, count: 26 },
  { from: 0xc0, to: 0x24f, first: 0xe0, count: 22 },
  { from: 0x370, to: 0x58f, first: 0x430, count: 32 },
  { from: 0x900, to: 0x109f, first: 0x10d0, count: 32 },
  { from: 0x3040, to: 0x30ff, first: 0x3042, count: 60 },
  { from: 0x3400, to: 0x9fff, first: 0x4e00, count: 256 },
  { from: 0xac00, to: 0xd7af, first: 0xac00, count: 256 },
];

function like(char: string, byte: number): string {
  const point = char.codePointAt(0) ?? 0;
  const range = ranges.find(({ from, to }) => point >= from && point <= to);
  return range === undefined ? char : within(range.first, range.count, byte);
}
