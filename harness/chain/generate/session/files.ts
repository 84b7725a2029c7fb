/** Files of a session's project: lines that are read, searched and edited, and the diffs that the edits amount to. */

/** One replaced stretch of a file, in today's line numbers. */
export interface Edit {
  /** Index of its first line. */
  at: number;
  readonly before: readonly string[];
  readonly afterLines: number;
  committed: boolean;
}

/** What is derived from a file's lines; dropped when they change. */
interface Derived {
  readonly text: string;
  readonly bytes: number;
  /** As the read tool prints them, with the offset at which each line starts. */
  readonly numbered: string;
  readonly starts: readonly number[];
}

export interface SourceFile {
  readonly path: string;
  readonly lines: string[];
  /** Functions that it declares. */
  readonly names: readonly string[];
  /** In the order of their place; those of merged branches are gone. */
  edits: Edit[];
  /** Where the last read stopped. */
  readTo: number;
  derived?: Derived | undefined;
}

/** A file as it is first seen. */
export const sourceFile = (path: string, lines: string[], names: readonly string[]): SourceFile => ({
  path,
  lines,
  names,
  edits: [],
  readTo: 0,
});

function derive(file: SourceFile): Derived {
  if (file.derived !== undefined) return file.derived;
  const { lines } = file;
  const text = lines.join("\n");
  const starts: number[] = [];
  const rows: string[] = [];
  let start = 0;
  for (let index = 0; index < lines.length; index++) {
    const number = index + 1;
    const row = `${number < 10 ? "    " : number < 100 ? "   " : number < 1000 ? "  " : " "}${number}\t${lines[index]}`;
    starts.push(start);
    rows.push(row);
    start += row.length + 1;
  }
  starts.push(start);
  file.derived = { text, bytes: Buffer.byteLength(text) + 1, numbered: rows.join("\n"), starts };
  return file.derived;
}

/** Whether the file is new on this branch. */
export const isNew = (file: SourceFile): boolean => file.edits[0]?.before.length === 0 && file.edits[0].afterLines === file.lines.length;

const sum = (numbers: readonly number[]): number => numbers.reduce((left, right) => left + right, 0);

/** UTF-8 bytes of a file. */
export const fileBytes = (file: SourceFile): number => derive(file).bytes;

/** Whether a text stands anywhere in the file. */
export const holds = (file: SourceFile, text: string): boolean => derive(file).text.includes(text);

/** Replaces `count` lines at index `at`. The place must be free of other edits (see `isFree`). */
export function applyEdit(file: SourceFile, at: number, count: number, after: readonly string[]): Edit {
  const before = file.lines.splice(at, count, ...after);
  file.derived = undefined;
  for (const other of file.edits) if (other.at > at) other.at += after.length - count;
  const edit: Edit = { at, before, afterLines: after.length, committed: false };
  file.edits.push(edit);
  file.edits.sort((left, right) => left.at - right.at);
  return edit;
}

/** Whether no edit of this branch lies within `margin` lines of the place, so that hunks stay apart. */
export const isFree = (file: SourceFile, at: number, count: number, margin: number): boolean =>
  file.edits.every((edit) => at + count + margin <= edit.at || edit.at + edit.afterLines + margin <= at);

/** Added and removed lines of some edits. */
export const tally = (edits: readonly Edit[]): { readonly added: number; readonly removed: number } => ({
  added: sum(edits.map((edit) => edit.afterLines)),
  removed: sum(edits.map((edit) => edit.before.length)),
});

/** The hunk of one edit as a unified diff prints it. `shift` is what the edits above it added to the line numbers. */
export function hunk(file: SourceFile, edit: Edit, contextLines: number, shift: number): string[] {
  const top = Math.max(0, edit.at - contextLines);
  const end = edit.at + edit.afterLines;
  const bottom = Math.min(file.lines.length, end + contextLines);
  const oldLines = edit.at - top + edit.before.length + (bottom - end);
  const out = [`@@ -${top + 1 - shift},${oldLines} +${top + 1},${bottom - top} @@${heading(file, top)}`];
  for (let index = top; index < edit.at; index++) out.push(` ${file.lines[index]}`);
  for (const line of edit.before) out.push(`-${line}`);
  for (let index = edit.at; index < end; index++) out.push(`+${file.lines[index]}`);
  for (let index = end; index < bottom; index++) out.push(` ${file.lines[index]}`);
  return out;
}

/** The nearest unindented line above, which a diff prints after the hunk's numbers. */
function heading(file: SourceFile, top: number): string {
  for (let index = top - 1; index >= 0; index--) {
    const line = file.lines[index] as string;
    if (/^[a-zA-Z@]/.test(line)) return ` ${line.slice(0, 72).trimEnd()}`;
  }
  return "";
}

/** All hunks of a file that `wanted` names, in order, with consistent line numbers. */
export function hunks(file: SourceFile, wanted: (edit: Edit) => boolean, contextLines: number): string[] {
  const out: string[] = [];
  let shift = 0;
  for (const edit of file.edits)
    if (wanted(edit)) {
      out.push(...hunk(file, edit, contextLines, shift));
      shift += edit.afterLines - edit.before.length;
    }
  return out;
}

/** A comment among some lines, without its marks, and its 1-based line; undefined where there is none. */
export function commentIn(file: SourceFile, from: number, to: number): { text: string; line: number } | undefined {
  for (let index = to - 1; index >= from; index--) {
    const line = (file.lines[index] as string).trimStart();
    if (!/^(?:#|\/\/|\/\*|"""|\*) /.test(line) && !line.startsWith('"""')) continue;
    const text = line.replaceAll(/^(?:#|\/\/[/!]?|\/\*\*?|"""|\*)\s*|\s*(?:\*\/|""")$/g, "").replace(/\.$/, "");
    if (/^[A-Za-z].{18,90}$/.test(text) && !text.includes("/")) return { text, line: index + 1 };
  }
  return undefined;
}

/** `count` lines from index `from` on, as the read tool prints them. */
export function numbered(file: SourceFile, from: number, count: number): string {
  const { numbered: all, starts } = derive(file);
  return all.slice(starts[from], (starts[Math.min(file.lines.length, from + count)] as number) - 1);
}
