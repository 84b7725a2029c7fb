/** Well-formed Unicode: what is sent holds no lone surrogate. */
import type { JsonObject, JsonValue } from "../../json.ts";

/** A lone surrogate; the `u` flag keeps pairs together. */
const lone = /\p{Surrogate}/gu;

/** Mends texts and JSON, and counts the lone surrogates that it replaced by U+FFFD. */
export interface Mender {
  text(text: string): string;
  /** Strings and keys at any depth; the same object where nothing in it looks ill-formed. */
  json(value: JsonObject): JsonObject;
  replaced(): number;
}

/** A mender whose count starts at 0. */
export function createMender(): Mender {
  let replaced = 0;
  const text = (dirty: string): string => {
    if (dirty.isWellFormed()) return dirty;
    replaced += dirty.match(lone)?.length ?? 0;
    return dirty.toWellFormed();
  };
  const deep = (value: JsonValue): JsonValue => {
    if (typeof value === "string") return text(value);
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map((item: JsonValue) => deep(item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), deep(item)]));
  };
  return {
    text,
    // JSON.stringify escapes exactly the lone surrogates as \ud….
    json: (value) => (/\\ud[89a-f]/.test(JSON.stringify(value)) ? (deep(value) as JsonObject) : value),
    replaced: () => replaced,
  };
}
