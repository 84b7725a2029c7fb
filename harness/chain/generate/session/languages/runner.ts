/** What a language's test runner and checker print. */
import type { Failure, Suite, World } from "../world.ts";

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

export interface PlacedIssue extends Issue {
  readonly path: string;
  readonly line: number;
  readonly code: string;
}

export interface Runner {
  /** Characters of one line of a verbose report. */
  readonly lineChars: number;
  readonly lintCommand: string;
  /** What can be run on its own: a file or a crate. */
  unit(path: string): string;
  /** `tests`: how many ran before the run ended or failed. */
  report(world: World, run: TestRun): { readonly command: string; readonly text: string; readonly tests: number };
  issue(world: World): Issue;
  lintText(issues: readonly PlacedIssue[]): string;
  clean(world: World, files: number): string;
}

/** Lines of a file around a 1-based line, as `format` prints them. */
export function excerpt(
  lines: readonly string[],
  line: number,
  before: number,
  after: number,
  format: (number: number, text: string) => string,
): string[] {
  const out: string[] = [];
  for (let number = Math.max(1, line - before); number <= Math.min(lines.length, line + after); number++)
    out.push(format(number, lines[number - 1] as string));
  return out;
}
