/** Histories that both products are given: stretches of the generated chains, and seeded random ones. */
import { safeAfter } from "../../harness/chain/boundaries.ts";
import { chainNames, generateChain } from "../../harness/chain/generate/index.ts";
import { type Message, toMessages } from "../../harness/chain/message.ts";
import { type Random, randomStream } from "../../harness/random.ts";
import { alphabetNames, type Author, author, textOfBytes } from "./texts.ts";

/** Messages in portions: what a session gains before one compaction after the other. */
export interface History {
  readonly name: string;
  readonly portions: readonly (readonly Message[])[];
}

/**
 * Stretches of every chain: from its start or from one of its user messages, `records` records long, compacted in three
 * portions. Portions end where no call is open.
 */
export function chainHistories(seed: number, lengths: readonly number[]): History[] {
  return chainNames.flatMap((name) => {
    const { records } = generateChain(name, seed);
    const random = randomStream(seed, `conformance stretches of ${name}`);
    const safe = safeAfter(records);
    const starts = records.flatMap((record, index) =>
      record.role === "user" && (index === 0 || safe[index - 1]) ? [index] : [],
    );
    return lengths.map((length, nth): History => {
      const late = starts.filter((start) => start + length <= records.length);
      const start = nth === 0 ? 0 : random.pick(late.length > 0 ? late : [0]);
      const ends = [0.5, 0.8, 1].map((share) => safeEnd(safe, start, start + Math.floor(length * share)));
      const portions = ends.map((end, index) => toMessages(records.slice(index === 0 ? start : ends[index - 1], end)));
      return {
        name: `${name} from ${start}, ${length} records`,
        portions: portions.filter((portion) => portion.length > 0),
      };
    });
  });
}

function safeEnd(safe: readonly boolean[], start: number, wanted: number): number {
  let end = Math.min(wanted, safe.length);
  while (end > start && !safe[end - 1]) end--;
  return end;
}

/** What a random history is made of. */
export interface Flavour {
  readonly turns: readonly [number, number];
  readonly userBytes: readonly [number, number];
  readonly resultBytes: readonly [number, number];
  readonly portions: number;
  /** Whether calls without results and results without calls occur. */
  readonly broken: boolean;
  /** What a product alone knows, now and then, in place of a turn's user message. */
  readonly special?: (random: Random, write: Author) => Message[];
}

/** A random history of the given flavour. */
export function randomHistory(seed: number, name: string, flavour: Flavour): History {
  const random = randomStream(seed, `conformance ${name}`);
  const size = ([from, to]: readonly [number, number]): number =>
    random.chance(0.1) ? random.below(4) : random.range(from, to);
  const some = (bytes: number): string => textOfBytes(random, bytes, random.pick(alphabetNames));
  const turn = (write: Author): Message[] => {
    const special = flavour.special !== undefined && random.chance(0.25) ? flavour.special(random, write) : undefined;
    const messages = special ?? [write.user(some(size(flavour.userBytes)))];
    for (let steps = random.below(4); steps > 0; steps--) messages.push(...step(write));
    if (random.chance(0.7)) messages.push(write.assistant(some(random.below(200))));
    if (flavour.broken && random.chance(0.1)) messages.push(write.orphan("a result that nobody asked for"));
    return messages;
  };
  const step = (write: Author): Message[] => {
    // After an answered call only the last may be open: where an open one stands between, see `notModelled` of the codex arm.
    let answered = false;
    const calls = random.range(1, 4);
    const results = Array.from({ length: calls }, (_, nth) => {
      if (flavour.broken && random.chance(0.15) && (!answered || nth === calls - 1)) return null;
      answered = true;
      const body = some(size(flavour.resultBytes));
      return random.chance(0.15) ? { error: body } : body;
    });
    return write.step(
      random.chance(0.5) ? some(random.below(120)) : "",
      results,
      random.shuffle(results.map((_, index) => index)),
    );
  };
  const portions = Array.from({ length: flavour.portions }, (_, portion) => {
    const write = author(`p${portion}m`);
    return Array.from({ length: random.range(...flavour.turns) }, () => turn(write)).flat();
  });
  return { name, portions };
}
