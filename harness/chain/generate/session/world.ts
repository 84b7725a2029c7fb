/** The state of the project that a session works on: files, tests, commits, versions, time. Acts change it, and texts speak about it. */
import { type Random, randomStream } from "../../../random.ts";
import { author, type Compose, type Composed } from "./author.ts";
import { type Commit, declaredNames, pastCommits, vocabularies } from "./beginnings.ts";
import { groupBy, remembered } from "./collect.ts";
import { lineCount, type SourceFile, sourceFile } from "./files.ts";
import type { Grammar } from "./languages/grammar.ts";
import { python } from "./languages/python.ts";
import { rust } from "./languages/rust.ts";
import { typescript } from "./languages/typescript.ts";
import { type Clock, freshNames, makers, type Scope, type Vocabulary } from "./makers.ts";
import { areaOf } from "./paths.ts";
import type { Cause, Story, Turn } from "./story.ts";
import { deck, type Makers } from "./template.ts";
import { type Suite, testSuites } from "./tests.ts";

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
  readonly pathsIn: (directory: string) => readonly string[];
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
  /** What a new source file would say that declares these functions. */
  readonly compose: Compose;
  /** Adds a file that did not exist. */
  readonly create: (path: string, composed: Composed) => SourceFile;
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
export const areaPaths = (world: World): readonly string[] => world.pathsIn(world.turn.area);

/** A new project in the state in which the session finds it. */
export function createWorld(seed: number, chain: string, story: Story, first: Turn): World {
  const stream = (purpose: string): Random => randomStream(seed, `${chain}/${purpose}`);
  const random = stream("results");
  const grammar = grammars[story.language];
  const clock = { nowMs: Date.parse(story.start) };
  const paths = Object.entries(story.tree)
    .flatMap(([directory, names]) => names.map((name) => (directory === "." ? name : `${directory}/${name}`)))
    .sort();
  let byDirectory = groupBy(paths, areaOf);
  const vocabulary = vocabularies(stream("constants"), story);
  const names = declaredNames(stream("names"), vocabulary, grammar, paths);
  const allNames = [...names.values()].flat();
  const namesIn = remembered((directory) => {
    const own = [...names].flatMap(([path, declared]) => (areaOf(path) === directory ? declared : []));
    return own.length > 0 ? own : allNames;
  });
  const suites = testSuites(stream("tests"), story, vocabulary, grammar, paths);
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
  const compose = author({ stream, story, grammar, vocabulary, names, namesIn, suites, startMs: clock.nowMs });
  const generate = (path: string): SourceFile => {
    const { text, declarations } = compose(path, names.get(path) ?? []);
    return add(sourceFile(path, text, declarations));
  };
  const world: World = {
    story,
    random,
    clock,
    grammar,
    makers: shared.makers,
    scope: shared.scope,
    paths,
    pathsIn: (directory) => byDirectory.get(directory) ?? [],
    allNames,
    namesIn,
    vocabulary,
    suites,
    commits: pastCommits(stream("history"), story, namesIn, clock.nowMs),
    nextCause: (directory) => causeDecks(directory)(),
    file: (path) => files.get(path) ?? generate(path),
    compose,
    create: (path, { text, declarations }) => {
      paths.push(path);
      paths.sort();
      byDirectory = groupBy(paths, areaOf);
      const file = add(sourceFile(path, text, declarations));
      file.edits.push({ at: 0, before: [], afterLines: lineCount(file), committed: false });
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
