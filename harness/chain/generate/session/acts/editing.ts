/** Acts that change files. An edit's `old` text stands in the file exactly once, and its result shows the hunk. */
import { applyEdit, hunk, isFree, type SourceFile } from "../files.ts";
import type { Block } from "../languages/grammar.ts";
import { plainLines } from "../languages/plain.ts";
import { freshNames } from "../makers.ts";
import { isSourcePath, isTestPath, stemOf } from "../paths.ts";
import { make, makersOf, render } from "../template.ts";
import { areaPaths, testNames, type World } from "../world.ts";
import { type Act, bytesText, type Perform, plural, wait } from "./act.ts";

/** Whether a line is a whole statement, so that lines may be put before it or in its place. */
const isPlain = (line: string, previous: string): boolean =>
  /^\s{2,}[a-z]/.test(line) &&
  line.trim().length > 14 &&
  !/[:{([,|]$/.test(line) &&
  !/^\s*(?:else|except|case|return|raise|throw|pub|def|fn|async def|class|it\b|self|default|readonly|import)\b/.test(line) &&
  !/[([,=|&?]$|^\s*(?:[.@]|#\[)/.test(previous);

/** A free, unique, plain line of the file, or undefined after some tries. */
function anchor(world: World, file: SourceFile): number | undefined {
  for (let tries = 0; tries < 24; tries++) {
    const index = world.random.range(1, Math.max(2, file.lines.length));
    const line = file.lines[index];
    if (line === undefined || !isPlain(line, file.lines[index - 1] as string) || !isFree(file, index, 1, 7)) continue;
    if (file.lines.indexOf(line) === index && !file.lines.includes(line, index + 1)) return index;
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
  return write(world, chars);
};

const aimAt = (path: string): Act["aim"] => ({ en: `change \`${path}\``, zh: `改 \`${path}\`` });

/** Lines that check the variable of a line, indented like it. */
function guardLines(world: World, old: string, comment: boolean): { lines: string[]; reason: string | undefined } {
  const { random, grammar, makers, scope } = world;
  const indent = old.slice(0, old.length - old.trimStart().length);
  const words = old.match(/\b[a-z_]{4,}\b(?!\()/g)?.filter((word) => !keywords.has(word)) ?? [];
  scope.variable = words[0] ?? scope.names[0] ?? "value";
  const source = words.length > 0 && random.chance(0.75) ? grammar.guards : grammar.statements;
  const lines = random.pick(source).map((line) => indent + render(line, makers));
  if (!comment) return { lines, reason: undefined };
  const reason = make(makers, "remark");
  return { lines: [`${indent}${grammar.comment}${reason}`, ...lines], reason };
}

const keywords = new Set(
  "await const return from import with while match self async else assert expect this super open number string true false".split(" "),
);

/** The declared function whose body holds the line. */
function enclosingName(file: SourceFile, at: number): string | undefined {
  for (let index = at; index >= 0; index--) {
    const line = file.lines[index] as string;
    if (/^(?:export|pub|async|def|fn|const|function)\b/.test(line)) return file.names.find((name) => line.includes(name));
  }
  return undefined;
}

function doneEdit(world: World, file: SourceFile, at: number): Act {
  const { random } = world;
  const old = file.lines[at] as string;
  const { lines, reason } = guardLines(world, old, random.chance(0.5));
  const keeps = random.chance(0.7);
  const after = keeps ? [...lines, old] : lines;
  const change = applyEdit(file, at, 1, after);
  world.branch.add(file);
  const added = after.length - (keeps ? 1 : 0);
  const removed = keeps ? 0 : 1;
  const name = enclosingName(file, at);
  const values = {
    path: file.path,
    tally: `+${added} -${removed}`,
    line: `${at + 1}`,
    ...(name === undefined ? {} : { name, variable: world.scope.variable }),
    ...(reason === undefined ? {} : { reason }),
  };
  return {
    tool: "edit",
    args: { path: file.path, old, new: after.join("\n") },
    text: `Edited ${file.path}: 1 replacement (+${added} -${removed})\n${hunk(file, change, 3, 0).join("\n")}`,
    error: false,
    facts: [{ kind: "edited", values }],
    aim: aimAt(file.path),
  };
}

/** The model remembered the line wrongly. */
function missedEdit(world: World, file: SourceFile, at: number): Act {
  const line = file.lines[at] as string;
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

export const write: Perform = (world) => {
  wait(world, 20, 120);
  const { path, lines } = (world.random.chance(0.6) ? addTests(world) : undefined) ?? newNote(world);
  world.branch.add(world.create(path, lines));
  const size = bytesText(Buffer.byteLength(lines.join("\n")) + 1);
  return {
    tool: "write",
    args: { path, content: `${lines.join("\n")}\n` },
    text: `Wrote ${path}: ${plural(lines.length, "line")}, ${size}`,
    error: false,
    facts: [{ kind: "wrote", values: { path, lines: `${lines.length}`, size } }],
    aim: { en: `write \`${path}\``, zh: `写 \`${path}\`` },
  };
};

interface NewFile {
  readonly path: string;
  readonly lines: readonly string[];
}

/** New tests for the area in a file of their own. Undefined where tests live in the sources. */
function addTests(world: World): NewFile | undefined {
  const { random, grammar, story } = world;
  const { area } = world.turn;
  const near = areaPaths(world).filter((path) => isSourcePath(path) && !isTestPath(path));
  if (grammar.extension === "rs" || near.length === 0) return undefined;
  const words = world.vocabulary(area);
  const stem = stemOf(random.pick(near));
  const tail = random.pick(words.nouns);
  const path = grammar.extension === "py" ? `tests/test_${stem}_${tail}.py` : `${area}/${stem}-${tail}.test.ts`;
  if (world.paths.includes(path)) return undefined;
  const names = testNames(random, story, words, grammar, random.range(2, 5));
  world.suites.push({ path, area, names });
  return { path, lines: testLines(world, names) };
}

function testLines(world: World, names: readonly string[]): string[] {
  const { random, grammar, makers, scope } = world;
  const { nouns } = world.vocabulary(world.turn.area);
  let self = "";
  const own = {
    self: () => self,
    module: () => world.turn.area.replaceAll("/", "."),
    Purpose: () => `the ${make(makers, "noun")}`,
  };
  const made = makersOf(own, makers);
  const put = (block: Block): void => {
    for (const line of block) lines.push(render(line, made));
  };
  const python = grammar.extension === "py";
  const lines = python ? ["import pytest", ""] : ['import { describe, expect, it, vi } from "vitest";', ""];
  if (grammar.tests.open !== undefined) put(grammar.tests.open);
  for (const name of names) {
    self = name;
    scope.names = freshNames(random, nouns);
    if (python) lines.push("");
    put(random.pick(grammar.tests.test));
    lines.push("");
  }
  lines.pop();
  if (grammar.tests.close !== undefined) lines.push(grammar.tests.close);
  return lines;
}

const noteFolders = /^(?:docs|config|fixtures|samples|ops|scripts)/;

/** A note or a configuration file beside the others. */
function newNote(world: World): NewFile {
  const { random, story, makers } = world;
  const { nouns } = world.vocabulary(world.turn.area);
  const folder = random.pick(Object.keys(story.tree).filter((folder) => noteFolders.test(folder)));
  const extension = folder.startsWith("docs") ? "md" : folder.startsWith("config") ? "toml" : random.pick(["json", "yaml"]);
  let path = `${folder}/${random.pick(nouns)}-${random.pick(nouns)}.${extension}`;
  while (world.paths.includes(path)) path = path.replace(/(\.\w+)$/, `-${random.pick(nouns)}$1`);
  const title = `${story.project}: ${world.turn.goal.en}`;
  return { path, lines: plainLines(random, extension, random.range(9, 26), makers, title) };
}
