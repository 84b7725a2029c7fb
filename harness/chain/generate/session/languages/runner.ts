/** What a language's test runner and checker print. */
import { lineAt, lineCount, type SourceFile } from "../files.ts";
import type { Suite } from "../tests.ts";
import type { Failure, World } from "../world.ts";

export interface TestRun {
  readonly suites: readonly Suite[];
  /** Whether these are all suites of the project. */
  readonly whole: boolean;
  /** One line a test instead of one a file. */
  readonly verbose: boolean;
  readonly failure: Failure | undefined;
  readonly seconds: string;
  readonly chars: number;
}

export interface Issue {
  readonly rule: string;
  readonly message: string;
}

interface PlacedIssue extends Issue {
  readonly path: string;
  readonly line: number;
  readonly code: string;
}

export interface Runner {
  /** Characters of one line of a verbose report. */
  readonly lineChars: number;
  readonly lintCommand: string;
  /** What a verbose report says of a test that passes, up to what depends on the run. */
  passingLine(path: string, test: string): string;
  /** What can be run on its own: a file or a crate. */
  readonly unit: (path: string) => string;
  /** `tests`: how many ran before the run ended or failed. */
  report(world: World, run: TestRun): { readonly command: string; readonly text: string; readonly tests: number };
  issue(world: World): Issue;
  lintText(issues: readonly PlacedIssue[]): string;
  clean(world: World, files: number): string;
}

const known = new WeakMap<Runner, WeakMap<Suite, readonly string[]>>();

/** The lines of a suite's passing tests, made once. */
export function passingLines(runner: Runner, suite: Suite): readonly string[] {
  let suites = known.get(runner);
  if (suites === undefined) known.set(runner, (suites = new WeakMap()));
  let lines = suites.get(suite);
  if (lines === undefined) suites.set(suite, (lines = suite.names.map((name) => runner.passingLine(suite.path, name))));
  return lines;
}

/** Lines of a file around a 1-based line, as `format` prints them. */
export function excerpt(
  file: SourceFile,
  line: number,
  before: number,
  after: number,
  format: (number: number, text: string) => string,
): string[] {
  const out: string[] = [];
  for (let number = Math.max(1, line - before); number <= Math.min(lineCount(file), line + after); number++)
    out.push(format(number, lineAt(file, number - 1)));
  return out;
}
