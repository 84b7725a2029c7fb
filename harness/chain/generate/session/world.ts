/** The state of the project that a session works on: files, tests, commits, versions, time. Acts change it, and texts speak about it. */
import { type Random, randomStream } from "../../../random.ts";
import { shares } from "./exact.ts";
import { type SourceFile, sourceFile } from "./files.ts";
import { type Grammar, sourceLines } from "./languages/grammar.ts";
import { plainLines } from "./languages/plain.ts";
import { python } from "./languages/python.ts";
import { rust } from "./languages/rust.ts";
import { typescript } from "./languages/typescript.ts";
import { camelCase, type Clock, constantsOf, freshNames, hex, makers, type Scope, type Vocabulary } from "./makers.ts";
import { areaLabel, areaOf, baseOf, extensionOf, isSourcePath, isTestPath, stemOf } from "./paths.ts";
import type { Cause, Story, Turn } from "./story.ts";
import { deck, type Makers } from "./template.ts";

export interface Commit {
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
  readonly atMs: number;
}

/** Tests of one file. */
export interface Suite {
  readonly path: string;
  /** The directory of source code that it tests. */
  readonly area: string;
  readonly names: readonly string[];
}

/** A test that fails until it is mended. */
export interface Failure {
  readonly suite: Suite;
  readonly name: string;
  readonly cause: Cause;
  readonly left: string;
  readonly right: string;
  readonly line: number;
}

export interface World {
  readonly story: Story;
  /** The stream of everything that tools show. */
  readonly random: Random;
  readonly clock: Clock;
  readonly grammar: Grammar;
  /** Makers that follow the turn's area. */
  readonly makers: Makers;
  readonly scope: Scope;
  /** All paths, sorted. */
  readonly paths: string[];
  readonly allNames: readonly string[];
  /** Functions that the files of a directory declare. */
  readonly namesIn: (directory: string) => readonly string[];
  readonly vocabulary: (directory: string) => Vocabulary;
  readonly suites: Suite[];
  /** Oldest first. */
  readonly commits: Commit[];
  readonly nextCause: (directory: string) => Cause;
  /** Generates the file when it is first asked for. */
  readonly file: (path: string) => SourceFile;
  /** Adds a file that did not exist. */
  readonly create: (path: string, lines: readonly string[]) => SourceFile;
  turn: Turn;
  version: readonly [number, number, number];
  pr: number;
  failure: Failure | undefined;
  /** Whether the checker complained last time. */
  unclean: boolean;
  /** How much faster than at the start everything measured is. */
  pace: number;
  /** Files with edits of this branch. */
  readonly branch: Set<SourceFile>;
}

const grammars: Record<Story["language"], Grammar> = { python, typescript, rust };

export const testCount = (world: World): number => world.suites.reduce((sum, suite) => sum + suite.names.length, 0);
export const versionText = (world: World): string => world.version.join(".");
export const headOf = (world: World): Commit => world.commits.at(-1) as Commit;

/** Paths of the directory that the turn is about. */
export const areaPaths = (world: World): string[] => world.paths.filter((path) => areaOf(path) === world.turn.area);

