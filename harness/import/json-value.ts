/** JSON out of a session file, taken with care. */
import type { JsonObject } from "../json.ts";

export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/** JSON.parse without the throw. */
export function parseJson(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Nothing an agent stores is nested deeper; printing what is would exhaust the stack. */
const maxDepth = 100;

function isWithinDepth(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth < maxDepth && Object.values(value).every((item) => isWithinDepth(item, depth + 1));
}

/** Whether a value of bounded depth comes back from the disk as it was: no number beyond a double's range, no key `__proto__`. */
function comesBack(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return !Object.hasOwn(value, "__proto__") && Object.values(value).every(comesBack);
}

/** A value as a text: texts as they are, anything else as JSON. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return isWithinDepth(value) ? JSON.stringify(value) : "(nested too deep to print)";
}

/** Arguments of a call: an object as it is; anything else, and what cannot be stored as it is, under the key `input`. */
export function callArguments(value: unknown): JsonObject {
  if (value === undefined || value === null) return {};
  if (!isWithinDepth(value) || !comesBack(value)) return { input: asText(value) };
  return isObject(value) ? (value as JsonObject) : { input: value as JsonObject[string] };
}

/** Arguments that are stored as a text of JSON; a text that is no object, or cannot be stored as one, is the argument `input`. */
export function parsedArguments(text: string): JsonObject {
  if (text.trim() === "") return {};
  const { value } = { value: undefined, ...parseJson(text) };
  return isObject(value) && isWithinDepth(value) && comesBack(value) ? (value as JsonObject) : { input: text };
}
