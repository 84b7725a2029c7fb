/** One session from its plan: records in order, with exactly the profile's counts and characters. */
import { randomStream } from "../../../random.ts";
import type { ChainRecord } from "../../record.ts";
import type { Act, Fact, FactKind } from "./acts/act.ts";
import { mergeBranch } from "./acts/git.ts";
import { performs } from "./acts/perform.ts";
import { exactLog } from "./acts/running.ts";
import { codePoints } from "./exact.ts";
import { isSourcePath, isTestPath } from "./paths.ts";
import { recordWriter } from "./records.ts";
import { type Beat, planSession, type PlannedAct, type PlannedTurn } from "./plan.ts";
import { type Saying, type Speaker, speaker } from "./prose.ts";
import type { Bilingual, Profile, Story, Turn } from "./story.ts";
import { type Makers, makersOf } from "./template.ts";
import { requests, tongueOf } from "./users.ts";
import { areaPaths, createWorld, type World } from "./world.ts";

/** Characters that are left to share out among what still comes, by weight. */
interface Budget {
  leftChars: number;
  leftWeight: number;
  /** Kept back for what has a size of its own. */
  keptChars: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((left, right) => left + right, 0);

const shareOf = (budget: Budget, weight: number): number =>
  Math.max(0, (budget.leftChars - budget.keptChars) * (weight / budget.leftWeight));

/** The records of a session. Throws RangeError where story and profile do not go together. */
export function sessionRecords(chain: string, seed: number, story: Story, profile: Profile): ChainRecord[] {
  const plan = planSession(randomStream(seed, `${chain}/plan`), profile, story.turns);
  const world = createWorld(seed, chain, story, story.turns[0] as Turn);
  const { user, rulesAfter } = requests(chain, seed, story, profile, plan);
  const perform = performer(world, plan, profile);
  const say = sayer(chain, seed, world, plan, profile);
  const writer = recordWriter(chain);
  plan.forEach(({ turn, beats }, index) => {
    if (index > 0) mergeBranch(world);
    world.turn = turn;
    writer.user(user[index] as string);
    say.countUserText();
    const rules = rulesAfter[index] as readonly Bilingual[];
    const turnFacts = new Set<Fact>();
    let untold: readonly Fact[] = [];
    const speak = (beat: number, aim: Bilingual | undefined): string => {
      const place = beat === 0 ? "first" : aim === undefined ? "last" : "middle";
      const facts = place === "last" ? closingFacts([...turnFacts], untold) : newestPass(untold);
      const { text, told } = say.say(index, beat, { goal: turn.goal, area: turn.area, place, facts, rules, aim });
      untold = untold.filter((fact) => !told.includes(fact)).slice(-4);
      return text;
    };
    beats.forEach((beat: Beat, number) => {
      const groups = beat.groups.map((group) => group.map(perform));
      const text = speak(number, groups[0]?.[0]?.aim);
      groups.forEach((acts, group) => writer.acts(group === 0 ? text : undefined, acts));
      const facts = groups.flat().flatMap((act) => act.facts);
      for (const fact of facts) turnFacts.add(fact);
      untold = [...untold, ...facts];
    });
    writer.assistant(speak(beats.length, undefined));
  });
  return writer.records;
}

/** All facts but test runs that a later one has made stale; one that mends something stays. */
function newestPass(facts: readonly Fact[]): readonly Fact[] {
  const last = facts.findLast((fact) => fact.kind === "passed");
  return facts.filter((fact) => fact.kind !== "passed" || fact === last || fact.values.test !== undefined);
}

const highlights: ReadonlySet<FactKind> = new Set([
  "committed",
  "measured",
  "built",
  "passed",
  "wrote",
  "covered",
  "failed",
  "edited",
]);

/** What a turn's last text may tell: what is still untold, and the last of each kind of highlight once more; by then a failure is history. */
function closingFacts(all: readonly Fact[], untold: readonly Fact[]): readonly Fact[] {
  const last = new Map<FactKind, Fact>();
  for (const fact of all) if (highlights.has(fact.kind)) last.set(fact.kind, fact);
  const chosen = new Set([...untold, ...last.values()]);
  return all
    .filter((fact) => chosen.has(fact) && (fact.kind !== "passed" || fact === last.get("passed")))
    .filter((fact) => fact.kind !== "crashed")
    .map((fact) => (fact.kind === "failed" ? { ...fact, kind: "mended" } : fact));
}

/** Performs planned acts so that all results together have exactly the profile's characters: the last one is a log that fits. */
function performer(world: World, plan: readonly PlannedTurn[], profile: Profile): (act: PlannedAct) => Act {
  const acts = plan.flatMap(({ beats }) => beats.flatMap(({ groups }) => groups.flat()));
  const budget: Budget = {
    leftChars: profile.toolResultChars,
    leftWeight: sum(acts.map(({ weight }) => weight)),
    keptChars: sum(acts.map(({ naturalChars }) => naturalChars)),
  };
  let left = acts.length;
  return ({ kind, weight, naturalChars }) => {
    left--;
    if (left === 0) return exactLog(world, budget.leftChars);
    const act = performs[kind](world, weight > 0 ? shareOf(budget, weight) : naturalChars);
    budget.leftChars -= act.text.length;
    budget.leftWeight -= weight;
    budget.keptChars -= naturalChars;
    return act;
  };
}

interface Sayer {
  countUserText(): void;
  say(turn: number, beat: number, saying: Omit<Saying, "chars" | "tongue">): ReturnType<Speaker["say"]>;
}

/** Speaks so that all assistant texts together have exactly the profile's characters. */
function sayer(chain: string, seed: number, world: World, plan: readonly PlannedTurn[], profile: Profile): Sayer {
  const random = randomStream(seed, `${chain}/pace`);
  const uneven = (from: number, to: number): number => from + ((to - from) * random.below(1000)) / 1000;
  const weights = plan.map(({ beats }) => [
    ...beats.map((_beat, beat) => (beat === 0 ? uneven(0.35, 0.7) : uneven(0.35, 1.5))),
    uneven(1.2, 2.8),
  ]);
  const lastWeight = weights.at(-1)?.at(-1) ?? 0;
  const budget: Budget = {
    leftChars: profile.assistantChars,
    leftWeight: sum(weights.flat()) - lastWeight,
    keptChars: 2 * (profile.assistantChars / profile.assistantTexts),
  };
  const { say, sayExactly } = speaker(randomStream(seed, `${chain}/prose`), proseMakers(seed, chain, world));
  let texts = 0;
  let left = profile.assistantTexts;
  return {
    countUserText: () => {
      texts++;
    },
    say: (turn, beat, saying) => {
      texts++;
      left--;
      const tongue = tongueOf(texts);
      if (left === 0) return { text: sayExactly({ ...saying, tongue, chars: budget.leftChars }), told: [] };
      const weight = (weights[turn] as readonly number[])[beat] as number;
      const said = say({ ...saying, tongue, chars: Math.round(shareOf(budget, weight)) });
      budget.leftChars -= codePoints(said.text);
      budget.leftWeight -= weight;
      return said;
    },
  };
}

/** Slots of the assistant's own thoughts: functions and files in the turn's area, and a place outside of it. */
function proseMakers(seed: number, chain: string, world: World): Makers {
  const random = randomStream(seed, `${chain}/thoughts`);
  const sources = world.paths.filter((path) => isSourcePath(path) && !isTestPath(path));
  let near = "";
  return makersOf({
    near: () => {
      near = random.pick(world.namesIn(world.turn.area));
      return near;
    },
    caller: () => random.pick(world.namesIn(world.turn.area).filter((name) => name !== near)),
    peer: () => random.pick(areaPaths(world).filter(isSourcePath)),
    elsewhere: () => random.pick(sources.filter((path) => !path.startsWith(world.turn.area))),
    remark: () => random.pick(world.vocabulary(world.turn.area).remarks),
  });
}
