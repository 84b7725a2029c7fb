/** What a run will ask, before anything is sent: the whole plan is gone through with the offline model's replies, in memory. */
import type { LedgerCell } from "../models/ledger.ts";
import type { Meter } from "../models/meter.ts";
import type { ModelReply, ModelRequest } from "../models/model.ts";
import { offlineProvider } from "../models/offline/offline.ts";
import { runCell } from "./cell.ts";
import type { RunFolder } from "./folder.ts";
import type { RunPlan } from "./plan.ts";

/** One call that the run would make. Replies, and so the histories after them, are the offline model's. */
export interface ExpectedCall extends LedgerCell {
  readonly request: ModelRequest;
  /** Estimated input tokens. */
  readonly inputTokens: number;
  /** Tokens of the offline model's reply. */
  readonly outputTokens: number;
}

/** Goes through a plan and gives `onCall` every call, cell by cell. Sends nothing; writes nothing. */
export async function expectCalls(plan: RunPlan, onCall: (call: ExpectedCall) => void): Promise<void> {
  const provider = offlineProvider({ windowTokens: plan.options.windowTokens });
  const meter: Meter = {
    forStep: (cell) => async (request) => {
      const reply: ModelReply = await provider.send(provider.encode(request));
      onCall({
        ...cell,
        request,
        inputTokens: reply.usage?.freshInputTokens ?? 0,
        outputTokens: reply.usage?.outputTokens ?? 0,
      });
      return reply;
    },
  };
  const { signal } = new AbortController();
  const onStep = (): Promise<void> => Promise.resolve();
  for (const chain of plan.chains)
    for (const { arm } of plan.arms)
      await runCell({ ...plan, provider }, chain, arm, nowhere, { kind: "run", meter, signal, onStep });
}

/** A folder that holds nothing and keeps nothing. */
export const nowhere: RunFolder = {
  path: "",
  at: (name) => name,
  read: () => undefined,
  write: () => undefined,
  derive: () => undefined,
  forget: () => undefined,
  close: () => undefined,
};
