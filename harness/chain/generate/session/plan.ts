/** The skeleton of a session: which texts and which tool calls come in which order, and how long each result is to be. */
import type { Random } from "../../../random.ts";
import { shares } from "./exact.ts";
import type { Phase, Profile, Turn } from "./story.ts";
import { deck } from "./template.ts";

/** What a tool call does. `cover` adds tests, `broken` is a test run that fails, `missing` a read of a file that is not there. */
export type ActKind =
  | "list"
  | "read"
  | "grep"
  | "edit"
  | "write"
  | "cover"
  | "test"
  | "broken"
  | "lint"
  | "crash"
  | "log"
  | "json"
  | "bench"
  | "history"
  | "diff"
  | "status"
  | "commit"
  | "pr"
  | "build"
  | "missing";

export interface PlannedAct {
  readonly kind: ActKind;
  /** Share of the characters that stretchable results divide among themselves; 0 for a result of its own natural size. */
  readonly weight: number;
  /** Characters that a result of natural size is expected to have. */
  readonly naturalChars: number;
}

/** What a stretch of work between two assistant texts is for. */
type BeatKind = "explore" | "implement" | "reproduce" | "repair" | "verify" | "measure" | "review" | "release";

/** One assistant text and the calls up to the next. Each group is the calls of one stored message; the first carries the text. */
export interface Beat {
  readonly kind: BeatKind;
  readonly groups: readonly (readonly PlannedAct[])[];
}

/** A user text, its beats, and one closing assistant text. */
export interface PlannedTurn {
  readonly turn: Turn;
  readonly beats: readonly Beat[];
}

const courses: Record<Phase, readonly BeatKind[]> = {
  build: ["explore", "implement", "repair", "verify"],
  change: ["explore", "implement", "verify"],
  bug: ["reproduce", "explore", "repair", "verify"],
  measure: ["measure", "explore", "implement", "measure", "verify"],
  review: ["review", "repair", "verify"],
  release: ["verify", "release"],
};

interface Pattern {
  readonly start: readonly ActKind[];
  readonly middle: readonly string[];
  readonly end: readonly ActKind[];
}

const patterns: Record<BeatKind, Pattern> = {
  explore: {
    start: [],
    middle: [
      "list",
      "grep",
      "read",
      "read read",
      "grep read",
      "history",
      "read",
      "json",
      "read read read",
      "missing",
      "log",
    ],
    end: [],
  },
  implement: {
    start: ["read"],
    middle: ["edit", "edit edit", "write", "lint", "read", "edit", "edit edit", "test", "edit", "broken", "cover"],
    end: ["test"],
  },
  reproduce: { start: ["broken"], middle: ["crash", "read", "log", "grep", "read read", "json", "log"], end: [] },
  repair: {
    start: ["read"],
    middle: ["edit", "broken", "read", "edit", "grep", "lint", "log", "edit edit", "diff", "cover"],
    end: ["edit", "test"],
  },
  verify: {
    start: [],
    middle: ["diff", "status", "read", "edit", "bench", "lint", "json", "grep", "edit", "read read", "log"],
    end: ["test", "commit"],
  },
  measure: { start: ["bench"], middle: ["log", "json", "read", "grep", "bench", "log", "read read"], end: [] },
  review: { start: ["pr"], middle: ["diff", "read", "edit", "grep", "read read", "edit", "history"], end: [] },
  release: {
    start: ["build"],
    middle: ["history", "json", "test", "list", "edit", "read", "status", "pr", "build"],
    end: ["commit", "log"],
  },
};

/** Relative length of a log, and of one that is very long. */
const logWeight = 1.8;
const longWeight = 12;

/** Kept back for the last log of all, so that it can make up for results that came out longer than planned. */
const lastLogChars = 6000;

/** Relative length of stretchable results, and expected characters of the others. */
const lengths: Record<ActKind, { readonly weight: number } | { readonly naturalChars: number }> = {
  list: { naturalChars: 620 },
  edit: { naturalChars: 520 },
  write: { naturalChars: 60 },
  cover: { naturalChars: 400 },
  status: { naturalChars: 260 },
  commit: { naturalChars: 420 },
  missing: { naturalChars: 130 },
  lint: { naturalChars: 900 },
  crash: { naturalChars: 1300 },
  bench: { naturalChars: 1100 },
  read: { weight: 1.5 },
  grep: { weight: 0.5 },
  test: { weight: 1 },
  broken: { weight: 1.1 },
  log: { weight: logWeight },
  json: { weight: 1.8 },
  history: { weight: 0.5 },
  diff: { weight: 1.2 },
  pr: { weight: 0.7 },
  build: { weight: 0.8 },
};

