/** JSON to be read and compared by people: what fits on a line stands on one. */
import type { JsonValue } from "../../harness/json.ts";

/** JSON text with two spaces of indentation, where anything that fits into `width` characters stays on its line. */
export function compactJson(value: JsonValue, width = 120, indent = ""): string {
  const flat = JSON.stringify(value);
  if (value === null || typeof value !== "object" || flat.length + indent.length <= width) return spaced(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item: JsonValue) => compactJson(item, width, inner))
    : Object.entries(value).map(
        ([key, item]: [string, JsonValue]) => `${JSON.stringify(key)}: ${compactJson(item, width, inner)}`,
      );
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  return `${open}\n${items.map((item) => inner + item).join(",\n")}\n${indent}${close}`;
}

/** One line with spaces after colons and commas. */
function spaced(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
