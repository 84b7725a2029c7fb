/** Lines as the summariser sees them: cut to a readable length, told apart by what they carry and what they are about. */

/** What a line is about. */
export type Kind = "constraint" | "decision" | "file" | "next" | "state";
export const kinds = ["constraint", "decision", "file", "next", "state"] as const satisfies readonly Kind[];

const file = /\w\/\w|\w\.(?:rs|tsx?|jsx?|mjs|py|go|md|json|html|css|kt|swift|ya?ml|toml|txt|log|sql|sh)\b/;
const strict = new RegExp(
  [
    file.source,
    String.raw`\b(?=[a-f\d]*\d)(?=\d*[a-f])[a-f\d]{7,12}\b`, // short commit ids
    String.raw`[A-Za-z]{2}_[\dA-Za-z]{3}`, // prefixed ids
    String.raw`#\d`, // pull requests
    String.raw`\d\.\d+\.\d`, // versions
    String.raw`\d\s?[KMG]i?B\b`, // sizes
  ].join("|"),
);
const loose = new RegExp(["`[^`]", String.raw`\d[\d.,]*\d`, String.raw`\b[A-Z]{3,}=`].join("|"));

/** Whether a line bears a path, a commit id, a prefixed id, a pull request, a version or a size. */
export const bearsStrictIdentifier = (line: string): boolean => strict.test(line);

/** Whether a line bears any identifier: those, a back-ticked name, a count of two digits or more, a `NAME=value`. */
export const bearsIdentifier = (line: string): boolean => strict.test(line) || loose.test(line);

const next =
  /\b(?:next|then|remaining|remains|to-?do|pending|blocked|follow[- ]?up|still (?:to|has|have|needs?))\b|下一步|接下来|待办|还需|剩余/i;
const decision =
  /\b(?:deci(?:ded|sion)|because|chose|chosen|instead|rather than|reason|correct(?:ed|ion)|supersed\w*|replac\w*|keep(?:ing)?)\b|\b(?:DEC|RSN)_|决定|因为|改为|选择|理由/i;

/** What a line is about: a user's is a constraint; an assistant's goes by its words, then by whether it names a file. */
export function lineKind(line: string, by: "user" | "assistant"): Kind {
  if (by === "user") return "constraint";
  if (decision.test(line)) return "decision";
  if (next.test(line)) return "next";
  return file.test(line) ? "file" : "state";
}

const headings: readonly (readonly [Kind, RegExp])[] = [
  ["next", /next|remain|to-?do|plan/i],
  ["file", /file|path|director/i],
  ["constraint", /objective|goal|constraint|preference|requirement|instruction|request|user/i],
  ["decision", /decision|detail|finding|discover|context|why|reason/i],
  ["state", /state|status|progress|complet|done|active|work/i],
];

/** The kind of lines that a heading asks for, or undefined. */
export const headingKind = (heading: string): Kind | undefined =>
  headings.find(([, words]) => words.test(heading))?.[0];

const readableChars = 240;
const maxChars = 400;

/**
 * The lines of a text as pieces of at most 400 characters: a long line is split after sentences, a long sentence at white
 * space, so that no value is cut into another one; a run of characters too long for that is left out. JSON, markup and
 * fences are no lines. `cut`: the text goes on behind its end, so its last word is dropped. One pass.
 */
export function* piecesOf(text: string, end: "whole" | "cut" = "whole"): Iterable<string> {
  const known = end === "whole" ? text : text.slice(0, Math.max(0, text.search(/\s\S*$/)));
  for (let start = 0; start < known.length;) {
    const stop = known.indexOf("\n", start);
    const next = stop < 0 ? known.length : stop;
    if (next > start) yield* pieces(known.slice(start, next).trim());
    start = next + 1;
  }
}

function* pieces(whole: string): Iterable<string> {
  const line = whole.replace(/^[-*+] +/, "");
  if (line === "" || /^(?:[{}<[\]]|```)/.test(line)) return;
  if (line.length <= readableChars) yield line;
  else for (const sentence of line.split(/(?<=[.!?;])\s+|(?<=[。！？；])/)) yield* windows(sentence);
}

/** A sentence in windows that begin and end at white space. */
function* windows(sentence: string): Iterable<string> {
  let start = 0;
  while (sentence.length - start > maxChars) {
    const space = sentence.lastIndexOf(" ", start + maxChars);
    const blocked = space <= start;
    const stop = blocked ? sentence.indexOf(" ", start + maxChars) : space;
    if (!blocked) yield sentence.slice(start, stop);
    if (stop < 0) return;
    start = stop + 1;
  }
  if (start < sentence.length) yield sentence.slice(start);
}
