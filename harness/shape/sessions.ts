/** What a session of each arm sends: the requests around every boundary of a plan, with replies from anywhere. */
import type { Arm, ProjectedMessage } from "../arm.ts";
import { paired } from "../chain/message.ts";
import type { Meter } from "../models/meter.ts";
import type { ModelReply, ModelRequest } from "../models/model.ts";
import { offlineProvider } from "../models/offline/offline.ts";
import type { CellEnd } from "../run/cell.ts";
import { runCell } from "../run/cell.ts";
import { nowhere } from "../run/estimate.ts";
import type { PlannedChain, RunPlan } from "../run/plan.ts";

interface Call {
  readonly request: ModelRequest;
  readonly reply: ModelReply;
}

/** One boundary of one arm. */
export interface SessionStep {
  readonly chain: string;
  readonly end: number;
  readonly arm: Arm;
  /** The last request that the session sent before the boundary; undefined where it has sent none since the last compaction. */
  readonly session: ModelRequest | undefined;
  /** What the session would send if it went on: its last request, the reply to it and what came since. */
  readonly onward: ModelRequest | undefined;
  /** The calls that a model answered, in order. */
  readonly calls: readonly Call[];
  readonly projection: readonly ProjectedMessage[];
}

/** A cell that ended before its last boundary. */
export interface Stopped {
  readonly chain: string;
  readonly arm: string;
  readonly end: number;
  readonly reason: string;
}

/** Replies of the offline model, in memory. */
export function offlineReplies({ options }: Pick<RunPlan, "options">): Meter {
  const provider = offlineProvider({ windowTokens: options.windowTokens });
  return { forStep: () => async (request) => provider.send(provider.encode(request)) };
}

/** Goes through every step of a plan, cell by cell, and resolves with the cells that failed. Sends and writes nothing itself. */
export async function eachStep(
  plan: RunPlan,
  replies: Meter,
  visit: (step: SessionStep) => Promise<void>,
): Promise<Stopped[]> {
  const stopped: Stopped[] = [];
  for (const chain of plan.chains)
    for (const { arm } of plan.arms) {
      const end = await eachStepOf(plan, chain, arm, replies, visit);
      if (end.kind === "failed")
        stopped.push({ chain: chain.chain.name, arm: arm.id, end: end.end, reason: end.reason });
    }
  return stopped;
}

async function eachStepOf(
  plan: RunPlan,
  chain: PlannedChain,
  arm: Arm,
  replies: Meter,
  visit: (step: SessionStep) => Promise<void>,
): Promise<CellEnd> {
  const name = chain.chain.name;
  let calls: Call[] = [];
  let carried: Carried = { projection: [], messages: 0 };
  const meter: Meter = {
    forStep: (cell) => {
      const complete = replies.forStep(cell);
      return async (request) => {
        const reply = await complete(request);
        calls.push({ request, reply });
        return reply;
      };
    },
  };
  const cell = await runCell(plan, chain, arm, nowhere, {
    kind: "run",
    meter,
    signal: new AbortController().signal,
    onStep: async ({ boundary, compaction }) => {
      const { projection } = compaction;
      const requests = sessionRequests(plan, chain, `${name}/${arm.id}`, carried, boundary.messages);
      await visit({ chain: name, end: boundary.end, arm, ...requests, calls, projection });
      calls = [];
      if (compaction.kind === "compacted") carried = { projection, messages: boundary.messages };
    },
  });
  return cell.end;
}

/** The history that a session carries since its last compaction, and how many messages of the journal that covers. */
interface Carried {
  readonly projection: readonly ProjectedMessage[];
  readonly messages: number;
}

/**
 * The session's last request is the one that produced the journal's last assistant message: everything before it.
 * Neighbouring assistant messages are one reply. Pairs are made whole as in every request.
 */
function sessionRequests(
  { shape, options }: RunPlan,
  { journal }: PlannedChain,
  cacheKey: string,
  carried: Carried,
  messages: number,
): Pick<SessionStep, "session" | "onward"> {
  const fresh = journal.slice(carried.messages, messages);
  const last = fresh.findLastIndex(({ role }) => role === "assistant");
  if (last < 0) return { session: undefined, onward: undefined };
  const before = fresh.slice(0, last).findLastIndex(({ role }) => role !== "assistant") + 1;
  const request = (end: number): ModelRequest => ({
    purpose: "answer",
    cacheKey,
    system: shape.system,
    tools: shape.tools,
    toolChoice: "auto",
    messages: paired([...carried.projection.map(({ message }) => message), ...fresh.slice(0, end)]),
    maxOutputTokens: Math.max(1, options.outputReserveTokens),
  });
  return { session: request(before), onward: request(fresh.length) };
}
