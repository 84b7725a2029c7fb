/**
 * What counts as a value in a record, as patterns over Unicode text: a word character is a letter, number or underscore
 * in any script, a boundary is a change between word and non-word, so a digit right after a Chinese character has none.
 *
 * Source: futuregene/future-os, questionnaire of the probe harness (patterns, their order and their caps per record).
 */
const wordChars = String.raw`\p{L}\p{N}_`;
const start = `(?<![${wordChars}])`;
const end = `(?![${wordChars}])`;
const digit = String.raw`\p{Nd}`;
/** White space as the original's language counts it: four control characters more than JavaScript's, no byte order mark. */
const spaceChars = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
const space = `[${spaceChars}]`;
const segment = `[${wordChars}.-]+`;
const extension = "(?:rs|ts|tsx|js|py|md|json|html|css|kt|swift|yaml|toml|txt)";
const sizeSource = `${start}(${digit}+(?:\\.${digit}+)?${space}?(?:MiB|MB|GiB|GB|KB))${end}`;

/** The patterns whose value is what their only group, or the one of two that took part, matches. */
const expressions = {
  path: `[\`(${spaceChars}]((?:${segment}/)*${segment}\\.${extension})${end}`,
  hex: `${start}([0-9a-f]{7,12})${end}`,
  pr: `${start}PR${space}*#(${digit}{1,5})${end}|/pull/(${digit}{1,5})${end}`,
  size: sizeSource,
  tick: `\`([A-Za-z_][${wordChars}./-]{4,60})\``,
  prefixed: `${start}((?:ver|trace|ACK|DEC|RSN)_[0-9a-zA-Z_]{4,40})${end}`,
  cap: `${start}(${digit}{2,5}${space}?Mi?B)${end}`,
  project: `${start}PROJECT=([A-Z]{3,12})${end}`,
  num: `${start}(${digit}{2,5})${end}`,
};

export type PatternName = keyof typeof expressions | "count";

const compiled = new Map(
  Object.entries(expressions).map(([name, source]) => [name as PatternName, new RegExp(source, "gu")]),
);

/** The values of one pattern in a text: its first `cap` matches from left to right, not overlapping. Linear. */
export function matches(pattern: PatternName, text: string, cap: number): string[] {
  if (pattern === "count") return countMatches(text, cap);
  const expression = compiled.get(pattern) as RegExp;
  expression.lastIndex = 0;
  const values: string[] = [];
  while (values.length < cap) {
    const match = expression.exec(text);
    if (match === null) break;
    const value = match[1] ?? match[2] ?? "";
    values.push(pattern === "pr" ? `PR #${value}` : value);
  }
  return values;
}

const countRun = new RegExp(`${start}${digit}[${digit},]*`, "gu");
const countTail = new RegExp(`(\\.${digit}+)?${space}*(?:项|个|条|套件|次)`, "uy");

/**
 * Counts: a digit, then digits and commas, an optional fraction, and a Chinese measure word; the number is the value.
 * Run by run, because where the first start in a run of digits and commas fails, the others fail too: one expression
 * would try them all, quadratic in a long list of numbers.
 */
function countMatches(text: string, cap: number): string[] {
  const values: string[] = [];
  if (!/[项个条套次]/.test(text)) return values;
  countRun.lastIndex = 0;
  while (values.length < cap) {
    const run = countRun.exec(text);
    if (run === null) break;
    countTail.lastIndex = countRun.lastIndex;
    const tail = countTail.exec(text);
    if (tail === null) continue;
    values.push(run[0] + (tail[1] ?? ""));
    countRun.lastIndex = countTail.lastIndex;
  }
  return values;
}

const wordPoint = new RegExp(`[${wordChars}]`, "u");

/** Whether a code point is a word character. */
export const isWordPoint = (point: number): boolean => wordPoint.test(String.fromCodePoint(point));

const digitPoint = new RegExp(digit, "u");

/** Whether a code point is a decimal digit of any script. */
export const isDigitPoint = (point: number): boolean => digitPoint.test(String.fromCodePoint(point));

const sizeHere = new RegExp(sizeSource, "uy");

/** The size that starts at this index, or undefined. */
export function sizeAt(text: string, index: number): string | undefined {
  sizeHere.lastIndex = index;
  return sizeHere.exec(text)?.[1];
}
