/** Which cells of a plan are run now. The others stay as they are on disk; what is sent does not change, so neither does the run. */
import { unknownName } from "../did-you-mean.ts";
import { UsageError } from "../errors.ts";
import type { RunPlan } from "./plan.ts";

export interface CellName {
  readonly chain: string;
  readonly arm: string;
}

export interface CellChoice {
  /** Only this one. */
  readonly only?: CellName | undefined;
  /** Only the first so many that are not finished. */
  readonly maxCells?: number | undefined;
  /** Forgets failures, so that failed cells are run again. */
  readonly retryFailed?: boolean | undefined;
}

/** Reads `chain/arm`. Throws UsageError for another form and for names that the plan does not have. */
export function parseCellChoice(text: string, plan: RunPlan): CellName {
  const [chain, arm, ...rest] = text.split("/");
  if (chain === undefined || arm === undefined || rest.length > 0)
    throw new UsageError(`--only is "${text}", but it has to be chain/arm, such as export/codex.`);
  const chains = plan.chains.map((planned) => planned.chain.name);
  const arms = plan.arms.map((planned) => planned.arm.id);
  if (!chains.includes(chain)) throw unknownName("chain", chain, chains);
  if (!arms.includes(arm)) throw unknownName("arm", arm, arms);
  return { chain, arm };
}
