/** Reports of cargo test and clippy. */
import { hex } from "../makers.ts";
import { render, templateLines } from "../template.ts";
import type { Suite } from "../tests.ts";
import type { Failure, World } from "../world.ts";
import { type Issue, passingLines, type Runner, type TestRun } from "./runner.ts";

const rules = templateLines(`
clippy::needless_clone redundant clone of "{noun}"
clippy::await_holding_lock this lock guard is held across an await point in {fn}
clippy::cast_possible_truncation casting "u64" to "u32" may truncate the value of {noun}
clippy::too_many_arguments {fn} has too many arguments (8/7)
clippy::unwrap_used used "unwrap()" on a "Result" value
unused_variables unused variable: "{noun}"
dead_code function "{fn}" is never used
E0502 cannot borrow "{noun}" as mutable because it is also borrowed as immutable
`);

function issue(world: World): Issue {
  const text = render(world.random.pick(rules), world.makers);
  const at = text.indexOf(" ");
  return { rule: text.slice(0, at), message: text.slice(at + 1) };
}

const crateOf = (path: string): string => path.slice(0, path.indexOf("/"));
const moduleOf = (path: string): string =>
  path
    .replace(/^[^/]+\/src\//, "")
    .replace(/\.rs$/, "")
    .replaceAll("/", "::");

function panic(failure: Failure): string[] {
  const test = `${moduleOf(failure.suite.path)}::tests::${failure.name}`;
  return [
    "",
    "failures:",
    "",
    `---- ${test} stdout ----`,
    `thread '${test}' panicked at ${failure.suite.path}:${failure.line}:9:`,
    `assertion \`left == right\` failed: ${failure.cause.why.en}`,
    `  left: ${failure.left}`,
    ` right: ${failure.right}`,
    "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
    "",
    "failures:",
    `    ${test}`,
  ];
}

function crateReport(world: World, crate: string, suites: readonly Suite[], run: TestRun): string[] {
  const { random } = world;
  const total = suites.reduce((sum, suite) => sum + suite.names.length, 0);
  const failure = run.failure !== undefined && suites.includes(run.failure.suite) ? run.failure : undefined;
  const out = [
    `     Running unittests src/lib.rs (target/debug/deps/${world.story.project}_${crate}-${hex(random, 16)})`,
    "",
    `running ${total} tests`,
  ];
  const marks: string[] = [];
  for (const suite of suites) {
    const failing = failure?.suite === suite ? failure.name : undefined;
    if (!run.verbose) marks.push(...suite.names.map((name) => (name === failing ? "F" : ".")));
    else if (failing === undefined) out.push(...passingLines(cargo, suite));
    else
      out.push(
        ...passingLines(cargo, suite).map((line) => line.replace(`::${failing} ... ok`, `::${failing} ... FAILED`)),
      );
  }
  for (let from = 0; from < marks.length; from += 88)
    out.push(`${marks.slice(from, from + 88).join("")} ${Math.min(marks.length, from + 88)}/${total}`);
  if (failure !== undefined) out.push(...panic(failure));
  const verdict = failure === undefined ? `ok. ${total} passed; 0 failed` : `FAILED. ${total - 1} passed; 1 failed`;
  out.push(
    "",
    `test result: ${verdict}; 0 ignored; 0 measured; 0 filtered out; finished in ${(total * 0.013 + random.below(80) / 100).toFixed(2)}s`,
    "",
  );
  return out;
}

export const cargo: Runner = {
  lineChars: 70,
  unit: crateOf,
  passingLine: (path, test) => `test ${moduleOf(path)}::tests::${test} ... ok`,
  lintCommand: "cargo clippy --workspace --all-targets -- -D warnings",
  report: (world, run) => {
    const { story } = world;
    const crates = [...new Set(run.suites.map((suite) => crateOf(suite.path)))];
    const ordered =
      run.failure === undefined ? crates : crates.slice(0, crates.indexOf(crateOf(run.failure.suite.path)) + 1);
    const version = world.version.join(".");
    const out = ordered.map(
      (crate) => `   Compiling ${story.project}-${crate} v${version} (/srv/${story.project}/${crate})`,
    );
    out.push(`    Finished \`test\` profile [unoptimized + debuginfo] target(s) in ${run.seconds}s`);
    for (const crate of ordered)
      out.push(
        ...crateReport(
          world,
          crate,
          run.suites.filter((suite) => crateOf(suite.path) === crate),
          run,
        ),
      );
    if (run.failure !== undefined)
      out.push(`error: test failed, to rerun pass \`-p ${story.project}-${crateOf(run.failure.suite.path)} --lib\``);
    const scope = run.whole ? "--workspace" : crates.map((crate) => `-p ${story.project}-${crate}`).join(" ");
    const command = `cargo test ${scope}${run.verbose ? "" : " -- --format=terse"}`;
    const last = ordered.at(-1) as string;
    const ran = run.suites.filter((suite) => run.failure === undefined || crateOf(suite.path) === last);
    return { command, text: out.join("\n"), tests: ran.reduce((sum, suite) => sum + suite.names.length, 0) };
  },
  issue,
  lintText: (issues) => {
    const blocks = issues.map(({ path, line, code, message, rule }) => {
      const column = code.length - code.trimStart().length + 1;
      const gutter = " ".repeat(String(line).length);
      return [
        rule.startsWith("E0") ? `error[${rule}]: ${message}` : `error: ${message}`,
        `${gutter}--> ${path}:${line}:${column}`,
        `${gutter} |`,
        `${line} | ${code}`,
        `${gutter} | ${" ".repeat(column - 1)}${"^".repeat(Math.max(3, Math.min(20, code.trim().length)))}`,
        `${gutter} = note: \`-D ${rule.replaceAll("_", "-")}\` implied by \`-D warnings\``,
        "",
      ].join("\n");
    });
    return `${blocks.join("\n")}\nerror: could not compile due to ${issues.length} previous error${issues.length === 1 ? "" : "s"}`;
  },
  clean: (world, files) =>
    `    Checking ${world.story.project} v${world.version.join(".")}\n    Finished \`dev\` profile in ${world.random.range(3, 30)}.${world.random.range(10, 99)}s (${files} files)`,
};
