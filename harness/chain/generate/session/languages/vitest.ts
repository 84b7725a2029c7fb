/** Reports of vitest and the TypeScript compiler. */
import { clockText } from "../makers.ts";
import { render, templateLines } from "../template.ts";
import type { World } from "../world.ts";
import { excerpt, type Issue, type Runner, type TestRun } from "./runner.ts";

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
  const { lines } = world.file(failure.suite.path);
  const code = excerpt(lines, failure.line, 3, 2, (number, text) => `    ${String(number).padStart(4)}| ${text}`);
  const column = Math.max(5, (lines[failure.line - 1] ?? "").indexOf("expect") + 1);
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
  lintCommand: "npx tsc --noEmit -p .",
  report: (world, run) => {
    const { random } = world;
    const total = run.suites.reduce((sum, suite) => sum + suite.names.length, 0);
    const out = ["", ` RUN  v3.1.4 /srv/${world.story.project}`, ""];
    for (const suite of run.suites) {
      const failing = run.failure?.suite === suite;
      const counts = `${suite.names.length} tests${failing ? " | 1 failed" : ""}`;
      out.push(` ${failing ? "❯" : "✓"} ${suite.path} (${counts}) ${random.range(4, 90)}ms`);
      for (const name of suite.names) {
        const fails = failing && run.failure?.name === name;
        if (run.verbose || fails) out.push(`   ${fails ? "×" : "✓"} ${name} ${random.range(1, 30)}ms`);
        if (fails) out.push(`     → expected ${run.failure?.left} to be ${run.failure?.right}`);
      }
    }
    const files = run.suites.length;
    const broken = run.failure === undefined ? "" : "1 failed | ";
    out.push(
      ...failures(world, run),
      "",
      ` Test Files  ${broken}${broken === "" ? files : files - 1} passed (${files})`,
      `      Tests  ${broken}${broken === "" ? total : total - 1} passed (${total})`,
      `   Start at  ${clockText(world.clock.nowMs)}`,
      `   Duration  ${run.seconds}s (transform ${random.range(200, 990)}ms, setup 0ms, collect ${random.range(1, 9)}.${random.below(90) + 10}s, tests ${random.range(120, 990)}ms)`,
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
