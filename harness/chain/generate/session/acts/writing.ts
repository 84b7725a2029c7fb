/** Acts that add to the project: new tests, notes and configuration. */
import type { Composed } from "../author.ts";
import { applyEdit, fileBytes, hunk, isFree, lineAt, lineCount } from "../files.ts";
import type { Block } from "../languages/grammar.ts";
import { plainText } from "../languages/plain.ts";
import { camelCase, freshNames } from "../makers.ts";
import { isSourcePath, isTestPath, stemOf } from "../paths.ts";
import { make, makersOf, writeLine, writer, writeTemplate, writtenText } from "../template.ts";
import { testNames } from "../tests.ts";
import { areaPaths, type World } from "../world.ts";
import { bytesText, type Perform, plural, quoted, wait } from "./act.ts";
import { aimAt, edit } from "./editing.ts";

export const write: Perform = (world) => {
  wait(world, 20, 120);
  const toss = world.random.below(100);
  const added = toss < 45 ? addTests(world) : toss < 75 ? newModule(world) : undefined;
  const { path, composed } = added ?? newNote(world);
  const file = world.create(path, composed);
  world.branch.add(file);
  const lines = lineCount(file);
  const size = bytesText(fileBytes(file));
  return {
    tool: "write",
    args: { path, content: `${composed.text}\n` },
    text: `Wrote ${path}: ${plural(lines, "line")}, ${size}`,
    error: false,
    facts: [{ kind: "wrote", values: { path, lines: `${lines}`, size } }],
    aim: { en: `write \`${path}\``, zh: `写 \`${path}\`` },
  };
};

/** New tests: at the end of a file of the area where tests live in the sources, else in a new file. */
export const cover: Perform = (world, chars) => {
  const { random, grammar, story, turn } = world;
  if (grammar.extension !== "rs") return write(world, chars);
  wait(world, 20, 90);
  const suite = random.pick(world.suites.filter(({ area }) => area === turn.area));
  const file = world.file(suite.path);
  const last = lineCount(file) - 1;
  const [name] = testNames(random, story, world.vocabulary(turn.area), grammar, 1) as [string];
  if (suite.names.includes(name) || lineAt(file, last) !== "}" || !isFree(file, last, 1, 7)) return edit(world, chars);
  const out = writer();
  const own = makersOf({ self: () => name }, world.makers);
  world.scope.names = freshNames(random, world.vocabulary(turn.area).nouns);
  for (const line of random.pick(grammar.tests.test)) writeTemplate(out, line, own);
  const above = [lineAt(file, last - 3), lineAt(file, last - 2), lineAt(file, last - 1)];
  const after = ["", ...writtenText(out).split("\n")];
  const change = applyEdit(file, last, 0, after);
  world.branch.add(file);
  world.suites[world.suites.indexOf(suite)] = { ...suite, names: [...suite.names, name] };
  return {
    tool: "edit",
    args: { path: file.path, old: [...above, "}"].join("\n"), new: [...above, ...after, "}"].join("\n") },
    text: `Edited ${file.path}: 1 replacement (+${after.length} -0)\n${hunk(file, change, 3, 0).join("\n")}`,
    error: false,
    facts: [{ kind: "covered", values: { test: quoted(name), path: file.path } }],
    aim: aimAt(file.path),
  };
};

interface NewFile {
  readonly path: string;
  readonly composed: Composed;
}

/** A small module of the area, with two functions of its own. Undefined where there is one of that name. */
function newModule(world: World): NewFile | undefined {
  const { random, grammar } = world;
  const { area } = world.turn;
  const { verbs, nouns } = world.vocabulary(area);
  const path = `${area}/${random.pick(nouns).toLowerCase()}.${grammar.extension}`;
  if (world.paths.includes(path)) return undefined;
  const [verb, other] = [random.pick(verbs), random.pick(verbs)];
  const names = [`${verb}_${random.pick(nouns)}_plan`, `${other}_${random.pick(nouns)}_state`];
  const declared = grammar.case === "camel" ? names.map(camelCase) : names;
  return { path, composed: world.compose(path, declared, random.range(30, 70)) };
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
  return { path, composed: { text: testText(world, names), declarations: [] } };
}

function testText(world: World, names: readonly string[]): string {
  const { random, grammar, makers, scope } = world;
  const { nouns } = world.vocabulary(world.turn.area);
  let self = "";
  const own = {
    self: () => self,
    module: () => world.turn.area.replaceAll("/", "."),
    Purpose: () => `the ${make(makers, "noun")}`,
  };
  const made = makersOf(own, makers);
  const out = writer();
  const put = (block: Block): void => {
    for (const line of block) writeTemplate(out, line, made);
  };
  const python = grammar.extension === "py";
  writeLine(out, python ? "import pytest" : 'import { describe, expect, it, vi } from "vitest";');
  writeLine(out, "");
  if (grammar.tests.open !== undefined) put(grammar.tests.open);
  names.forEach((name, index) => {
    self = name;
    scope.names = freshNames(random, nouns);
    if (python || index > 0) writeLine(out, "");
    if (python && index > 0) writeLine(out, "");
    put(random.pick(grammar.tests.test));
  });
  if (grammar.tests.close !== undefined) writeLine(out, grammar.tests.close);
  return writtenText(out);
}

const noteFolders = /^(?:docs|config|fixtures|samples|ops|scripts)/;

/** A note or a configuration file beside the others. */
function newNote(world: World): NewFile {
  const { random, story, makers } = world;
  const { nouns } = world.vocabulary(world.turn.area);
  const folder = random.pick(Object.keys(story.tree).filter((folder) => noteFolders.test(folder)));
  const extension = folder.startsWith("docs")
    ? "md"
    : folder.startsWith("config")
      ? "toml"
      : random.pick(["json", "yaml"]);
  let path = `${folder}/${random.pick(nouns)}-${random.pick(nouns)}.${extension}`;
  while (world.paths.includes(path)) path = path.replace(/(\.\w+)$/, `-${random.pick(nouns)}$1`);
  const title = `${story.project}: ${world.turn.goal.en}`;
  const text = plainText(random, extension, random.range(9, 26), makers, title);
  return { path, composed: { text, declarations: [] } };
}
