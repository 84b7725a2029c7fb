/** Acts that look at files: listings, reads, searches. */
import { commentIn, fileBytes, lineAt, lineCount, linesWith, numbered, type SourceFile } from "../files.ts";
import { hex } from "../makers.ts";
import { areaOf, baseOf, extensionOf } from "../paths.ts";
import { areaPaths, type World } from "../world.ts";
import { type Act, bytesText, type Fact, type Perform, plural, shell, wait } from "./act.ts";

/** A file that this turn would look at: mostly in its area, the tests of it, or edited already. */
function focusPath(world: World): string {
  const { random } = world;
  const toss = random.below(100);
  if (toss < 62) return random.pick(areaPaths(world));
  if (toss < 80) {
    const tests = world.suites.filter((suite) => suite.area === world.turn.area);
    if (tests.length > 0) return random.pick(tests).path;
  }
  const touched = [...world.branch];
  if (toss < 90 && touched.length > 0) return random.pick(touched).path;
  return random.pick(world.paths);
}

export const read: Perform = (world, chars) => {
  const { random } = world;
  wait(world, 2, 20);
  let file = world.file(focusPath(world));
  for (let tries = 0; tries < 3 && file.text.length < chars; tries++) {
    const other = world.file(focusPath(world));
    if (other.text.length > file.text.length) file = other;
  }
  const total = lineCount(file);
  const perLine = file.text.length / total + 6;
  const wanted = Math.max(20, Math.round(chars / perLine / 10) * 10);
  if (wanted + 15 >= total) {
    file.readTo = 0;
    return readAct(world, file, { path: file.path }, 0, total, "");
  }
  const last = total - wanted;
  const goesOn = file.readTo > 0 && file.readTo < last && random.chance(0.6);
  const from = goesOn ? file.readTo : Math.floor(random.below(last) / 10) * 10;
  const to = from + wanted;
  file.readTo = to;
  const args = from === 0 ? { path: file.path, limit: wanted } : { path: file.path, offset: from + 1, limit: wanted };
  const more = `\n\n(${plural(total - to, "more line")}; continue with offset ${to + 1})`;
  return readAct(world, file, args, from, to, more);
};

function readAct(world: World, file: SourceFile, args: Act["args"], from: number, to: number, more: string): Act {
  return {
    tool: "read",
    args,
    text: numbered(file, from, to - from) + more,
    error: false,
    facts: [readFact(world, file, from, to)],
    aim: lookAt(world, file.path),
  };
}

const looks = [
  { en: "read", zh: "看" },
  { en: "look at", zh: "看一下" },
  { en: "open", zh: "打开" },
  { en: "go through", zh: "读一遍" },
] as const;

function lookAt(world: World, path: string): Act["aim"] {
  const { en, zh } = world.random.pick(looks);
  return { en: `${en} \`${path}\``, zh: `${zh} \`${path}\`` };
}

/** Says what stood in the lines read: a function declared there, what a comment claims, and how far they went. */
function readFact(world: World, file: SourceFile, from: number, to: number): Fact {
  const values: { [slot: string]: string } = {
    path: file.path,
    from: `${from + 1}`,
    to: `${to}`,
    lines: `${to - from}`,
  };
  const seen = file.declarations.filter(({ line }) => line >= from && line < to);
  const declaration = seen[seen.length >> 1];
  if (declaration !== undefined) {
    values.name = declaration.name;
    values.line = `${declaration.line + 1}`;
  }
  const comment = commentIn(file, world.grammar.comment, from, to);
  if (comment !== undefined) {
    values.note = comment.text.charAt(0).toLowerCase() + comment.text.slice(1);
    values.noteLine = `${comment.line}`;
  }
  return { kind: "read", values };
}

export const missing: Perform = (world) => {
  const { random } = world;
  wait(world, 2, 9);
  const near = random.pick(areaPaths(world));
  const folder = areaOf(near);
  let path = `${folder}/${random.pick(world.vocabulary(folder).nouns)}.${extensionOf(near)}`;
  while (world.paths.includes(path)) path = path.replace(/\.(\w+)$/, "_old.$1");
  const close = baseOf(near);
  return {
    tool: "read",
    args: { path },
    text: `ENOENT: no such file or directory: ${path}\nFiles in ${folder} with similar names: ${close}`,
    error: true,
    facts: [{ kind: "absent", values: { path, close } }],
    aim: lookAt(world, path),
  };
};

