/** The makers that every story shares: numbers, sizes, digests, times, names of code, and the story's own words. */
import type { Random } from "../../../random.ts";
import { remembered } from "./collect.ts";
import { type Area, words } from "./story.ts";
import { type Makers, makersOf } from "./template.ts";

/** Time of a session: moves forward only. */
export interface Clock {
  nowMs: number;
}

/** What the slots of one text share; set anew for each function, log or document. */
export interface Scope {
  /** Five different words; the slots `a` to `e`. */
  names: readonly string[];
  /** Running number of the slot `seq`, below `total`. */
  seq: number;
  total: number;
  /** Running time of the slots `from` and `to`, in tenths of a second. */
  tenths: number;
  /** A variable of the code at hand. */
  variable: string;
}

/** A directory's words with the constants that its files declare. */
export interface Vocabulary extends Area {
  readonly constants: readonly string[];
}

export interface MakerInput {
  readonly random: Random;
  readonly clock: Clock;
  /** Words of the directory at hand. */
  readonly vocabulary: () => Vocabulary;
  readonly words: { readonly [slot: string]: readonly string[] };
  /** Name of some function of the project. */
  readonly functionName: () => string;
  /** Path of some file of the project. */
  readonly path: () => string;
}

/** Names that code everywhere gives its members. */
const members = words(
  "start stop size state limit count index name path kind deadline total offset width key owner created closed parts " +
    "items pending length rate weight level",
);
const units = words("BYTES MS COUNT SIZE LIMIT");

/** Constants that an area's files share. */
export const constantsOf = (random: Random, nouns: readonly string[]): string[] =>
  nouns.map((noun) => `${random.pick(["MAX", "MIN", "DEFAULT", "HARD"])}_${noun.toUpperCase()}_${random.pick(units)}`);

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

/** All texts of three hex digits. */
const hexTriples = Array.from({ length: 0x1000 }, (_item, value) => value.toString(16).padStart(3, "0"));

/** `digits` lower-case hex digits. */
export function hex(random: Random, digits: number): string {
  let text = "";
  while (text.length < digits) {
    const bits = random.int32();
    text += (hexTriples[bits & 0xfff] as string) + (hexTriples[(bits >>> 12) & 0xfff] as string);
  }
  return text.length === digits ? text : text.slice(0, digits);
}

/** Hours, minutes and seconds of a time, UTC. */
export function clockText(nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000) % 86_400;
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Year, month and day of a time, UTC. */
const dayText = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** First letter in upper case, underscores and dashes gone: `cue_window` gives `CueWindow`. */
export const typeCase = remembered((name) =>
  name.replaceAll(/(?:^|[_-])([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
);

/** `cue_window` gives `cueWindow`. */
export const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** A decimal number in [from, to) tenths. */
const tenths = (random: Random, from: number, to: number): string => inTenths(random.range(from, to));

const inTenths = (value: number): string => `${Math.floor(value / 10)}.${value % 10}`;

/** New running numbers, as a new log or document starts. */
export function restart(random: Random, scope: Scope): void {
  scope.total = random.range(700, 4000);
  scope.seq = random.below(160);
  scope.tenths = random.below(300);
}

/** Makers over one random stream, and the scope that some of them read. */
export function makers(input: MakerInput): { makers: Makers; scope: Scope } {
  const { random, clock, vocabulary, functionName, path } = input;
  const scope: Scope = { names: [], seq: 1, total: 900, tenths: 0, variable: "value" };
  const noun = (): string => random.pick(vocabulary().nouns);
  const made: { [slot: string]: () => string } = {
    n1: () => `${random.range(2, 10)}`,
    n2: () => `${random.range(10, 100)}`,
    n3: () => `${random.range(100, 1000)}`,
    n4: () => `${random.range(1000, 10_000)}`,
    n5: () => `${random.range(10_000, 100_000)}`,
    f1: () => tenths(random, 1, 100),
    f2: () => tenths(random, 100, 1000),
    f3: () => tenths(random, 1000, 10_000),
    p2: () => `0.${two(random.range(1, 99))}`,
    mib: () => `${tenths(random, 11, 990)} MiB`,
    mem: () => `${tenths(random, 2100, 9800)} MiB`,
    kb: () => `${tenths(random, 1010, 9900)} KB`,
    mb: () => `${tenths(random, 11, 400)} MB`,
    h7: () => hex(random, 7),
    h8: () => hex(random, 8),
    h9: () => hex(random, 9),
    h10: () => hex(random, 10),
    h12: () => hex(random, 12),
    h16: () => hex(random, 16),
    h40: () => hex(random, 40),
    trace: () => `trace_${hex(random, 10)}`,
    ver: () => `ver_${hex(random, 8)}`,
    ack: () => `ACK_${hex(random, 8)}`,
    tick: () => {
      clock.nowMs += random.range(3, 900);
      const ms = clock.nowMs % 1000;
      return `${clockText(clock.nowMs)}.${ms < 10 ? "00" : ms < 100 ? "0" : ""}${ms}`;
    },
    day: () => dayText(clock.nowMs),
    seq: () => {
      scope.seq += random.range(1, 3);
      return `${scope.seq}`;
    },
    total: () => `${scope.total}`,
    from: () => {
      scope.tenths += random.range(0, 12);
      return inTenths(scope.tenths);
    },
    to: () => {
      scope.tenths += random.range(8, 64);
      return inTenths(scope.tenths);
    },
    fn: functionName,
    path,
    noun,
    verb: () => random.pick(vocabulary().verbs),
    remark: () => random.pick(vocabulary().remarks),
    member: () => random.pick(members),
    const: () => random.pick(vocabulary().constants),
    type: () => typeCase(noun()),
    x: () => scope.variable,
    a: () => scope.names[0] ?? "value",
    b: () => scope.names[1] ?? "other",
    c: () => scope.names[2] ?? "found",
    d: () => scope.names[3] ?? "item",
    e: () => scope.names[4] ?? "key",
    T: () => typeCase(scope.names[0] ?? "value"),
    R: () => typeCase(scope.names[2] ?? "found"),
  };
  for (const [slot, items] of Object.entries(input.words)) made[slot] ??= () => random.pick(items);
  return { makers: makersOf(made), scope };
}

/** Five different words for a function's variables. */
export function freshNames(random: Random, nouns: readonly string[]): string[] {
  const names: string[] = [];
  while (names.length < 5) {
    const noun = random.pick(nouns);
    if (!names.includes(noun)) names.push(noun);
  }
  return names;
}
