/** Search patterns and path patterns of the file tools, in a form whose matching is linear: a model writes them. */

/** Finds a pattern in a line: index of the first match, or -1. */
export type LineFinder = (line: string) => number;

/**
 * A search pattern: `|` separates alternatives, `.*` stands for anything, a backslash takes the next character literally,
 * and so is every other character taken.
 */
export function lineFinder(pattern: string): LineFinder {
  const alternatives = alternativesOf(pattern);
  return (line) => {
    const starts = alternatives.map((parts) => startOf(line, parts)).filter((at) => at >= 0);
    return starts.length === 0 ? -1 : Math.min(...starts);
  };
}

/** Alternatives as the literal parts that follow each other in a line. */
function alternativesOf(pattern: string): string[][] {
  const alternatives: string[][] = [[""]];
  for (let index = 0; index < pattern.length; index++) {
    const parts = alternatives.at(-1) as string[];
    const char = pattern.charAt(index);
    const next = pattern.charAt(index + 1);
    if (char === "|") alternatives.push([""]);
    else if (char === "." && next === "*") {
      parts.push("");
      index++;
    } else if (char === "\\" && next !== "") {
      parts.push(`${parts.pop() ?? ""}${next}`);
      index++;
    } else parts.push(`${parts.pop() ?? ""}${char}`);
  }
  return alternatives.filter((parts) => parts.some((part) => part !== ""));
}

/** Where the parts occur one after the other in a line: the first one's index, or -1. */
function startOf(line: string, parts: readonly string[]): number {
  let from = 0;
  let start = -1;
  for (const part of parts) {
    const at = line.indexOf(part, from);
    if (at < 0) return -1;
    if (start < 0 && part !== "") start = at;
    from = at + part.length;
  }
  return start;
}

/** Escapes a text for `lineFinder`. */
export const literalPattern = (text: string): string => text.replaceAll(/[\\|*]/g, String.raw`\$&`);

/** Whether a path matches a pattern: `*` within a folder, `**` across folders, `?` one character, `{a,b}` one of several. A pattern without a slash is matched against the last part of the path. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const expressions = expanded(pattern).map((one) => new RegExp(`^${pathExpression(one)}$`, "u"));
  const bare = !pattern.includes("/");
  return (path) => {
    const wanted = bare ? path.slice(path.lastIndexOf("/") + 1) : path;
    return expressions.some((expression) => expression.test(wanted));
  };
}

/** Most forms that braces of one pattern may stand for. */
const mostForms = 50;

/** The pattern without braces, once for each thing that they may be. */
function expanded(pattern: string): string[] {
  const forms = [pattern];
  for (let index = 0; index < forms.length && forms.length < mostForms;) {
    const form = forms[index] as string;
    const braces = /\{([^{}]*)\}/.exec(form);
    if (braces === null) index++;
    else {
      const [whole, inside = ""] = braces;
      forms.splice(index, 1, ...inside.split(",").map((choice) => form.replace(whole, () => choice)));
    }
  }
  return forms;
}

/** Runs of stars are one star, so that no expression can try a text in more ways than its stars allow. */
const pathExpression = (pattern: string): string =>
  pattern.replaceAll(/\*{3,}/g, "**").replaceAll(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    return part === "?" ? "[^/]" : part.replaceAll(/[.+^${}()|[\]\\/]/g, String.raw`\$&`);
  });
