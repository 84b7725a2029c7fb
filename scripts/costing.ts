/** What a run's costs are reckoned with: the article's prices, and cache shares that are measured or assumed. */
import type { LedgerRow } from "../harness/models/ledger.ts";
import type { Price } from "../harness/models/prices.ts";
import { articleCosting, type Costing } from "../harness/report/costing.ts";
import type { Manifest } from "../harness/run/manifest.ts";
import type { PlannedArm, RunPlan } from "../harness/run/plan.ts";
import { cacheRulesNameOf } from "../harness/shape/served-by.ts";
import { armOfRun, recordedReplies } from "./recorded.ts";

/** `measured`: from the bytes of the requests, rebuilt from the ledger's replies. `assumed`: the article's 0.98. */
export type CacheChoice = "measured" | "assumed";

/**
 * The costing of a plan whose arms can run. Measuring goes through the compactions of the arms that asked a model, with the
 * ledger's replies; nothing is sent. `price`: the model's own, where it has one; else the article's.
 */
export async function costingOf(
  plan: RunPlan,
  ledger: readonly LedgerRow[],
  cache: CacheChoice,
  price?: Price,
): Promise<Costing> {
  const article = articleCosting();
  const costing = price === undefined ? article : { ...article, price };
  if (cache === "assumed") return costing;
  const { measureShares } = await import("../harness/shape/shares.ts");
  const asked = new Set(ledger.flatMap((row) => (row.row === "reserve" && row.purpose === "compact" ? row.arm : [])));
  // A real program is not started again for it: its shares are not known.
  const arms = plan.arms.filter(({ arm }) => asked.has(arm.id) && arm.source.kind !== "native");
  const chains = plan.chains.map((chain) => ({ ...chain, sheets: [], boundaries: chain.boundaries.map(unscored) }));
  const measured = await measureShares(
    { ...plan, arms, chains },
    cacheRulesNameOf(plan.provider),
    recordedReplies(ledger),
  );
  return { ...costing, cache: measured };
}

/** The same boundary without its sheet: answers share nothing that a compaction's cost depends on. */
const unscored = ({ end, messages }: RunPlan["chains"][number]["boundaries"][number]) => ({
  end,
  messages,
  stage: undefined,
});

/** A reopened plan with those arms that can run again. One from a file, or changed since the run, is left out: its shares are not known. */
export function withRunnableArms(plan: RunPlan, manifest: Manifest): RunPlan {
  const arms = plan.arms.flatMap((planned): PlannedArm[] => {
    const arm = armOfRun(manifest, planned.arm.id);
    return typeof arm === "string" ? [] : [{ ...planned, arm }];
  });
  return { ...plan, arms };
}