/** A new project in the state in which the session finds it. */
export function createWorld(seed: number, chain: string, story: Story, first: Turn): World {
  const stream = (purpose: string): Random => randomStream(seed, `${chain}/${purpose}`);
  const random = stream("results");
  const grammar = grammars[story.language];
  const clock = { nowMs: Date.parse(story.start) };
  const paths = Object.entries(story.tree)
    .flatMap(([directory, names]) => names.map((name) => (directory === "." ? name : `${directory}/${name}`)))
    .sort();
  const vocabulary = vocabularies(stream("constants"), story);
  const names = declaredNames(stream("names"), vocabulary, grammar, paths);
  const allNames = [...names.values()].flat();
  const namesIn = remembered((directory) => {
    const own = [...names].flatMap(([path, declared]) => (areaOf(path) === directory ? declared : []));
    return own.length > 0 ? own : allNames;
  });
  const suites = testSuites(stream("tests"), story, vocabulary, grammar, paths);
  const sources = paths.filter((path) => isSourcePath(path) && !isTestPath(path));
  const files = new Map<string, SourceFile>();
  const causeDecks = remembered((directory) => deck(stream(`causes/${directory}`), vocabulary(directory).causes));
  const shared = makers({
    random,
    clock,
    vocabulary: () => vocabulary(world.turn.area),
    words: story.words,
    functionName: () => random.pick(random.chance(0.75) ? namesIn(world.turn.area) : allNames),
    path: () => random.pick(paths),
  });
  const add = (file: SourceFile): SourceFile => {
    files.set(file.path, file);
    return file;
  };
  const generate = (path: string): SourceFile => {
    const random = stream(`file/${path}`);
    const suite = suites.find((suite) => suite.path === path);
    const about = suite?.area ?? areaOf(path);
    const own = vocabulary(about);
    const nearNames = namesIn(about);
    const wanted = Math.floor(40 + 400 * (random.below(1000) / 1000) ** 1.7 + (random.chance(0.05) ? 420 : 0));
    const input = {
      random,
      clock: { ...clock },
      vocabulary: () => own,
      words: story.words,
      path: () => random.pick(sources),
    };
    const lines = isSourcePath(path)
      ? sourceLines({
          ...input,
          grammar,
          file: path,
          names: names.get(path) ?? [],
          tests: suite?.names ?? [],
          onlyTests: isTestPath(path),
          lines: wanted,
          nearNames,
          allNames,
          module: (target) => moduleOf(story, target),
        })
      : plainLines(
          random,
          extensionOf(path),
          Math.floor(wanted / 3),
          makers({ ...input, functionName: () => random.pick(allNames) }).makers,
          `${story.project}: ${stemOf(path)}`,
        );
    return add(sourceFile(path, lines, names.get(path) ?? []));
  };
  const world: World = {
    story,
    random,
    clock,
    grammar,
    makers: shared.makers,
    scope: shared.scope,
    paths,
    allNames,
    namesIn,
    vocabulary,
    suites,
    commits: pastCommits(stream("history"), story, namesIn, clock.nowMs),
    nextCause: (directory) => causeDecks(directory)(),
    file: (path) => files.get(path) ?? generate(path),
    create: (path, lines) => {
      paths.push(path);
      paths.sort();
      const file = add(sourceFile(path, [...lines], []));
      file.edits.push({ at: 0, before: [], afterLines: lines.length, committed: false });
      return file;
    },
    turn: first,
    version: story.version,
    pr: story.firstPr,
    failure: undefined,
    unclean: false,
    pace: 1,
    branch: new Set(),
  };
  shared.scope.names = freshNames(random, vocabulary(first.area).nouns);
  return world;
}

/** A function whose result is computed once for each key. */
function remembered<Value>(make: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = make(key);
    known.set(key, value);
    return value;
  };
}

/** The words of every directory; one without source code has those of all. */
function vocabularies(random: Random, story: Story): (directory: string) => Vocabulary {
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

/** How another file is imported: a dotted module, a relative file, a crate path. */
function moduleOf(story: Story, path: string): string {
  const bare = path.replace(/\.[a-z]+$/, "");
  if (story.language === "python") return bare.replaceAll("/", ".");
  if (story.language === "typescript") return `../${path.split("/").slice(-2).join("/")}`;
  return `${story.project}_${bare.split("/")[0]}::${baseOf(bare)}`;
}

/** Different names for the functions of every source file, out of the words of its directory. */
function declaredNames(
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

/** The tests that exist before the session: in test files, or in the source files where the language keeps them there. */
function testSuites(
  random: Random,
  story: Story,
  vocabulary: (directory: string) => Vocabulary,
  grammar: Grammar,
  paths: readonly string[],
): Suite[] {
  const sources = paths.filter((path) => isSourcePath(path) && !isTestPath(path));
  const own = paths.filter((path) => isSourcePath(path) && isTestPath(path) && !path.includes("conftest"));
  const holders = own.length > 0 ? own : sources.filter((path) => !/(main|lib|mod)\.rs$/.test(path));
  const counts = shares(
    story.tests,
    holders.map(() => 1 + random.below(100) / 25),
  );
  return holders.map((path, index) => {
    const tested = sources.find((source) => stemOf(source) === stemOf(path).replace(/^test_|\.test$/g, ""));
    const area = areaOf(tested ?? path);
    return { path, area, names: testNames(random, story, vocabulary(area), grammar, counts[index] as number) };
  });
}

/** `count` different test names about an area, or fewer where its words do not give as many. */
export function testNames(
  random: Random,
  story: Story,
  { subjects }: Vocabulary,
  grammar: Grammar,
  count: number,
): string[] {
  const names = new Set<string>();
  for (let tries = 0; names.size < count && tries < 20 * count; tries++) {
    const claim = `${random.pick(story.claims.what)} ${random.pick(subjects)} ${random.pick(story.claims.when)}`;
    const snake = claim.replaceAll(/[^a-zA-Z0-9]+/g, "_").toLowerCase();
    names.add(grammar.case === "camel" ? claim : grammar.extension === "py" ? `test_${snake}` : snake);
  }
  return [...names];
}

function pastCommits(
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
