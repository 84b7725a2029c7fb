/** Where compactions happen: safe endpoints, scored cuts, and the schedule between them (futuregene/future-os, the experiment's cadence). */
import { UsageError } from "../errors.ts";
import { type Chain, type ChainRecord, orderKey } from "./record.ts";
import { plainTokens } from "./render.ts";

/** A record index at which a compaction happens. */
export interface Boundary {
  /** Records before it. */
  readonly end: number;
  /** Index of its sheet among the chain's sheets, or undefined where nothing is asked. */
  readonly stage: number | undefined;
}

/**
 * Whether the chain may be split after each record: no call is open and no stored message is cut in two. A call with no
 * result left to come does not count as open, or no endpoint after it would be safe; calls under one id each wait for a
 * result of their own. Index i answers for end i + 1.
 */
export function safeAfter(records: readonly ChainRecord[]): boolean[] {
  const resultsLeft = new Map<string, number>();
  for (const record of records)
    if (record.kind === "tool_result") resultsLeft.set(record.call, (resultsLeft.get(record.call) ?? 0) + 1);
  const openById = new Map<string, number>();
  let open = 0;
  return records.map((record, index) => {
    if (record.kind !== "text") {
      const { call } = record;
      const waiting = openById.get(call) ?? 0;
      const left = resultsLeft.get(call) ?? 0;
      const change = record.kind === "tool_call" ? (left > waiting ? 1 : 0) : waiting > 0 ? -1 : 0;
      if (record.kind === "tool_result") resultsLeft.set(call, left - 1);
      openById.set(call, waiting + change);
      open += change;
    }
    const next = records[index + 1];
    return open === 0 && (next === undefined || orderKey(next, index + 1) !== orderKey(record, index));
  });
}

/** The scored cuts of a chain as safe endpoints. Throws UsageError for cuts that are unsafe, coincide or do not fit the chain. */
export function scoredCuts(chain: Chain, safe: readonly boolean[]): number[] {
  const { kind, ends } = chain.cuts;
  const cuts = ends.map((end) => {
    if (!Number.isInteger(end) || end < 1 || end > chain.records.length)
      throw new UsageError(`Chain "${chain.name}": cut ${end} is outside its ${chain.records.length} records.`);
    let endpoint = end;
    while (endpoint > 0 && !safe[endpoint - 1]) endpoint--;
    if (kind === "exact" && endpoint !== end)
      throw new UsageError(
        `Chain "${chain.name}": cut ${end} splits a message or leaves a call open; ${endpoint > 0 ? `the nearest safe cut before it is ${endpoint}` : "no safe cut lies before it"}.`,
      );
    return endpoint;
  });
  if (cuts.length === 0)
    throw new UsageError(`Chain "${chain.name}" has no cuts, so nothing would be asked. Give some with --cuts.`);
  cuts.forEach((cut, index) => {
    if (cut <= (cuts[index - 1] ?? 0))
      throw new UsageError(
        `Chain "${chain.name}": cuts must increase, but they are ${cuts.join(", ")} at safe endpoints.`,
      );
  });
  return cuts;
}

/**
 * What may come before a compaction is due: four fifths of the window, or what window, output reservation and margin
 * leave, whichever is less (613,952 at the default call shape).
 *
 * Source: futuregene/future-os, the effective trigger of its compaction manager, which the experiment's schedule used.
 */
export function scheduleChunkTokens(shape: {
  readonly windowTokens: number;
  readonly outputReserveTokens: number;
}): number {
  const { windowTokens, outputReserveTokens } = shape;
  const marginTokens = Math.min(2048, Math.floor(windowTokens / 16));
  const inputLimitTokens = Math.max(0, windowTokens - outputReserveTokens - marginTokens);
  return Math.min(Math.max(1, Math.floor((4 * windowTokens) / 5)), inputLimitTokens);
}

/**
 * All boundaries of a chain: its scored cuts, and a forced one wherever what came since the last reaches `chunkTokens`
 * (a record costs its plain rendering plus 12). One pass. Records after the last cut belong to no boundary.
 */
export function schedule(chain: Chain, chunkTokens: number): Boundary[] {
  const safe = safeAfter(chain.records);
  const cuts = scoredCuts(chain, safe);
  const boundaries: Boundary[] = [];
  const last = cuts.at(-1) ?? 0;
  let used = 0;
  for (let index = 0; index < last; index++) {
    used += plainTokens(chain.records[index] as ChainRecord) + 12;
    const stage = cuts.indexOf(index + 1);
    if (stage < 0 && !(used >= chunkTokens && safe[index])) continue;
    boundaries.push({ end: index + 1, stage: stage < 0 ? undefined : stage });
    used = 0;
  }
  return boundaries;
}
