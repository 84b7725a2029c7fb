/** Reports of pytest and mypy. */
import { fileBytes, lineCount } from "../files.ts";
import { templateLines, render } from "../template.ts";
import { areaOf } from "../paths.ts";
import { fitting } from "../story.ts";
import type { World } from "../world.ts";
import { excerpt, type Issue, passingLines, type Runner, type TestRun } from "./runner.ts";

const ruler = (title: string, sign: string, width = 80): string => {
  const left = Math.max(1, Math.floor((width - title.length - 2) / 2));
  return `${sign.repeat(left)} ${title} ${sign.repeat(Math.max(1, width - title.length - 2 - left))}`;
};

const percents = Array.from({ length: 101 }, (_item, percent) => `[${String(percent).padStart(3)}%]`);

const percent = (done: number, total: number): string => percents[Math.floor((100 * done) / total)] as string;

const rules = templateLines(`
arg-type Argument 1 to "{fn}" has incompatible type "int | None"; expected "int"
union-attr Item "None" of "{type} | None" has no attribute "{member}"
attr-defined "{type}" has no attribute "{member}"
return-value Incompatible return value type (got "list[{type}]", expected "{type}")
no-untyped-def Function "{fn}" is missing a type annotation for one or more arguments
assignment Incompatible types in assignment (expression has type "float", variable has type "int")
call-arg Missing named argument "{member}" for "{fn}"
`);

function issue(world: World): Issue {
  const text = render(world.random.pick(rules), world.makers);
  const at = text.indexOf(" ");
  return { rule: text.slice(0, at), message: text.slice(at + 1) };
}

function failures(world: World, run: TestRun): string[] {
  const { failure } = run;
  if (failure === undefined) return [];
  const code = excerpt(
    world.file(failure.suite.path),
    failure.line,
    4,
    0,
    (number, text) => `${number === failure.line ? ">" : " "}   ${text}`,
  );
  return [
    "",
    ruler("FAILURES", "="),
    ruler(failure.name, "_"),
    "",
    ...code,
    `E       AssertionError: assert ${failure.left} == ${failure.right}`,
    `E         ${failure.cause.why.en}`,
    "",
    `${failure.suite.path}:${failure.line}: AssertionError`,
    ruler("Captured log call", "-"),
    ...fitting(world.story.logs, world.turn.area).flatMap(({ lines }) =>
      [1, 2].map(() => render(world.random.pick(lines), world.makers)),
    ),
    ruler("short test summary info", "="),
    `FAILED ${failure.suite.path}::${failure.name} - AssertionError: assert ${failure.left} == ${failure.right}`,
  ];
}

/** The table that pytest-cov prints under a run. */
function coverage(world: World): string[] {
  const rows = world.paths
    .filter((path) => areaOf(path) === world.turn.area)
    .map((path) => {
      const statements = Math.max(4, Math.round(lineCount(world.file(path)) * 0.6));
      const missed = world.random.below(Math.ceil(statements / 5));
      const share = Math.round((100 * (statements - missed)) / statements);
      return `${path.padEnd(44)} ${String(statements).padStart(6)} ${String(missed).padStart(6)} ${String(share).padStart(5)}%`;
    });
  return ["", ruler("tests coverage", "-"), `${"Name".padEnd(44)}  Stmts   Miss  Cover`, "-".repeat(64), ...rows];
}

export const pytest: Runner = {
  lineChars: 92,
  unit: (path) => path,
  passingLine: (path, test) => `${`${path}::${test} PASSED`.padEnd(84)} `,
  lintCommand: "mypy --strict .",
  report: (world, run) => {
    const total = run.suites.reduce((sum, suite) => sum + suite.names.length, 0);
    const out = [
      ruler("test session starts", "="),
      "platform linux -- Python 3.12.8, pytest-8.3.4, pluggy-1.5.0",
      `rootdir: /srv/app, configfile: pyproject.toml`,
      "plugins: asyncio-0.25.2, cov-6.0.0, xdist-3.6.1",
      `collected ${total} items`,
      "",
    ];
    let done = 0;
    for (const suite of run.suites)
      if (run.verbose)
        for (const line of passingLines(pytest, suite)) {
          done++;
          const failing = run.failure?.suite === suite && line.includes(`::${run.failure.name} `);
          out.push((failing ? line.replace(" PASSED", " FAILED") : line) + percent(done, total));
        }
      else {
        done += suite.names.length;
        const marks = suite.names.map((name) =>
          run.failure?.suite === suite && run.failure.name === name ? "F" : ".",
        );
        out.push(`${`${suite.path} ${marks.join("")}`.padEnd(72)} ${percent(done, total)}`);
      }
    const wide = run.whole && run.chars > total * 92 + 2500;
    out.push(...failures(world, run), ...(wide ? coverage(world) : []));
    const result = run.failure === undefined ? `${total} passed` : `1 failed, ${total - 1} passed`;
    out.push(ruler(`${result} in ${run.seconds}s`, "="));
    const scope = run.whole ? "" : ` ${run.suites.map((suite) => suite.path).join(" ")}`;
    const command = `pytest${run.verbose ? " -v" : " -q"}${wide ? ` --cov=${world.turn.area}` : ""}${scope}`;
    return { command, text: out.join("\n"), tests: total };
  },
  issue,
  lintText: (issues) => {
    const files = new Set(issues.map(({ path }) => path)).size;
    const rows = issues.map(({ path, line, message, rule }) => `${path}:${line}: error: ${message}  [${rule}]`);
    return `${rows.join("\n")}\nFound ${issues.length} error${issues.length === 1 ? "" : "s"} in ${files} file${files === 1 ? "" : "s"}`;
  },
  clean: (world, files) =>
    `Success: no issues found in ${files} source files (cache ${(fileBytes(world.file(world.paths[0] as string)) / 1000 + files).toFixed(1)} KB)`,
};
