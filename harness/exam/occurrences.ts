/** Where values occur and stand, many values at a time: each text is read once, and the one rule of matching decides. */
import { readableBlock } from "../chain/message.ts";
import { argsOf, type ChainRecord, toolOf } from "../chain/record.ts";
import { valueFinder } from "./finder.ts";
import { type Place, targetSources } from "./question.ts";
import { stands } from "./stands.ts";

/** For each value whether it stands in one of the texts. Stops where all do. An empty value never stands. */
export function standing(values: readonly string[], texts: Iterable<string>): boolean[] {
  const distinct = [...new Set(values)].filter((value) => value !== "");
  const find = valueFinder(distinct);
  const found = new Set<string>();
  if (distinct.length > 0)
    for (const text of texts) {
      for (const index of find(text)) {
        const value = distinct[index] as string;
        if (!found.has(value) && stands(text, value)) found.add(value);
      }
      if (found.size === distinct.length) break;
    }
  return values.map((value) => found.has(value));
}

/** What a model can read of a record: one block. */
const readableRecord = (record: ChainRecord): string =>
  record.kind === "tool_call"
    ? readableBlock({ kind: "call", call: record.call, tool: toolOf(record), args: argsOf(record) })
    : record.text;

/** What a chain has of a value. */
export interface Occurrence {
  /** It occurs somewhere, if only inside a word. */
  readonly occurs: boolean;
  /** Indexes of the records in which it stands, increasing. */
  readonly standsIn: readonly number[];
}

/** What a chain has of each value. Values must not be empty. One pass over the chain. */
export function occurrences(records: readonly ChainRecord[], values: Iterable<string>): Map<string, Occurrence> {
  const distinct = [...new Set(values)];
  if (distinct.length === 0) return new Map();
  const find = valueFinder(distinct);
  const found = new Map(distinct.map((value) => [value, { occurs: false, standsIn: [] as number[] }]));
  records.forEach((record, index) => {
    const text = readableRecord(record);
    for (const hit of find(text)) {
      const value = distinct[hit] as string;
      const occurrence = found.get(value);
      if (occurrence === undefined) continue;
      occurrence.occurs = true;
      if (stands(text, value)) occurrence.standsIn.push(index);
    }
  });
  return found;
}

/** Where a value stands last in the first `end` records, or undefined where it stands nowhere in them. */
export function lastPlace(
  occurrence: Occurrence | undefined,
  records: readonly ChainRecord[],
  end: number,
): Place | undefined {
  const covered = occurrence?.standsIn.filter((index) => index < end) ?? [];
  const last = covered.at(-1);
  const record = last === undefined ? undefined : records[last];
  if (last === undefined || record === undefined) return undefined;
  const sources = new Set(covered.map((index) => records[index]?.role));
  return {
    record: record.id,
    source: record.role,
    kind: record.kind,
    age: (end - 1 - last) / end,
    alsoIn: targetSources.filter((source) => source !== record.role && sources.has(source)),
  };
}
