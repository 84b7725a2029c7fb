/** Writes the files of a project, each out of a stream of its own, so that it does not matter when one is first looked at. */
import type { Random } from "../../../random.ts";
import type { Declaration } from "./files.ts";
import { type Grammar, sourceText } from "./languages/grammar.ts";
import { plainText } from "./languages/plain.ts";
import { makers, type Vocabulary } from "./makers.ts";
import { areaOf, baseOf, extensionOf, isSourcePath, isTestPath, stemOf } from "./paths.ts";
import type { Story } from "./story.ts";
import type { Suite } from "./tests.ts";

export interface Composed {
  readonly text: string;
  readonly declarations: readonly Declaration[];
}

/** The content of a path that declares these functions, of about so many lines; by default as many as the path's stream says. */
export type Compose = (path: string, declared: readonly string[], lines?: number) => Composed;

interface AuthorInput {
  readonly stream: (purpose: string) => Random;
  readonly story: Story;
  readonly grammar: Grammar;
  readonly vocabulary: (directory: string) => Vocabulary;
  /** Functions of every source file, and of a directory. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly namesIn: (directory: string) => readonly string[];
  readonly suites: readonly Suite[];
  readonly startMs: number;
}

export function author(input: AuthorInput): Compose {
  const { stream, story, grammar, vocabulary, names, namesIn, suites, startMs } = input;
  const allNames = [...names.values()].flat();
  const sources = [...names].filter(([, declared]) => declared.length > 0).map(([path]) => path);
  return (path, declared, lines) => {
    const random = stream(`file/${path}`);
    const suite = suites.find((suite) => suite.path === path);
    const about = suite?.area ?? areaOf(path);
    const own = vocabulary(about);
    const drawn = Math.floor(40 + 400 * (random.below(1000) / 1000) ** 1.7 + (random.chance(0.05) ? 420 : 0));
    const wanted = lines ?? drawn;
    const others = sources.filter((other) => other !== path);
    const shared = {
      random,
      clock: { nowMs: startMs },
      vocabulary: () => own,
      words: story.words,
      path: () => random.pick(others),
    };
    if (!isSourcePath(path)) {
      const made = makers({ ...shared, functionName: () => random.pick(allNames) }).makers;
      const title = `${story.project}: ${stemOf(path)}`;
      return { text: plainText(random, extensionOf(path), Math.floor(wanted / 3), made, title), declarations: [] };
    }
    return sourceText({
      ...shared,
      grammar,
      file: path,
      names: declared,
      tests: suite?.names ?? [],
      onlyTests: isTestPath(path),
      lines: wanted,
      nearNames: namesIn(about),
      allNames,
      namesOf: (other) => names.get(other) ?? allNames,
      module: (target) => moduleOf(story, target),
    });
  };
}

/** How another file is imported: a dotted module, a relative file, a crate path. */
function moduleOf(story: Story, path: string): string {
  const bare = path.replace(/\.[a-z]+$/, "");
  if (story.language === "python") return bare.replaceAll("/", ".");
  if (story.language === "typescript") return `../${path.split("/").slice(-2).join("/")}`;
  return `${story.project}_${bare.split("/")[0]}::${baseOf(bare)}`.replace(/::(?:lib|main)$/, "");
}