export const list: Perform = (world) => {
  const { random } = world;
  wait(world, 1, 6);
  const area = random.chance(0.6) ? world.turn.area : areaOf(random.pick(world.paths));
  const files = world.pathsIn(area).map((path) => world.file(path));
  const largest = files.reduce((left, right) => (fileBytes(right) > fileBytes(left) ? right : left));
  const folder = area === "" ? "." : area;
  const values = {
    area: folder,
    count: `${files.length}`,
    path: largest.path,
    lines: `${lineCount(largest)}`,
    size: bytesText(fileBytes(largest)),
  };
  const rest = {
    facts: [{ kind: "listed", values }] as const,
    aim: { en: `list \`${folder}\``, zh: `列出 \`${folder}\`` },
  };
  const style = random.below(3);
  if (style === 0) {
    const rows = files.map((file) => `${String(lineCount(file)).padStart(6)} ${file.path}`);
    const sum = files.reduce((count, file) => count + lineCount(file), 0);
    return shell(`wc -l ${folder}/*`, `${rows.join("\n")}\n${String(sum).padStart(6)} total`, rest);
  }
  const bytes = (file: SourceFile): string => String(fileBytes(file)).padStart(7);
  if (style === 1) {
    const day = new Date(world.clock.nowMs)
      .toUTCString()
      .slice(5, 11)
      .split(" ")
      .toReversed()
      .join(" ")
      .replace(" 0", "  ");
    const time = (): string => `${random.range(10, 19)}:${random.range(10, 60)}`;
    const rows = files.map((file) => `-rw-r--r-- 1 dev dev ${bytes(file)} ${day} ${time()} ${baseOf(file.path)}`);
    const blocks = files.reduce((sum, file) => sum + Math.ceil(fileBytes(file) / 4096) * 4, 0);
    return shell(`ls -l ${folder}`, `total ${blocks}\n${rows.join("\n")}`, rest);
  }
  const rows = files.map((file) => `100644 blob ${hex(random, 10)} ${bytes(file)}\t${file.path}`);
  return shell(`git ls-tree -l --abbrev=10 HEAD ${folder}/`, rows.join("\n"), rest);
};

export const grep: Perform = (world, chars) => {
  const { random } = world;
  wait(world, 1, 8);
  const name = random.chance(0.85) ? random.pick(world.namesIn(world.turn.area)) : random.pick(world.allNames);
  const { area } = world.turn;
  const tests = world.suites.filter((suite) => suite.area === area).map(({ path }) => path);
  const other = chars > 1800 ? random.pick(Object.keys(world.story.areas)) : area;
  const near = [...world.pathsIn(area), ...world.pathsIn(other)];
  const scope = [...new Set([...near, ...tests])].sort();
  const around = chars > 700 ? Math.min(6, Math.floor(chars / 700)) : 0;
  const hits: string[] = [];
  let text = "";
  for (const path of scope) {
    if (text.length > chars * 1.3 + 300) break;
    const found = hitsIn(world.file(path), name, around);
    if (found.count === 0) continue;
    text += (text === "" ? "" : around > 0 ? "\n--\n" : "\n") + found.text;
    for (let left = found.count; left > 0; left--) hits.push(path);
  }
  const folders = new Set([area, other, ...tests.map(areaOf)]);
  const command = `rg -n${around > 0 ? ` -C ${around}` : ""} '${name}' ${[...folders].join(" ")}`;
  const aim = { en: `search for \`${name}\``, zh: `搜索 \`${name}\`` };
  const [first] = hits;
  if (first === undefined) return shell(command, "(no matches, exit code 1)", { facts: [], aim });
  const files = new Set(hits).size;
  const values = {
    name,
    hits: plural(hits.length, "time"),
    hitsZh: `${hits.length}`,
    files: plural(files, "file"),
    filesZh: `${files}`,
    path: first,
    last: hits.at(-1) ?? first,
  };
  return shell(command, text, { facts: [{ kind: "found", values }], aim });
};

/** The lines of a file that hold a name, as ripgrep prints them, with some lines around each. */
function hitsIn(file: SourceFile, name: string, around: number): { readonly count: number; readonly text: string } {
  const found = linesWith(file, name);
  const total = lineCount(file);
  let shown = 0;
  const out: string[] = [];
  for (const index of found) {
    const top = Math.max(shown, index - around);
    if (around > 0 && out.length > 0 && top > shown) out.push("--");
    for (let row = top; row < Math.min(total, index + around + 1); row++) {
      const mark = found.includes(row) ? ":" : "-";
      out.push(`${file.path}${mark}${row + 1}${mark}${lineAt(file, row)}`);
    }
    shown = Math.max(shown, Math.min(total, index + around + 1));
  }
  return { count: found.length, text: out.join("\n") };
}
