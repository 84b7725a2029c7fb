/** The requests of a run as outlines: rebuilt from journal, projections and recorded replies, because a run stores only their digests. */
import { entries } from "../../arms/index.ts";
import { sourceDigest } from "../../arms/source-digest.ts";
import type { Arm, ArmContext, CompactionInput } from "../../harness/arm.ts";
import { messageTokens, textTokens } from "../../harness/chain/tokens.ts";
import { ContextOverflowError } from "../../harness/errors.ts";
import type { LedgerRow, Reserve } from "../../harness/models/ledger.ts";
import type { ModelReply, ModelRequest } from "../../harness/models/model.ts";
import { answerRequest, fixedTokensOf } from "../../harness/run/ask.ts";
import type { Cell } from "../../harness/run/cell.ts";
import type { Manifest } from "../../harness/run/manifest.ts";
import type { RunPlan } from "../../harness/run/plan.ts";
import type { RequestOutline } from "./data.ts";

export interface CellRequests {
  /** By boundary. */
  readonly byEnd: ReadonlyMap<number, readonly RequestOutline[]>;
  /** Why the compactions' requests are not there; "" where they are. */
  readonly missing: string;
}

type CompactRequest = Omit<ModelRequest, "purpose" | "cacheKey">;

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
  const known = sameArm(manifest, cell.arm.id);
  if (typeof known === "string") return { byEnd, missing: known };
  try {
    for (const [end, compactions] of await compactRequests(plan, known, cell, ledger))
      byEnd.set(end, [...compactions, ...(byEnd.get(end) ?? [])]);
    return { byEnd, missing: "" };
  } catch (error) {
    return { byEnd, missing: `rebuilding them failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The arm as it was run, with the options it was run with, or why it cannot be had. */
function sameArm(manifest: Manifest, id: string): Arm | string {
  const entry = entries.find(({ arm }) => arm.id === id);
  if (entry === undefined) return "the arm came from a file";
  const ran = manifest.identity.arms.find((arm) => arm.id === id);
  if (ran === undefined || ran.source !== sourceDigest(entry.file)) return "the arm's source has changed since the run";
  return { ...entry.arm, options: ran.options as unknown as Arm["options"] };
}

async function compactRequests(
  plan: RunPlan,
  arm: Arm,
  { chain, steps }: Cell,
  ledger: readonly LedgerRow[],
): Promise<Map<number, RequestOutline[]>> {
  const requests = new Map<number, RequestOutline[]>();
  let previous: CompactionInput["previous"];
  let compactedMessages = 0;
  for (const { boundary, compaction } of steps) {
    const journal = chain.journal.slice(0, boundary.messages);
    const outlines: RequestOutline[] = [];
    const replies = recorded(ledger, { chain: chain.chain.name, end: boundary.end, arm: arm.id });
    const context: ArmContext = {
      options: arm.options,
      windowTokens: plan.options.windowTokens,
      outputReserveTokens: plan.options.outputReserveTokens,
      shape: plan.shape,
      fixedTokens: fixedTokensOf(plan.shape),
      estimate: { text: textTokens, message: messageTokens },
      boundary: { chain: chain.chain.name, end: boundary.end },
      signal: new AbortController().signal,
      complete: async (request) => {
        outlines.push(outline(request));
        const next = replies.shift();
        if (next === undefined) throw new Error("the ledger has no reply to it");
        if (typeof next !== "string") return next;
        throw new ContextOverflowError(next, {
          provider: plan.provider.id,
          status: 400,
          charge: "none",
          decision: "request",
        });
      },
    };
    const trigger = plan.options.trigger;
    await arm.compact({ journal, fresh: journal.slice(compactedMessages), previous, trigger }, context);
    requests.set(boundary.end, outlines);
    if (compaction.kind === "compacted") {
      previous = compaction;
      compactedMessages = boundary.messages;
    }
  }
  return requests;
}

/** What came of the compaction calls of one step, in order: a reply, or why the request did not fit. */
function recorded(
  rows: readonly LedgerRow[],
  place: { chain: string; end: number; arm: string },
): (ModelReply | string)[] {
  const open = new Map<string, Reserve>();
  const byKey = new Map<string, ModelReply | string>();
  for (const row of rows) {
    if (row.row === "reserve") {
      const { chain, end, arm, purpose } = row;
      if (purpose === "compact" && chain === place.chain && end === place.end && arm === place.arm)
        open.set(row.reservation, row);
      continue;
    }
    const key = open.get(row.reservation)?.key;
    if (key === undefined) continue;
    if (row.row === "settle" && "reply" in row) byKey.set(key, row.reply);
    if (row.row === "release" && row.overflow) byKey.set(key, row.reason);
  }
  return [...byKey.values()];
}

/** Messages shown at each end of an outline; those between are summed. */
const shownAtEnd = 3;

/** A request without its text: what it is made of and how large each piece is. */
export function outline(request: CompactRequest & { readonly purpose?: ModelRequest["purpose"] }): RequestOutline {
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
    purpose: request.purpose ?? "compact",
    tokens,
    systemTokens,
    tools: { count: tools.length, tokens: toolTokens },
    toolChoice,
    maxOutputTokens,
    messages: shown,
  };
}
