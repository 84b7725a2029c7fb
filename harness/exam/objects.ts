/** Finds JSON objects in prose. Linear, without recursion, and never throws, whatever a model sends. */

/** What a decoder makes of the text from one `{` on, trailing text allowed. */
export type ScannedObject =
  | {
      readonly kind: "object";
      /** Index after the closing brace. */
      readonly end: number;
      /** How often the key `appeared` stands in it, nested objects apart. */
      readonly appearedKeys: number;
      /** Whether the last of them, the one that counts, holds an array. */
      readonly listsAppeared: boolean;
    }
  | {
      readonly kind: "broken";
      /** Index at which decoding stopped. */
      readonly end: number;
      /** `cut`: the text ends too soon. `control`: a raw control character, such as a line break, in a string. */
      readonly fault: "cut" | "control" | "syntax";
    };
type Broken = Extract<ScannedObject, { kind: "broken" }>;

/**
 * Every `{` of a text with what a decoder makes of it, in order. Read from right to left, so that an object inside another
 * is known when the outer one is read: no stretch is read more than a few times, even in text that is all braces.
 */
export function scanObjects(text: string): Map<number, ScannedObject> {
  const known = new Map<number, ScannedObject>();
  for (let start = text.lastIndexOf("{"); start >= 0; start = start === 0 ? -1 : text.lastIndexOf("{", start - 1))
    known.set(start, scanObject(text, start, known));
  return new Map([...known].reverse());
}

type Expected = "key or end" | "key" | "colon" | "value" | "value or end" | "comma or end";

function scanObject(text: string, start: number, known: ReadonlyMap<number, ScannedObject>): ScannedObject {
  let expected: Expected = "key or end";
  let arrays = 0;
  let appearedKeys = 0;
  let listsAppeared = false;
  let isAppeared = false;
  for (let at = start + 1; ;) {
    at = skipSpace(text, at);
    if (at >= text.length) return { kind: "broken", end: at, fault: "cut" };
    const char = text[at];
    switch (expected) {
      case "key or end":
      case "key": {
        if (char === "}" && expected === "key or end")
          return { kind: "object", end: at + 1, appearedKeys, listsAppeared };
        if (char !== '"') return syntax(at);
        const end = stringEnd(text, at);
        if (typeof end !== "number") return end;
        isAppeared = keyIs(text.slice(at, end), "appeared");
        if (isAppeared) appearedKeys++;
        at = end;
        expected = "colon";
        break;
      }
      case "colon":
        if (char !== ":") return syntax(at);
        at++;
        expected = "value";
        break;
      case "value or end":
      case "value": {
        if (arrays === 0 && isAppeared) listsAppeared = char === "[";
        if (char === "[") {
          arrays++;
          at++;
          expected = "value or end";
          break;
        }
        if (char === "]" && expected === "value or end") {
          arrays--;
          at++;
        } else {
          const end = valueEnd(text, at, known);
          if (typeof end !== "number") return end;
          at = end;
        }
        expected = "comma or end";
        break;
      }
      case "comma or end":
        if (char === ",") expected = arrays > 0 ? "value" : "key";
        else if (char === "]" && arrays > 0) arrays--;
        else if (char === "}" && arrays === 0) return { kind: "object", end: at + 1, appearedKeys, listsAppeared };
        else return syntax(at);
        at++;
        break;
    }
  }
}

const syntax = (end: number): Broken => ({ kind: "broken", end, fault: "syntax" });

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\n\r".includes(text[at] as string)) at++;
  return at;
}

const keyIs = (json: string, key: string): boolean =>
  json === `"${key}"` || (json.includes("\\") && JSON.parse(json) === key);

const plainChars = /[^"\\\u0000-\u001f]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Index after the string whose opening quote is at `start`. */
function stringEnd(text: string, start: number): number | Broken {
  for (let at = start + 1; ;) {
    plainChars.lastIndex = at;
    plainChars.exec(text);
    at = plainChars.lastIndex;
    if (at >= text.length) return { kind: "broken", end: at, fault: "cut" };
    if (text[at] === '"') return at + 1;
    if (text[at] !== "\\") return { kind: "broken", end: at, fault: "control" };
    escape.lastIndex = at;
    if (escape.exec(text) === null)
      return /^\\(?:u[0-9a-fA-F]{0,3})?$/.test(text.slice(at, at + 6))
        ? { kind: "broken", end: text.length, fault: "cut" }
        : syntax(at);
    at = escape.lastIndex;
  }
}

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Index after the string, scalar or object that starts here. */
function valueEnd(text: string, at: number, known: ReadonlyMap<number, ScannedObject>): number | Broken {
  if (text[at] === '"') return stringEnd(text, at);
  const nested = known.get(at);
  if (nested !== undefined) return nested.kind === "object" ? nested.end : nested;
  scalar.lastIndex = at;
  if (scalar.exec(text) !== null) {
    const end = scalar.lastIndex;
    const isCut = end + 3 > text.length && /^(?:\.|[eE][+-]?)$/.test(text.slice(end));
    return isCut ? { kind: "broken", end: text.length, fault: "cut" } : end;
  }
  const rest = text.slice(at, at + 6);
  const isCut =
    at + rest.length === text.length && ["true", "false", "null", "-0"].some((word) => word.startsWith(rest));
  return isCut ? { kind: "broken", end: text.length, fault: "cut" } : syntax(at);
}
