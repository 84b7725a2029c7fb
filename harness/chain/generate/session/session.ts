/** One session from its plan: records in order, with exactly the profile's counts and characters. */
import { randomStream } from "../../../random.ts";
import type { ChainRecord } from "../../record.ts";
import type { Act, Fact, FactKind } from "./acts/act.ts";
import { mergeBranch } from "./acts/git.ts";
import { performs } from "./acts/perform.ts";
import { exactLog } from "./acts/running.ts";
import { codePoints } from "./exact.ts";
import { isSourcePath, isTestPath } from "./paths.ts";
import { type Beat, planSession, type PlannedAct, type PlannedTurn } from "./plan.ts";
import { type Saying, type Speaker, speaker, type Tongue } from "./prose.ts";
import type { Bilingual, Profile, Story, Turn } from "./story.ts";
import { type Makers, makersOf, render, template, withValues } from "./template.ts";
import { userTexts } from "./users.ts";
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

/** Texts are counted from 1, users' and assistant's together; every tenth is in Chinese. */
const tongueOf = (textNumber: number): Tongue => (textNumber % 10 === 0 ? "zh" : "en");

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
      const facts = place === "last" ? closingFacts([...turnFacts], untold) : untold;
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

const highlights: ReadonlySet<FactKind> = new Set(["committed", "measured", "built", "passed", "wrote", "failed", "edited"]);

/** What a turn's last text may tell: what is still untold, and the last of each kind of highlight once more. */
function closingFacts(all: readonly Fact[], untold: readonly Fact[]): readonly Fact[] {
  const last = new Map<FactKind, Fact>();
  for (const fact of all) if (highlights.has(fact.kind)) last.set(fact.kind, fact);
  const chosen = new Set([...untold, ...last.values()]);
  return all.filter((fact) => chosen.has(fact));
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
  const budget: Budget = { leftChars: profile.assistantChars, leftWeight: sum(weights.flat()), keptChars: 0 };
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

interface RecordWriter {
  readonly records: ChainRecord[];
  user(text: string): void;
  assistant(text: string): void;
  /** One stored message with its calls, then each result in a message of its own. */
  acts(text: string | undefined, acts: readonly Act[]): void;
}

function recordWriter(chain: string): RecordWriter {
  const records: ChainRecord[] = [];
  const count = { position: 0, user: 0, assistant: 0, call: 0 };
  const numbered = (number: number, digits: number): string => String(number).padStart(digits, "0");
  const putText = (role: "user" | "assistant", text: string): void => {
    count[role]++;
    const id = role === "user" ? `u${numbered(count.user, 2)}` : `a${numbered(count.assistant, 3)}`;
    records.push({ id: `${chain}-${id}`, kind: "text", role, text, position: count.position });
  };
  return {
    records,
    user: (text) => {
      count.position++;
      putText("user", text);
    },
    assistant: (text) => {
      count.position++;
      putText("assistant", text);
    },
    acts: (text, acts) => {
      count.position++;
      if (text !== undefined) putText("assistant", text);
      const ids = acts.map(() => numbered(++count.call, 4));
      acts.forEach(({ tool, args }, index) => {
        const call = `${chain}-c${ids[index]}`;
        records.push({ id: call, kind: "tool_call", role: "assistant", call, tool, args, position: count.position });
      });
      acts.forEach(({ text, error }, index) => {
        const pair = { id: `${chain}-r${ids[index]}`, call: `${chain}-c${ids[index]}` };
        count.position++;
        const flag = error ? { error } : {};
        records.push({ ...pair, kind: "tool_result", role: "tool", text, ...flag, position: count.position });
      });
    },
  };
}

/** What the user says, and which constraints hold after each request, both with the drawn choices filled in. */
function requests(
  chain: string,
  seed: number,
  story: Story,
  profile: Profile,
  plan: readonly PlannedTurn[],
): { readonly user: readonly string[]; readonly rulesAfter: readonly (readonly Bilingual[])[] } {
  const random = randomStream(seed, `${chain}/users`);
  const chosen = Object.entries(story.choices).map(([slot, values]) => [slot, random.pick(values)] as const);
  const choice = withValues(Object.fromEntries(chosen));
  const fill = (text: string): string => render(template(text), choice);
  let next = 1;
  const tongues = plan.map(({ beats }) => {
    const tongue = tongueOf(next);
    next += beats.length + 2;
    return tongue;
  });
  const rules = new Map<string, Bilingual>();
  const rulesAfter = story.turns.map(({ rule }) => {
    if (rule !== undefined) rules.set(rule.key, { en: fill(rule.en), zh: fill(rule.zh) });
    return [...rules.values()];
  });
  return { user: userTexts(random, story.turns, tongues, fill, profile.userChars), rulesAfter };
}

/** Slots of the assistant's own thoughts: functions and files in the turn's area, and a place outside of it. */
function proseMakers(seed: number, chain: string, world: World): Makers {
  const random = randomStream(seed, `${chain}/thoughts`);
  const sources = world.paths.filter((path) => isSourcePath(path) && !isTestPath(path));
  const name = (): string => random.pick(world.namesIn(world.turn.area));
  return makersOf({
    near: name,
    caller: name,
    peer: () => random.pick(areaPaths(world).filter(isSourcePath)),
    elsewhere: () => random.pick(sources.filter((path) => !path.startsWith(world.turn.area))),
    remark: () => random.pick(world.vocabulary(world.turn.area).remarks),
  });
}
