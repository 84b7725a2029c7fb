/** JSON as a type, and the one way things are hashed. */
import { hash } from "node:crypto";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** SHA-256 of a text's UTF-8 bytes, as lower-case hex. */
export function sha256(text: string | Uint8Array): string {
  return hash("sha256", text);
}

/** JSON with keys in code-unit order and no spaces: equal values give equal texts, whatever order they were built in. */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    item !== null && typeof item === "object" && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** SHA-256 of a value's canonical JSON. */
export const digest = (value: JsonValue): string => sha256(canonicalJson(value));

/** The first place where two values differ, as "field is A there, B here"; undefined for equal ones. */
export function firstDifference(there: JsonValue, here: JsonValue, field = ""): string | undefined {
  if (there === here) return undefined;
  if (there === null || here === null || typeof there !== "object" || typeof here !== "object")
    return `${field === "" ? "it" : field} is ${shown(there)} there, ${shown(here)} here`;
  const left = new Map(Object.entries(there));
  const right = new Map(Object.entries(here));
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const inner = field === "" ? key : `${field}.${key}`;
    const difference = firstDifference(left.get(key) ?? null, right.get(key) ?? null, inner);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const shown = (value: JsonValue): string => (value === null ? "nothing" : JSON.stringify(value).slice(0, 60));
