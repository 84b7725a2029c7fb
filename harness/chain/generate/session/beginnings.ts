/** What a session finds when it starts: the words, functions and commits of its project. */
import type { Random } from "../../../random.ts";
import { remembered } from "./collect.ts";
import type { Grammar } from "./languages/grammar.ts";
import { camelCase, constantsOf, hex, type Vocabulary } from "./makers.ts";
import { areaLabel, areaOf, isSourcePath, isTestPath } from "./paths.ts";
import type { Story } from "./story.ts";
import { deck } from "./template.ts";

export interface Commit {
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
  readonly atMs: number;
}

/** The words of every directory; one without source code has those of all. */
export function vocabularies(random: Random, story: Story): (directory: string) => Vocabulary {
  const areas = Object.values(story.areas);
  const together = {
    verbs: areas.flatMap((area) => area.verbs),
    nouns: areas.flatMap((area) => area.nouns),
    subjects: areas.flatMap((area) => area.subjects),
    remarks: areas.flatMap((area) => area.remarks),
    causes: areas.flatMap((area) => area.causes),
  };
  const own = new Map(
    Object.entries(story.areas).map(([directory, area]) => [
      directory,
      { ...area, constants: constantsOf(random, area.nouns) },
    ]),
  );
  const all = { ...together, constants: [...own.values()].flatMap(({ constants }) => constants) };
  return (directory) => own.get(directory) ?? all;
}

/** Different names for the functions of every source file, out of the words of its directory. */
export function declaredNames(
  random: Random,
  vocabulary: (directory: string) => Vocabulary,
  grammar: Grammar,
  paths: readonly string[],
): Map<string, readonly string[]> {
  const pairs = remembered((directory) => {
    const { verbs, nouns } = vocabulary(directory);
    return random.shuffle(verbs.flatMap((verb) => nouns.map((noun) => `${verb}_${noun}`)));
  });
  const taken = new Set<string>();
  const names = new Map<string, readonly string[]>();
  for (const path of paths) {
    if (!isSourcePath(path) || isTestPath(path)) continue;
    const left = pairs(areaOf(path));
    const own: string[] = [];
    for (const wanted = random.range(4, 9); own.length < wanted && left.length > 0;) {
      const name = left.pop() as string;
      if (!taken.has(name)) own.push(grammar.case === "camel" ? camelCase(name) : name);
      taken.add(name);
    }
    names.set(path, own);
  }
  return names;
}

/** The commits before the session, oldest first. */
export function pastCommits(
  random: Random,
  story: Story,
  namesIn: (directory: string) => readonly string[],
  nowMs: number,
): Commit[] {
  const commits: Commit[] = [];
  const past = deck(random, story.past);
  const areas = Object.keys(story.areas);
  let atMs = nowMs;
  for (let left = 64; left > 0; left--) {
    atMs -= random.range(1_200_000, 30_000_000);
    const area = random.pick(areas);
    const deed = random.pick(["use", "split", "inline", "rename", "test", "document", "simplify", "drop"]);
    const subject = random.chance(0.55) ? past() : `${areaLabel(area)}: ${deed} ${random.pick(namesIn(area))}`;
    commits.push({ sha: hex(random, 40), subject, author: random.pick(story.people), atMs });
  }
  return commits.reverse();
}
