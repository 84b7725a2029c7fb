/** Lines of a JSONL session as objects. What is no JSON object is already an entry: skipped, with the reason. */
import { type Entry, skipped } from "./entry.ts";
import type { Findings } from "./findings.ts";
import { isObject, parseJson } from "./json-value.ts";
import { lines } from "./lines.ts";
import type { Source } from "./source.ts";

export type JsonLine =
  | { readonly kind: "object"; readonly number: number; readonly value: { readonly [key: string]: unknown } }
  | { readonly kind: "other"; readonly number: number; readonly entry: Entry };

/** Every line of the source, in order. Counts lines that are not UTF-8. */
export function* jsonLines(source: Source, findings?: Findings): Generator<JsonLine> {
  for (const { number, text, whole, utf8 } of lines(source)) {
    if (!utf8 && findings !== undefined) findings.notUtf8++;
    const parsed = parseJson(text);
    if (parsed.ok && isObject(parsed.value)) yield { kind: "object", number, value: parsed.value };
    else yield { kind: "other", number, entry: skipped(faultOf(text, parsed.ok, whole)) };
  }
}

function faultOf(text: string, isJson: boolean, whole: boolean): string {
  if (text.trim() === "") return "blank line";
  if (isJson) return "not an object";
  return whole ? "not JSON" : "torn last line";
}
