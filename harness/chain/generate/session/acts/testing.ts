/** Acts that check the project: test runs that pass, test runs that fail, type and style checks. */
import { groupBy } from "../collect.ts";
import { lineAt, lineCount, linesWith } from "../files.ts";
import { cargo } from "../languages/cargo.ts";
import { pytest } from "../languages/pytest.ts";
import type { Runner, TestRun } from "../languages/runner.ts";
import { vitest } from "../languages/vitest.ts";
import { areaOf, isSourcePath, isTestPath } from "../paths.ts";
import { render, withValues } from "../template.ts";
import type { Suite } from "../tests.ts";
import { type Failure, testCount, type World } from "../world.ts";
import { type Act, type Perform, plural, quoted, shell, wait } from "./act.ts";
import { timeoutsMs } from "./running.ts";

const runners: Record<World["story"]["language"], Runner> = { python: pytest, typescript: vitest, rust: cargo };

const count = (suites: readonly Suite[]): number => suites.reduce((sum, suite) => sum + suite.names.length, 0);

interface Choice {
  readonly suites: readonly Suite[];
  readonly verbose: boolean;
}

/** All suites where the result may be long or very short, else those of the area and some more, as many as the wanted length shows. */
function chooseSuites(world: World, chars: number): Choice {
  const { random } = world;
  const { lineChars, unit } = runners[world.story.language];
  if (chars > 0.85 * testCount(world) * lineChars) return { suites: world.suites, verbose: true };
  if (chars < 1500 || random.chance(0.2)) return { suites: world.suites, verbose: false };
  const order = [
    ...(world.failure === undefined ? [] : [world.failure.suite]),
    ...world.suites.filter((suite) => suite.area === world.turn.area),
    ...random.shuffle(world.suites),
  ];
  const byUnit = groupBy(world.suites, ({ path }) => unit(path));
  const chosen = new Set<string>();
  let tests = 0;
  for (const suite of order) {
    const next = unit(suite.path);
    if (chosen.has(next)) continue;
    const more = count(byUnit.get(next) ?? []);
    if (chosen.size > 0 && (tests + more) * lineChars > chars) break;
    chosen.add(next);
    tests += more;
  }
  return {
    suites: world.suites.filter(({ path }) => chosen.has(unit(path))),
    verbose: tests * lineChars < 1.4 * chars,
  };
}

function run(world: World, chars: number, failure: Failure | undefined): Act {
  const { suites, verbose } = chooseSuites(world, chars);
  const whole = suites.length === world.suites.length;
  const seconds = (count(suites) * (0.011 + world.random.below(90) / 4000) + 0.4).toFixed(2);
  const testRun: TestRun = { suites, whole, verbose, failure, seconds, chars };
  const { command, text, tests } = runners[world.story.language].report(world, testRun);
  const [first] = suites as [Suite];
  const some = suites.length === 1 ? "" : ` and ${plural(suites.length - 1, "other file")}`;
  const someZh = suites.length === 1 ? "" : ` 等 ${suites.length} 个文件`;
  const scope = whole ? "the whole suite" : `\`${first.path}\`${some}`;
  const scopeZh = whole ? "全部套件" : `\`${first.path}\`${someZh}`;
  const aim = whole
    ? { en: "run the whole suite", zh: "跑全部测试" }
    : { en: `run the tests of ${scope}`, zh: `跑${scopeZh}的测试` };
  if (failure !== undefined) {
    const { why } = failure.cause;
    const values = {
      test: quoted(failure.name),
      path: failure.suite.path,
      line: `${failure.line}`,
      left: failure.left,
      right: failure.right,
      why: why.en,
      whyZh: why.zh,
      passed: `${tests - 1}`,
      count: `${tests}`,
    };
    return shell(command, text, { error: true, facts: [{ kind: "failed", values }], aim, timeoutMs: timeoutsMs.long });
  }
  const mended = world.failure;
  world.failure = undefined;
  const values = {
    count: `${tests}`,
    seconds,
    scope,
    scopeZh,
    ...(mended === undefined ? {} : { test: quoted(mended.name), path: mended.suite.path }),
  };
  return shell(command, text, { facts: [{ kind: "passed", values }], aim, timeoutMs: timeoutsMs.long });
}

export const test: Perform = (world, chars) => {
  wait(world, 8, 60);
  return run(world, chars, undefined);
};

export const broken: Perform = (world, chars) => {
  wait(world, 8, 60);
  world.failure ??= newFailure(world);
  return run(world, chars, world.failure);
};

/** A test of the area that fails from now on, at one of its real assertions. */
function newFailure(world: World): Failure {
  const { random, makers } = world;
  const own = world.suites.filter((suite) => suite.area === world.turn.area && suite.names.length > 0);
  const suite = random.pick(own.length > 0 ? own : world.suites);
  const name = random.pick(suite.names);
  const cause = world.nextCause(world.turn.area);
  const file = world.file(suite.path);
  const [start = 0] = linesWith(file, name);
  let line = start + 1;
  while (line < start + 12 && !/^\s+(?:assert|expect)/.test(lineAt(file, line - 1))) line++;
  const left = render(cause.left, makers);
  const near = Number(left) + random.range(1, 4);
  const right = render(cause.right, withValues({ off: `${near}` }, makers));
  return { suite, name, cause, left, right, line };
}

export const lint: Perform = (world) => {
  const { random } = world;
  wait(world, 4, 30);
  const runner = runners[world.story.language];
  const aim = { en: "run the type checker", zh: "跑类型检查" };
  const sources = world.paths.filter((path) => isSourcePath(path) && !isTestPath(path));
  world.unclean = !world.unclean && random.chance(0.6);
  if (!world.unclean) {
    const facts = [{ kind: "clean", values: { files: `${sources.length}` } }] as const;
    return shell(runner.lintCommand, runner.clean(world, sources.length), { facts, aim });
  }
  const near = sources.filter((path) => areaOf(path) === world.turn.area);
  const issues = Array.from({ length: random.range(1, 9) }, () => {
    const path = random.pick(near);
    const file = world.file(path);
    let line = random.range(Math.min(8, lineCount(file)), lineCount(file) + 1);
    while (line > 1 && lineAt(file, line - 1).trim().length < 6) line--;
    return { path, line, code: lineAt(file, line - 1), ...runner.issue(world) };
  }).sort((left, right) => (left.path === right.path ? left.line - right.line : left.path < right.path ? -1 : 1));
  const [first] = issues as [(typeof issues)[number]];
  const values = {
    count: plural(issues.length, "finding"),
    countZh: `${issues.length}`,
    path: first.path,
    line: `${first.line}`,
    rule: first.rule,
  };
  return shell(runner.lintCommand, runner.lintText(issues), { error: true, facts: [{ kind: "linted", values }], aim });
};
