/** Masks what looks like a secret, and counts it. A capture is a file that people pass on. */
import type { IncomingHttpHeaders } from "node:http";
import type { JsonValue } from "../../json.ts";

export const maskedText = "[masked]";

/** Kinds of secrets by their form. `$1` of a match stays. */
const forms: readonly (readonly [kind: string, form: RegExp])[] = [
  ["private key", /()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g],
  ["API key", /()\b(?:sk|pk|rk)[-_][\w-]{16,}/g],
  ["access token", /()\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|hf_\w{20,}|npm_\w{30,})/g],
  ["access token", /()\b(?:xox[a-z]-[\w-]{10,}|ya29\.[\w-]{20,})/g],
  ["cloud key", /()\b(?:(?:AKIA|ASIA)[A-Z0-9]{16}\b|AIza[\w-]{30,})/g],
  ["signed token", /()\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g],
  ["authorization", /\b((?:bearer|basic)\s+)(?=\S*\d)[\w.~+/=-]{16,}/gi],
  ["password in a URL", /(\/\/[^/\s:@]*:)[^/\s@]+(?=@)/g],
  [
    "named secret",
    /((?:api[_-]?key|access[_-]?key|token|secret|passw(?:or)?d)["']?\s*[=:]\s*["']?)(?=[^\s"']*\d)(?=[^\s"']*[a-z])(?!\[masked\])[^\s"',;]{8,}/gi,
  ],
];

/** Shorter values are too likely to be words. */
const leastChars = 8;

export interface Mask {
  text(text: string): string;
  /** Texts and keys at any depth. */
  json<Value extends JsonValue>(value: Value): Value;
  /** How many were masked, by kind. */
  counts(): { readonly [kind: string]: number };
}

/** A mask for secrets of a known form, and for the given ones wherever they stand. Its counts start at 0. */
export function createMask(known: readonly string[]): Mask {
  const counts: { [kind: string]: number } = {};
  const values = [...new Set(known)].filter(({ length }) => length >= leastChars).sort((a, b) => b.length - a.length);
  const counted = (kind: string, times = 1): void => {
    counts[kind] = (counts[kind] ?? 0) + times;
  };
  const text = (dirty: string): string => {
    let clean = dirty;
    for (const value of values) {
      const parts = clean.split(value);
      if (parts.length > 1) counted("known secret", parts.length - 1);
      clean = parts.join(maskedText);
    }
    for (const [kind, form] of forms)
      clean = clean.replaceAll(form, (_match, kept: string) => {
        counted(kind);
        return `${kept}${maskedText}`;
      });
    return clean;
  };
  const json = (value: JsonValue): JsonValue => {
    if (typeof value === "string") return text(value);
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map((item: JsonValue) => json(item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), json(item)]));
  };
  return { text, json: <Value extends JsonValue>(value: Value) => json(value) as Value, counts: () => ({ ...counts }) };
}

/** Values of headers that hold secrets, schemes apart. */
export const secretsIn = (headers: IncomingHttpHeaders): string[] =>
  Object.entries(headers)
    .filter(([name]) => /auth|key|token|cookie|secret|session/i.test(name))
    .flatMap(([, value]) => (value === undefined ? [] : [value].flat()))
    .flatMap((value) => [value, ...value.split(/[\s;,]+/).map((part) => part.replace(/^[\w.-]+=/, ""))]);

/** Values of environment variables that are named like secrets. */
export const secretsOf = (environment: NodeJS.ProcessEnv): string[] =>
  Object.entries(environment).flatMap(([name, value]) =>
    /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL/i.test(name) && value !== undefined ? [value] : [],
  );
