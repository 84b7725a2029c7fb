/** The tests of a project: which there are, and what they are called. */
import type { Random } from "../../../random.ts";
import { remembered } from "./collect.ts";
import { shares } from "./exact.ts";
import type { Grammar } from "./languages/grammar.ts";
import type { Vocabulary } from "./makers.ts";
import { areaOf, isSourcePath, isTestPath, stemOf } from "./paths.ts";
import type { Story } from "./story.ts";

/** Tests of one file. */
export interface Suite {
  readonly path: string;
  /** The directory of source code that it tests. */
  readonly area: string;
  readonly names: readonly string[];
}

/** The tests that exist before the session: in test files, or in the source files where the language keeps them there. */
export function testSuites(
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
  const { what, when } = story.claims;
  const written = grammar.case === "camel" ? (part: string): string => part : snakeCase;
  const gap = grammar.case === "camel" ? " " : "_";
  const start = grammar.extension === "py" ? "test_" : "";
  const names = new Set<string>();
  for (let tries = 0; names.size < count && tries < 20 * count; tries++)
    names.add(start + [what, subjects, when].map((parts) => written(random.pick(parts))).join(gap));
  return [...names];
}

/** `a half-written index` gives `a_half_written_index`. */
const snakeCase = remembered((phrase) => phrase.replaceAll(/[^a-zA-Z0-9]+/g, "_").toLowerCase());