function planAct(random: Random, kind: ActKind): PlannedAct {
  const length = lengths[kind];
  if ("naturalChars" in length) return { kind, weight: 0, naturalChars: length.naturalChars };
  const spread = 0.25 + 1.9 * ((random.below(1000) + random.below(1000)) / 2000) ** 2;
  return { kind, weight: length.weight * spread, naturalChars: 0 };
}

/** `count` kinds, strictly along the course where it is long enough, else its steps repeated in order. */
function stretch(course: readonly BeatKind[], count: number): BeatKind[] {
  const last = course.length - 1;
  return Array.from(
    { length: count },
    (_item, index) => course[count === 1 ? last : Math.round((index * last) / (count - 1))] as BeatKind,
  );
}

function planBeat(random: Random, kind: BeatKind, calls: number): Beat {
  const { start, middle, end } = patterns[kind];
  const opening = calls > end.length ? start : [];
  const closing = end.slice(Math.max(0, end.length - calls));
  let left = calls - opening.length - closing.length;
  const groups: ActKind[][] = opening.map((act) => [act]);
  const draw = deck(random, middle);
  while (left > 0) {
    const group = words(draw()).slice(0, left);
    groups.push(group);
    left -= group.length;
  }
  groups.push(...closing.map((act) => [act]));
  return { kind, groups: groups.map((group) => group.map((act) => planAct(random, act))) };
}

const words = (group: string): ActKind[] => group.split(" ") as ActKind[];

/** Plans a session: as many turns, assistant texts and calls as the profile has. The last call of all is a log, which can have any length. */
export function planSession(random: Random, profile: Profile, turns: readonly Turn[]): PlannedTurn[] {
  if (turns.length !== profile.userTexts)
    throw new RangeError(`The story has ${turns.length} turns, but the profile ${profile.userTexts} user texts.`);
  const size: Record<Phase, number> = { build: 1.3, bug: 1.15, change: 0.8, measure: 1, review: 0.9, release: 0.8 };
  const weights = turns.map((turn) => size[turn.phase] * (0.75 + random.below(500) / 1000));
  const texts = shares(profile.assistantTexts - 2 * turns.length, weights).map((extra) => extra + 2);
  const beatCount = profile.assistantTexts - turns.length;
  const calls = shares(profile.toolPairs - beatCount, weights);
  const planned = turns.map((turn, index): PlannedTurn => {
    const count = (texts[index] as number) - 1;
    const perBeat = shares(
      calls[index] as number,
      Array.from({ length: count }, () => 0.5 + random.below(1000) / 1000),
    );
    const kinds = stretch(courses[turn.phase], count);
    return { turn, beats: kinds.map((kind, beat) => planBeat(random, kind, (perBeat[beat] as number) + 1)) };
  });
  return endWithLog(withLongResults(random, planned));
}

/** Kinds whose output can be as long as you like. */
const endless: ReadonlySet<ActKind> = new Set(["log", "json"]);

/** One call in a hundred prints several times as much as such calls do. */
function withLongResults(random: Random, planned: readonly PlannedTurn[]): PlannedTurn[] {
  const acts = planned.flatMap(({ beats }) => beats.flatMap(({ groups }) => groups.flat()));
  const candidates = random.shuffle(acts.filter(({ kind }) => endless.has(kind)));
  const long = new Set(candidates.slice(0, Math.ceil(acts.length / 100)));
  const lengthened = (act: PlannedAct): PlannedAct => (long.has(act) ? { ...act, weight: longWeight } : act);
  return planned.map(({ turn, beats }) => ({
    turn,
    beats: beats.map(({ kind, groups }) => ({ kind, groups: groups.map((group) => group.map(lengthened)) })),
  }));
}

function endWithLog(planned: readonly PlannedTurn[]): PlannedTurn[] {
  const turn = planned.at(-1) as PlannedTurn;
  const beat = turn.beats.at(-1) as Beat;
  const log: PlannedAct = { kind: "log", weight: 0, naturalChars: lastLogChars };
  const group = [...(beat.groups.at(-1) as readonly PlannedAct[]).slice(0, -1), log];
  const ended: Beat = { ...beat, groups: [...beat.groups.slice(0, -1), group] };
  return [...planned.slice(0, -1), { ...turn, beats: [...turn.beats.slice(0, -1), ended] }];
}
