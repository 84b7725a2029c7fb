/** Short calls that ask how far something is: sessions that wait have hundreds of them, and their results are a line each. */
import { type Random, randomStream } from "../../random.ts";
import type { ChainRecord, ToolCallRecord, ToolResultRecord } from "../record.ts";

export interface Poll {
  readonly call: ToolCallRecord;
  readonly result: ToolResultRecord;
}

const states = ["pending", "draining", "starting", "healthy", "waiting for its gate", "rolled out"] as const;
const services = ["ledger", "gateway", "mailer", "search", "billing", "auth", "media"] as const;

/** `count` polls of a rollout, to be put into a chain of this name. Equal names and seeds give equal polls. */
export function rolloutPolls(chain: string, seed: number, count: number): Poll[] {
  const random = randomStream(seed, `${chain}/polls`);
  return Array.from({ length: count }, (_, index) => poll(random, chain, String(index + 1).padStart(4, "0")));
}

function poll(random: Random, chain: string, number: string): Poll {
  const service = random.pick(services);
  const call = `${chain}-p${number}`;
  const wave = random.range(1, 9);
  const text = `${service} wave ${wave}: ${random.range(0, 19)} of 18 targets ${random.pick(states)}, revision ${random.hex(10)}, p99 ${random.range(11, 900)} ms, budget ${random.range(20, 300)} s left`;
  return {
    call: {
      id: call,
      kind: "tool_call",
      role: "assistant",
      call,
      tool: "shell",
      args: { command: `python -m harborline status ${service} --short` },
    },
    result: { id: `${chain}-q${number}`, kind: "tool_result", role: "tool", call, text },
  };
}

/** The records with the polls spread evenly over the places between stored messages where no call is open. Positions are counted anew. */
export function withPolls(records: readonly ChainRecord[], polls: readonly Poll[]): ChainRecord[] {
  const places = records.flatMap((record, index) => {
    const next = records[index + 1];
    return record.kind === "tool_result" && next !== undefined && next.kind !== "tool_result" ? [index] : [];
  });
  const after = new Map<number, Poll[]>();
  polls.forEach((one, index) => {
    const place = places[Math.floor((index * places.length) / polls.length)];
    if (place === undefined) return;
    after.set(place, [...(after.get(place) ?? []), one]);
  });
  let position = 0;
  let last: number | undefined;
  const all: ChainRecord[] = [];
  records.forEach((record, index) => {
    if (record.position !== last || last === undefined) position++;
    last = record.position;
    all.push({ ...record, position });
    for (const { call, result } of after.get(index) ?? [])
      all.push({ ...call, position: ++position }, { ...result, position: ++position });
    if (after.has(index)) last = undefined;
  });
  return all;
}
