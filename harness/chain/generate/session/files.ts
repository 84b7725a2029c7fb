/** Files of a session's project: texts that are read, searched and edited, and the diffs that the edits amount to. */

/** One replaced stretch of a file, in today's line numbers. */
export interface Edit {
  /** Index of its first line. */
  at: number;
  readonly before: readonly string[];
  readonly afterLines: number;
  committed: boolean;
}

export interface SourceFile {
  readonly path: string;
  /** Lines joined by newlines; kept as one text, because that is what is searched and sliced. */
  text: string;
  /** Its functions from top to bottom. */
  declarations: readonly Declaration[];
  /** In the order of their place; those of merged branches are gone. */
  edits: Edit[];
  /** Where the last read stopped. */
  readTo: number;
  /** Offset of each line, and of where the next one would start; dropped with every change. */
  starts: readonly number[] | undefined;
}

/** Where a function of the file is declared. */
export interface Declaration {
  readonly name: string;
  /** Index of the line. */
  readonly line: number;
}

/** A file as it is first seen. */
export const sourceFile = (path: string, text: string, declarations: readonly Declaration[]): SourceFile => ({
  path,
  text,
  declarations,
  edits: [],
  readTo: 0,
  starts: undefined,
});

function startsOf(file: SourceFile): readonly number[] {
  if (file.starts !== undefined) return file.starts;
  const starts = [0];
  for (let at = file.text.indexOf("\n"); at >= 0; at = file.text.indexOf("\n", at + 1)) starts.push(at + 1);
  starts.push(file.text.length + 1);
  file.starts = starts;
  return starts;
}

export const lineCount = (file: SourceFile): number => startsOf(file).length - 1;

/** The line at an index; "" beyond the end. */
export function lineAt(file: SourceFile, index: number): string {
  const starts = startsOf(file);
  const start = starts[index];
  const next = starts[index + 1];
  return start === undefined || next === undefined ? "" : file.text.slice(start, next - 1);
}

/** Whether the line at an index begins with a letter, as declarations do. */
function isDeclaration(file: SourceFile, index: number): boolean {
  const first = file.text.charCodeAt(startsOf(file)[index] ?? file.text.length) | 0x20;
  return first >= 0x61 && first <= 0x7a;
}

/** Index of the line that holds an offset. */
function lineOfOffset(file: SourceFile, offset: number): number {
  const starts = startsOf(file);
  let low = 0;
  let high = starts.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle;
  }
  return low;
}

/** Indexes of the lines that hold a text, in order. */
export function linesWith(file: SourceFile, text: string): number[] {
  const found: number[] = [];
  for (let at = file.text.indexOf(text); at >= 0;) {
    const line = lineOfOffset(file, at);
    found.push(line);
    at = file.text.indexOf(text, startsOf(file)[line + 1]);
  }
  return found;
}

/** UTF-8 bytes of a file. */
export const fileBytes = (file: SourceFile): number => Buffer.byteLength(file.text) + 1;

/** Whether the file is new on this branch. */
export const isNew = (file: SourceFile): boolean =>
  file.edits[0]?.before.length === 0 && file.edits[0].afterLines === lineCount(file);

/** Replaces `count` lines at index `at`. The place must be free of other edits (see `isFree`). */
export function applyEdit(file: SourceFile, at: number, count: number, after: readonly string[]): Edit {
  const before = Array.from({ length: count }, (_item, index) => lineAt(file, at + index));
  const starts = startsOf(file);
  const rest = starts[at + count] as number;
  const tail = rest > file.text.length ? "" : `\n${file.text.slice(rest)}`;
  file.text = file.text.slice(0, starts[at]) + after.join("\n") + tail;
  file.starts = undefined;
  const shift = after.length - count;
  file.declarations = file.declarations.map(({ name, line }) => ({ name, line: line > at ? line + shift : line }));
  for (const other of file.edits) if (other.at > at) other.at += shift;
  const edit: Edit = { at, before, afterLines: after.length, committed: false };
  file.edits.push(edit);
  file.edits.sort((left, right) => left.at - right.at);
  return edit;
}

