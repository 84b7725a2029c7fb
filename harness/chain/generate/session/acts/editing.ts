/** Acts that change files. An edit's `old` text stands in the file exactly once, and its result shows the hunk. */
import { applyEdit, hunk, isFree, lineAt, lineCount, linesWith, type SourceFile } from "../files.ts";
import { freshNames } from "../makers.ts";
import { isSourcePath, isTestPath } from "../paths.ts";
import { words } from "../story.ts";
import { make, render } from "../template.ts";
import { areaPaths, type World } from "../world.ts";
import { type Act, type Perform, wait } from "./act.ts";
import { read } from "./reading.ts";

/** Whether a line is a whole statement, so that lines may be put before it or in its place. */
const isPlain = (line: string, previous: string): boolean =>
  line.length > 18 &&
  line.startsWith("  ") &&
  /^ +[a-z]/.test(line) &&
  !/[:{([,|]$/.test(line) &&
  !/^\s*(?:else|except|case|return|raise|throw|pub|def|fn|async def|class|it\b|self|default|readonly|import)\b/.test(
    line,
  ) &&
  !/[([,=|&?]$|^\s*(?:[.@]|#\[)/.test(previous);

/** Whether a line belongs to tests, in a file of their own or at the end of the file that they test. */
function isInTests(world: World, file: SourceFile, index: number): boolean {
  if (isTestPath(file.path)) return true;
  if (world.grammar.extension !== "rs") return false;
  const [start = Infinity] = linesWith(file, "mod tests {");
  return index >= start;
}

/** A free, unique, plain line of the file, or undefined after some tries. */
function anchor(world: World, file: SourceFile): number | undefined {
  for (let tries = 0; tries < 24; tries++) {
    const index = world.random.range(1, Math.max(2, lineCount(file)));
    const line = lineAt(file, index);
    const fits = isInTests(world, file, index)
      ? isAssertion(line) && /\d/.test(line)
      : isPlain(line, lineAt(file, index - 1));
    if (!fits || !isFree(file, index, 1, 7)) continue;
    if (file.text.indexOf(line) === file.text.lastIndexOf(line)) return index;
  }
  return undefined;
}

export const edit: Perform = (world, chars) => {
  const { random } = world;
  wait(world, 8, 70);
  const near = areaPaths(world).filter((path) => isSourcePath(path) && !isTestPath(path));
  const tests = world.suites.filter((suite) => suite.area === world.turn.area).map((suite) => suite.path);
  for (let tries = 0; tries < 12; tries++) {
    const toss = random.below(100);
    const candidates = toss < 82 ? near : toss < 94 ? tests : world.paths.filter(isSourcePath);
    if (candidates.length === 0) continue;
    const file = world.file(random.pick(candidates));
    const at = anchor(world, file);
    if (at === undefined) continue;
    return random.chance(0.06) ? missedEdit(world, file, at) : doneEdit(world, file, at);
  }
  return read(world, chars);
};

export const aimAt = (path: string): Act["aim"] => ({ en: `change \`${path}\``, zh: `改 \`${path}\`` });

/** Lines that check the variable of a line, indented like it. */
function guardLines(world: World, old: string, comment: boolean): { lines: string[]; reason: string | undefined } {
  const { random, grammar, makers, scope } = world;
  const indent = old.slice(0, old.length - old.trimStart().length);
  scope.names = freshNames(random, world.vocabulary(world.turn.area).nouns);
  const variables = old.match(/(?<![.\w])[a-z_]{4,}\b(?![(!])/g)?.filter((word) => !keywords.has(word)) ?? [];
  scope.variable = variables[0] ?? scope.names[0] ?? "value";
  const source = variables.length > 0 && random.chance(0.75) ? grammar.guards : grammar.statements;
  const lines = random.pick(source).map((line) => indent + render(line, makers));
  if (!comment) return { lines, reason: undefined };
  const reason = make(makers, "remark");
  return { lines: [`${indent}${grammar.comment}${reason}`, ...lines], reason };
}

/** Words of a line that are no variables. */
const keywords = new Set(
  words(
    "await const return from import with while match self async else assert expect this super open number string true " +
      "false undefined null",
  ),
);

/** The declared function that the line most likely belongs to. */
const enclosingName = (file: SourceFile, at: number): string | undefined =>
  file.declarations.findLast(({ line }) => line < at)?.name;

const isAssertion = (line: string): boolean => /^\s+(?:assert|expect)/.test(line);

/** A number one higher: an expectation that follows the code. */
const raised = (line: string): string => line.replace(/\d+/, (digits) => `${Number(digits) + 1}`);

function doneEdit(world: World, file: SourceFile, at: number): Act {
  const { random } = world;
  const line = lineAt(file, at);
  const expects = isAssertion(line);
  const { lines, reason } = expects
    ? { lines: [raised(line)], reason: undefined }
    : guardLines(world, line, random.chance(0.5));
  const keeps = !expects && random.chance(0.7);
  const change = applyEdit(file, at, keeps ? 0 : 1, lines);
  world.branch.add(file);
  const added = lines.length;
  const removed = keeps ? 0 : 1;
  const after = keeps ? [...lines, line] : lines;
  const above = random.chance(0.4) && lineAt(file, at - 1).trim() !== "" ? [lineAt(file, at - 1)] : [];
  const name = enclosingName(file, at);
  const values = {
    path: file.path,
    tally: `+${added} -${removed}`,
    line: `${at + 1}`,
    ...(name === undefined || expects ? {} : { name, variable: world.scope.variable }),
    ...(reason === undefined ? {} : { reason }),
  };
  return {
    tool: "edit",
    args: { path: file.path, old: [...above, line].join("\n"), new: [...above, ...after].join("\n") },
    text: `Edited ${file.path}: 1 replacement (+${added} -${removed})\n${hunk(file, change, 3, 0).join("\n")}`,
    error: false,
    facts: [{ kind: "edited", values }],
    aim: aimAt(file.path),
  };
}

/** The model remembered the line wrongly. */
function missedEdit(world: World, file: SourceFile, at: number): Act {
  const line = lineAt(file, at);
  const old = line.replace(/([A-Za-z]\w*)(?=[^A-Za-z]*$)/, "old_$1");
  const { lines } = guardLines(world, line, false);
  return {
    tool: "edit",
    args: { path: file.path, old, new: [...lines, line].join("\n") },
    text: `Not edited: the old text does not stand in ${file.path}. The closest line is ${at + 1}:\n${String(at + 1).padStart(5)}\t${line}`,
    error: true,
    facts: [{ kind: "missed", values: { path: file.path, line: `${at + 1}` } }],
    aim: aimAt(file.path),
  };
}
