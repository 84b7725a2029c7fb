/** The files of a session as its calls last left them, put together again from what it read, wrote and edited. */
import type { CallBlock, Message, ResultBlock } from "../chain/message.ts";
import type { JsonObject } from "../json.ts";

/** Lines of one file; undefined for a line that the session never showed. */
export type FileLines = readonly (string | undefined)[];

/** Names that products give to the same arguments. */
const pathNames = ["path", "filePath", "file_path"];
const contentNames = ["content"];
const oldNames = ["old", "oldString", "old_string"];
const newNames = ["new", "newString", "new_string"];
const allNames = ["all", "replaceAll", "replace_all"];

/**
 * Files by path. A write sets a file; an edit replaces text in what is known of it; a read shows it whole or, with line
 * numbers, some of its lines. Calls that failed, edits of text that is not known and tools of other kinds (a shell) change
 * nothing, so a file that only a shell changed is as it was last read. Linear in the history, edits apart.
 */
export function sessionFiles(journal: readonly Message[]): ReadonlyMap<string, FileLines> {
  const files = new Map<string, FileLines>();
  for (const [call, result] of answeredCalls(journal)) {
    const path = textArg(call.args, pathNames);
    if (path === undefined || result.error) continue;
    const known = files.get(path) ?? [];
    const left = fileAfter(call, result, known);
    if (left !== known) files.set(path, left);
  }
  return files;
}

/** Calls with their results, in the order of the results. */
function answeredCalls(journal: readonly Message[]): [CallBlock, ResultBlock][] {
  const open = new Map<string, CallBlock>();
  const answered: [CallBlock, ResultBlock][] = [];
  for (const { blocks } of journal)
    for (const block of blocks) {
      if (block.kind === "call") open.set(block.call, block);
      const call = block.kind === "result" ? open.get(block.call) : undefined;
      if (block.kind !== "result" || call === undefined) continue;
      open.delete(block.call);
      answered.push([call, block]);
    }
  return answered;
}

function fileAfter({ tool, args }: CallBlock, { text }: ResultBlock, known: FileLines): FileLines {
  switch (tool) {
    case "write":
      return textArg(args, contentNames)?.split("\n") ?? known;
    case "edit":
      return edited(known, args);
    case "read":
      return afterRead(known, text, args);
    default:
      return known;
  }
}

/** Stands for a line that is not known while a file is one text; no file that is text holds it. */
const unknownLine = "\u0000";

function edited(known: FileLines, args: JsonObject): FileLines {
  const before = textArg(args, oldNames);
  const after = textArg(args, newNames);
  const whole = known.map((line) => line ?? unknownLine).join("\n");
  if (before === undefined || before === "" || after === undefined || !whole.includes(before)) return known;
  const everywhere = allNames.some((name) => args[name] === true);
  const left = everywhere ? whole.replaceAll(before, () => after) : whole.replace(before, () => after);
  return left.split("\n").map((line) => (line === unknownLine ? undefined : line));
}

/** A numbered line as read tools print it: `   12<tab>text`, `12→text`, `00012| text`. */
const numbered = /^ *(\d+)(?:\t|→|\| ?)(.*)$/s;

function afterRead(known: FileLines, shown: string, args: JsonObject): FileLines {
  const lines = shown.split("\n");
  const first = numbered.exec(lines[0] ?? "");
  // A file whose own lines begin with numbers counts from where it likes; a read counts from its offset or from one.
  if (first === null || Number(first[1]) !== (numberArg(args, "offset") ?? 1)) return wholeRead(known, lines, args);
  const left = args["offset"] === undefined && args["limit"] === undefined ? [] : [...known];
  for (const line of lines) {
    const [, number, text] = numbered.exec(line) ?? [];
    const at = Number(number) - 1;
    if (number === undefined || text === undefined || !(at >= 0 && at <= left.length + lines.length + Number(first[1])))
      continue;
    while (left.length <= at) left.push(undefined);
    left[at] = text;
  }
  return left;
}

/** A result without line numbers is the file, unless only a part was asked for. */
const wholeRead = (known: FileLines, lines: readonly string[], args: JsonObject): FileLines =>
  args["offset"] === undefined && args["limit"] === undefined ? lines : known;

function textArg(args: JsonObject, names: readonly string[]): string | undefined {
  const value = names.map((name) => args[name]).find((one) => typeof one === "string");
  return typeof value === "string" ? value : undefined;
}

const numberArg = (args: JsonObject, name: string): number | undefined => {
  const value = args[name];
  return typeof value === "number" ? value : undefined;
};
