/** The requests of a run as outlines: rebuilt from journal, projections and recorded replies, because a run stores only their digests. */
import type { Arm, CompactionInput } from "../../harness/arm.ts";
import { messageTokens, textTokens } from "../../harness/chain/tokens.ts";
import type { LedgerRow } from "../../harness/models/ledger.ts";
import type { ModelRequest } from "../../harness/models/model.ts";
import { answerRequest } from "../../harness/run/ask.ts";
import type { Cell } from "../../harness/run/cell.ts";
import type { Manifest } from "../../harness/run/manifest.ts";
import type { RunPlan } from "../../harness/run/plan.ts";
import { compactStep } from "../../harness/run/step.ts";
import { armOfRun, recordedReplies } from "../recorded.ts";
import type { RequestOutline } from "./data.ts";

export interface CellRequests {
  /** By boundary. */
  readonly byEnd: ReadonlyMap<number, readonly RequestOutline[]>;
  /** Why the compactions' requests are not there; "" where they are. */
  readonly missing: string;
}

/** The requests of a cell. The arm runs again on the recorded replies; nothing is asked. */
export async function cellRequests(
  plan: RunPlan,
  manifest: Manifest,
  cell: Cell,
  ledger: readonly LedgerRow[],
): Promise<CellRequests> {
  const byEnd = new Map<number, RequestOutline[]>();
  for (const { boundary, compaction, answer } of cell.steps) {
    const sheet = boundary.stage === undefined ? undefined : cell.chain.sheets[boundary.stage];
    const outlines =
      sheet && answer ? [outline(answerRequest(plan.options.probe, plan.shape, compaction.projection, sheet, ""))] : [];
    byEnd.set(boundary.end, outlines);
  }
  const known = armOfRun(manifest, cell.arm.id);
  if (typeof known === "string") return { byEnd, missing: known };
  try {
    for (const [end, compactions] of await compactRequests(plan, known, cell, ledger))
      byEnd.set(end, [...compactions, ...(byEnd.get(end) ?? [])]);
    return { byEnd, missing: "" };
  } catch (error) {
    return { byEnd, missing: `rebuilding them failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function compactRequests(
  plan: RunPlan,
  arm: Arm,
  { chain, steps }: Cell,
  ledger: readonly LedgerRow[],
): Promise<Map<number, RequestOutline[]>> {
  const requests = new Map<number, RequestOutline[]>();
  const replies = recordedReplies(ledger);
  let previous: CompactionInput["previous"];
  let compactedMessages = 0;
  for (const { boundary, compaction } of steps) {
    const journal = chain.journal.slice(0, boundary.messages);
    const outlines: RequestOutline[] = [];
    const name = { chain: chain.chain.name, end: boundary.end, arm: arm.id };
    const complete = replies.forStep(name);
    const fresh = journal.slice(compactedMessages);
    await compactStep(
      { journal, fresh, previous, trigger: plan.options.trigger },
      {
        plan,
        arm,
        name,
        signal: new AbortController().signal,
        complete: (request) => {
          outlines.push(outline(request));
          return complete(request);
        },
      },
    );
    requests.set(boundary.end, outlines);
    if (compaction.kind === "compacted") {
      previous = compaction;
      compactedMessages = boundary.messages;
    }
  }
  return requests;
}

/** Messages shown at each end of an outline; those between are summed. */
const shownAtEnd = 3;

/** A request without its text: what it is made of and how large each piece is. */
function outline(request: ModelRequest): RequestOutline {
  const { system, tools, toolChoice, maxOutputTokens, messages } = request;
  const sized = messages.map((message) => ({ role: message.role, id: message.id, tokens: messageTokens(message) }));
  const toolTokens = tools.length === 0 ? 0 : textTokens(JSON.stringify(tools));
  const systemTokens = textTokens(system);
  const tokens = sized.reduce((sum, message) => sum + message.tokens, systemTokens + toolTokens);
  const between = sized.slice(shownAtEnd, -shownAtEnd);
  const shown =
    between.length < 2
      ? sized
      : [
          ...sized.slice(0, shownAtEnd),
          { leftOut: between.length, tokens: between.reduce((sum, message) => sum + message.tokens, 0) },
          ...sized.slice(-shownAtEnd),
        ];
  return {
    purpose: request.purpose,
    tokens,
    systemTokens,
    tools: { count: tools.length, tokens: toolTokens },
    toolChoice,
    maxOutputTokens,
    messages: shown,
  };
}
