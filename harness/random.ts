/**
 * Named random streams. A stream is seeded with the SHA-256 of its seed and name, so a draw added in one place changes
 * nothing anywhere else, and equal seeds give equal draws on any machine.
 */
import seedrandom from "seedrandom";
import { sha256 } from "./json.ts";

export interface Random {
  /** A whole number in [0, limit). */
  below(limit: number): number;
  /** A whole number in [from, to). */
  range(from: number, to: number): number;
  /** One of the items; throws RangeError for an empty list. */
  pick<Item>(items: readonly Item[]): Item;
  /** `digits` lower-case hex digits. */
  hex(digits: number): string;
  /** A new array in random order (Fisher-Yates). */
  shuffle<Item>(items: readonly Item[]): Item[];
  /** Whether an event of the given probability happens. */
  chance(probability: number): boolean;
  /** A raw signed 32-bit integer, for hot loops. */
  int32(): number;
}

/** The stream of this seed and name. Streams of different names are independent. */
export function randomStream(seed: number | string, name: string): Random {
  const source = seedrandom.xor4096(sha256(`${seed}\n${name}`));
  const below = (limit: number): number => Math.floor(source() * limit);
  return {
    below,
    range: (from, to) => from + below(to - from),
    pick: (items) => {
      if (items.length === 0) throw new RangeError("pick from an empty list");
      return items[below(items.length)] as (typeof items)[number];
    },
    hex: (digits) => Array.from({ length: digits }, () => below(16).toString(16)).join(""),
    shuffle: (items) => {
      const shuffled = [...items];
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = below(last + 1);
        [shuffled[last], shuffled[other]] = [
          shuffled[other] as (typeof items)[number],
          shuffled[last] as (typeof items)[number],
        ];
      }
      return shuffled;
    },
    chance: (probability) => source() < probability,
    int32: () => source.int32(),
  };
}
