/** The values that a chain's records offer to the exam, found once per chain and shared by its sheets. */
import type { ChainRecord } from "../chain/record.ts";
import { matches, type PatternName } from "./patterns.ts";
import type { TargetSource } from "./question.ts";
import { scanResult } from "./scan.ts";
import { stands } from "./stands.ts";

/** One match of a pattern in a record. */
export interface Candidate {
  readonly value: string;
  readonly pattern: PatternName;
  /** Index of the record among the chain's. */
  readonly record: number;
}

/** The candidates of each source, in the order of the records and, within one, of its patterns. */
export type Extraction = Readonly<Record<TargetSource, readonly Candidate[]>>;

/** The patterns of a text record, in order, each with how many of its matches in one record count. */
const textCaps: Readonly<Record<"assistant" | "user", readonly (readonly [PatternName, number])[]>> = {
  assistant: [
    ["path", 6],
    ["hex", 4],
    ["pr", 3],
    ["size", 3],
    ["count", 3],
    ["tick", 6],
    ["prefixed", 6],
    ["cap", 3],
    ["project", 2],
  ],
  user: [
    ["size", 2],
    ["num", 3],
    ["path", 2],
    ["cap", 3],
  ],
};
const resultCaps = { hex: 6, prefixed: 6, size: 2 };

/**
 * All candidates of a chain. A match that does not stand in its record, like the `PR #7` of a link that ends in
 * `/pull/7`, is none; one with a line break inside is none either, because a sheet has one line a value. Linear.
 */
export function extract(records: readonly ChainRecord[]): Extraction {
  const found = { assistant: [] as Candidate[], user: [] as Candidate[], tool: [] as Candidate[] };
  records.forEach((record, index) => {
    if (record.kind === "tool_call" || record.text === "") return;
    const add = (pattern: PatternName, values: readonly string[]): void => {
      for (const match of values) {
        const value = match.trim();
        if (value === "" || /[\n-\r\x1c-\x1e\x85\u2028\u2029]/.test(value)) continue;
        if (record.kind === "text" && !stands(record.text, value)) continue;
        found[record.role].push({ value, pattern, record: index });
      }
    };
    if (record.kind === "text")
      for (const [pattern, cap] of textCaps[record.role]) add(pattern, matches(pattern, record.text, cap));
    else {
      const { hex, prefixed, size } = scanResult(record.text, resultCaps);
      add("hex", hex);
      add("prefixed", prefixed);
      add("size", size);
    }
  });
  return found;
}

/** The distinct values of one source in the first `end` records, of at least three characters, each as it was found first. */
export function pool(extraction: Extraction, source: TargetSource, end: number): Candidate[] {
  const distinct = new Map<string, Candidate>();
  for (const candidate of extraction[source]) {
    if (candidate.record >= end) break;
    if (/^.{3}/su.test(candidate.value) && !distinct.has(candidate.value)) distinct.set(candidate.value, candidate);
  }
  return [...distinct.values()];
}
