/** `glob`, `grep` and `read` over the session's files as it last left them: what OpenCode's design offers for looking back. */
import * as z from "zod";
import type { JsonObject } from "../json.ts";
import { argsFault } from "./arguments.ts";
import { type Interface, type LookupResult, type Piece, refuse } from "./lookup.ts";
import { lineFinder, pathMatcher } from "./patterns.ts";
import { betweenPoints, excerptOf } from "./places.ts";
import { type FileLines, sessionFiles } from "./session-files.ts";

const mostPaths = 100;
const defaultHits = 20;
const sideChars = 120;
const defaultLines = 100;
/** What one `read` shows at most. */
const maxTextChars = 4000;

const pattern = z.string().min(1).max(300);
/** Stars can be tried in many ways; no path needs more. */
const pathPattern = pattern.refine((text) => (text.match(/\*+/g) ?? []).length <= 6, "too many stars");
const globArgs = z.strictObject({ pattern: pathPattern });
const grepArgs = z.strictObject({ pattern, include: pathPattern.optional(), limit: z.int().min(1).max(99).optional() });
const readArgs = z.strictObject({
  path: z.string().min(1),
  offset: z.int().min(1).optional(),
  limit: z.int().min(1).optional(),
});

const text = (description: string): JsonObject => ({ type: "string", description });
const integer = (description: string): JsonObject => ({ type: "integer", description });
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** The session's files. */
export const fileInterface: Interface = {
  id: "files",
  title: "glob, grep and read over the session's files",
  tools: [
    {
      name: "glob",
      description: "List the files of this session whose path matches a pattern.",
      parameters: object(
        { pattern: text("Such as src/**/*.ts; without a slash, a file name in any folder") },
        "pattern",
      ),
    },
    {
      name: "grep",
      description:
        "Find lines in the files of this session. The pattern is literal text, except that .* stands for anything and | separates alternatives; a backslash takes either literally. Letter case matters.",
      parameters: object(
        {
          pattern: text("What to look for"),
          include: text("Only in files whose path matches this pattern"),
          limit: integer("How many lines to show at most"),
        },
        "pattern",
      ),
    },
    {
      name: "read",
      description:
        "Read a file of this session as it was last left. Lines that the session never showed are left out and said so.",
      parameters: object(
        {
          path: text("Path of the file, as glob and grep show it"),
          offset: integer("Line to start at, counted from one"),
          limit: integer("How many lines to read"),
        },
        "path",
      ),
    },
  ],
  guide:
    "glob, grep and read look into the files that this session worked on, as it last left them. Commands and their output are not among them.",
  aim: (tool, { pattern: wanted }) =>
    (tool === "grep" || tool === "glob") && typeof wanted === "string" ? wanted.replaceAll(/\\(.)/g, "$1") : undefined,
  open: ({ journal }) => {
    const files = sessionFiles(journal);
    return {
      serve: (tool, args) => {
        if (tool === "glob") return glob(files, args);
        return tool === "grep" ? grep(files, args) : read(files, args);
      },
    };
  },
};

type Files = ReadonlyMap<string, FileLines>;

function glob(files: Files, args: JsonObject): LookupResult {
  const parsed = globArgs.safeParse(args);
  if (!parsed.success) return refuse("broken arguments", argsFault("glob", parsed.error));
  const paths = [...files.keys()].filter(pathMatcher(parsed.data.pattern)).sort();
  if (paths.length === 0) return { kind: "served", pieces: [], note: "No file has such a path." };
  const note = paths.length > mostPaths ? "There are more. Make the pattern narrower." : "";
  return { kind: "served", pieces: [{ head: "", text: paths.slice(0, mostPaths).join("\n") }], note };
}

function grep(files: Files, args: JsonObject): LookupResult {
  const parsed = grepArgs.safeParse(args);
  if (!parsed.success) return refuse("broken arguments", argsFault("grep", parsed.error));
  const { include, limit = defaultHits } = parsed.data;
  const matches = include === undefined ? () => true : pathMatcher(include);
  const find = lineFinder(parsed.data.pattern);
  const pieces: Piece[] = [];
  for (const [path, lines] of files) {
    if (!matches(path)) continue;
    for (const [index, line] of lines.entries()) {
      const at = line === undefined ? -1 : find(line);
      if (line === undefined || at < 0) continue;
      if (pieces.length === limit) return { kind: "served", pieces, note: "There are more lines." };
      pieces.push({ head: `[line ${index + 1}]`, text: `${path}: ${excerptOf(line, at, sideChars, sideChars)}` });
    }
  }
  return { kind: "served", pieces, note: pieces.length === 0 ? "No line has that." : "" };
}

function read(files: Files, args: JsonObject): LookupResult {
  const parsed = readArgs.safeParse(args);
  if (!parsed.success) return refuse("broken arguments", argsFault("read", parsed.error));
  const { path, offset = 1, limit = defaultLines } = parsed.data;
  const lines = files.get(path);
  if (lines === undefined)
    return refuse("out of range", `read: the session has no file ${JSON.stringify(path)}. glob lists its files.`);
  if (offset > lines.length)
    return refuse("out of range", `read: offset ${offset} is behind the file's ${lines.length} lines.`);
  const wanted = lines.slice(offset - 1, offset - 1 + limit);
  const known = wanted.filter((line) => line !== undefined).join("\n");
  const shown = known.slice(0, betweenPoints(known, maxTextChars)).toWellFormed();
  const hidden = wanted.filter((line) => line === undefined).length;
  const notes = [
    ...(hidden > 0 ? [`${hidden} of these lines were never shown in the session and are left out.`] : []),
    ...(shown.length < known.length ? ["Cut here. Read fewer lines, or search with grep."] : []),
    ...(offset - 1 + limit < lines.length ? ["The file goes on."] : []),
  ];
  const head = `[lines ${offset} to ${Math.min(lines.length, offset - 1 + limit)} of ${lines.length}]`;
  return { kind: "served", pieces: [{ head, text: shown }], note: notes.join(" ") };
}