/** Whether no edit of this branch lies within `margin` lines of the place, so that hunks stay apart. */
export const isFree = (file: SourceFile, at: number, count: number, margin: number): boolean =>
  file.edits.every((edit) => at + count + margin <= edit.at || edit.at + edit.afterLines + margin <= at);

/** Added and removed lines of some edits. */
export function tally(edits: readonly Edit[]): { readonly added: number; readonly removed: number } {
  let added = 0;
  let removed = 0;
  for (const edit of edits) {
    added += edit.afterLines;
    removed += edit.before.length;
  }
  return { added, removed };
}

/** The hunk of one edit as a unified diff prints it. `shift` is what the edits above it added to the line numbers. */
export function hunk(file: SourceFile, edit: Edit, contextLines: number, shift: number): string[] {
  const top = Math.max(0, edit.at - contextLines);
  const end = edit.at + edit.afterLines;
  const bottom = Math.min(lineCount(file), end + contextLines);
  const oldLines = edit.at - top + edit.before.length + (bottom - end);
  const out = [`@@ -${top + 1 - shift},${oldLines} +${top + 1},${bottom - top} @@${heading(file, top)}`];
  for (let index = top; index < edit.at; index++) out.push(` ${lineAt(file, index)}`);
  for (const line of edit.before) out.push(`-${line}`);
  for (let index = edit.at; index < end; index++) out.push(`+${lineAt(file, index)}`);
  for (let index = end; index < bottom; index++) out.push(` ${lineAt(file, index)}`);
  return out;
}

/** The nearest declaration above, which a diff prints after the hunk's numbers. */
function heading(file: SourceFile, top: number): string {
  for (let index = top - 1; index >= 0; index--)
    if (isDeclaration(file, index)) return ` ${lineAt(file, index).slice(0, 72).trimEnd()}`;
  return "";
}

/** All hunks of a file that `wanted` names, in order, with consistent line numbers. */
export function hunks(file: SourceFile, wanted: (edit: Edit) => boolean, contextLines: number): string[] {
  const out: string[] = [];
  let shift = 0;
  for (const edit of file.edits) {
    if (wanted(edit)) out.push(...hunk(file, edit, contextLines, shift));
    if (wanted(edit)) shift += edit.afterLines - edit.before.length;
  }
  return out;
}

/** The last whole-line comment among some lines, without its mark and full stop, and its 1-based line; undefined where there is none. */
export function commentIn(
  file: SourceFile,
  mark: string,
  from: number,
  to: number,
): { readonly text: string; readonly line: number } | undefined {
  const starts = startsOf(file);
  const first = starts[from] as number;
  for (let at = starts[to] as number; at > first;) {
    at = file.text.lastIndexOf(mark, at - 1);
    if (at < first) return undefined;
    const line = lineOfOffset(file, at);
    const text = lineAt(file, line).trimStart();
    if (text.startsWith(mark) && text.endsWith(".")) return { text: text.slice(mark.length, -1), line: line + 1 };
  }
  return undefined;
}

/** `count` lines from index `from` on, as the read tool prints them. */
export function numbered(file: SourceFile, from: number, count: number): string {
  const { text } = file;
  const starts = startsOf(file);
  const end = Math.min(starts.length - 1, from + count);
  const parts: string[] = [];
  for (let index = from; index < end; index++)
    parts.push(numberMark(index), text.slice(starts[index], (starts[index + 1] as number) - 1));
  return parts.join("").slice(1);
}

const numberMarks: string[] = [];

/** What stands before a numbered line, the line end included. */
function numberMark(index: number): string {
  while (numberMarks.length <= index) numberMarks.push(`\n${String(numberMarks.length + 1).padStart(5)}\t`);
  return numberMarks[index] as string;
}
