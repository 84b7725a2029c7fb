/** JSON as a type, and the one way things are hashed. */
import { createHash } from "node:crypto";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** SHA-256 of a text's UTF-8 bytes, as lower-case hex. */
export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
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
