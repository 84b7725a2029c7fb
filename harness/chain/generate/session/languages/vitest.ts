/** Reports of vitest and the TypeScript compiler. */
import { lineAt } from "../files.ts";
import { clockText } from "../makers.ts";
import { render, templateLines } from "../template.ts";
import type { World } from "../world.ts";
import { excerpt, type Issue, passingLines, type Runner, type TestRun } from "./runner.ts";

const rules = templateLines(`
TS2345 Argument of type 'number | undefined' is not assignable to parameter of type 'number'.
TS2339 Property '{member}' does not exist on type '{type}'.
TS2322 Type '{type}[]' is not assignable to type 'readonly {type}Kind[]'.
TS2532 Object is possibly 'undefined'.
TS2554 Expected 2 arguments, but got 1: {fn}.
TS7006 Parameter '{noun}' implicitly has an 'any' type.
TS2741 Property '{member}' is missing in type '{}' but required in type '{type}Options'.
`);

function issue(world: World): Issue {
  const text = render(world.random.pick(rules), world.makers);
  return { rule: text.slice(0, 6), message: text.slice(7) };
}

/** A line of sixty heavy dashes with a title, as the reporter draws it. */
const ruler = (title: string): string => `${"⎯".repeat(12)} ${title} ${"⎯".repeat(Math.max(4, 46 - title.length))}`;

function failures(world: World, run: TestRun): string[] {
  const { failure } = run;
  if (failure === undefined) return [];
  const file = world.file(failure.suite.path);
  const code = excerpt(file, failure.line, 3, 2, (number, text) => `    ${String(number).padStart(4)}| ${text}`);
  const column = Math.max(5, lineAt(file, failure.line - 1).indexOf("expect") + 1);
  code.splice(Math.min(code.length, Math.min(4, failure.line)), 0, `        | ${" ".repeat(column - 1)}^`);
  return [
    "",
    ruler("Failed Tests 1"),
    "",
    ` FAIL  ${failure.suite.path} > ${failure.name}`,
    `AssertionError: expected ${failure.left} to be ${failure.right} // Object.is equality`,
    "",
    "- Expected",
    "+ Received",
    "",
    `- ${failure.right}`,
    `+ ${failure.left}`,
    "",
    `   ${failure.cause.why.en}`,
    ` ❯ ${failure.suite.path}:${failure.line}:${column}`,
    ...code,
    "",
    ruler("[1/1]"),
  ];
}

export const vitest: Runner = {
  lineChars: 66,
  unit: (path) => path,
  passingLine: (_path, test) => `   ✓ ${test}`,
  lintCommand: "npx tsc --noEmit -p .",
  report: (world, run) => {
    const { random } = world;
    const total = run.suites.reduce((sum, suite) => sum + suite.names.length, 0);
    const out = ["", ` RUN  v3.1.4 /srv/${world.story.project}`, ""];
    for (const suite of run.suites) {
      const failing = run.failure?.suite === suite;
      const counts = `${suite.names.length} tests${failing ? " | 1 failed" : ""}`;
      out.push(` ${failing ? "❯" : "✓"} ${suite.path} (${counts}) ${random.range(4, 90)}ms`);
      const failed = `   × ${run.failure?.name} ${random.range(8, 60)}ms`;
      const why = `     → expected ${run.failure?.left} to be ${run.failure?.right}`;
      if (run.verbose) out.push(...passingLines(vitest, suite));
      if (failing && run.verbose) out.splice(out.indexOf(`   ✓ ${run.failure?.name}`), 1, failed, why);
      else if (failing) out.push(failed, why);
    }
    const files = run.suites.length;
    const broken = run.failure === undefined ? "" : "1 failed | ";
    out.push(
      ...failures(world, run),
      "",
      ` Test Files  ${broken}${broken === "" ? files : files - 1} passed (${files})`,
      `      Tests  ${broken}${broken === "" ? total : total - 1} passed (${total})`,
      `   Start at  ${clockText(world.clock.nowMs)}`,
      `   Duration  ${run.seconds}s (transform ${random.range(200, 990)}ms, setup 0ms, collect ${random.range(180, 990)}ms, tests ${random.range(120, 990)}ms)`,
    );
    const scope = run.whole ? "" : ` ${run.suites.map((suite) => suite.path).join(" ")}`;
    const command = `npx vitest run${run.verbose ? " --reporter=verbose" : ""}${scope}`;
    return { command, text: out.join("\n"), tests: total };
  },
  issue,
  lintText: (issues) =>
    issues
      .map(({ path, line, code, message, rule }) => {
        const column = code.length - code.trimStart().length + 1;
        return `${path}(${line},${column}): error ${rule}: ${message}`;
      })
      .join("\n"),
  clean: () => "(no output, exit code 0)",
};
