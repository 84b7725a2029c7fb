/** Which cells of a plan are run now. The others stay as they are on disk; what is sent does not change, so neither does the run. */
import type { Arm } from "../arm.ts";
import { unknownName } from "../did-you-mean.ts";
import { UsageError } from "../errors.ts";
import { failureFile } from "./artifacts.ts";
import { type Cell, runCell } from "./cell.ts";
import type { RunFolder } from "./folder.ts";
import type { PlannedChain, RunPlan } from "./plan.ts";

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

export type ChosenCell =
  | { readonly kind: "kept"; readonly cell: Cell }
  | { readonly kind: "run"; readonly chain: PlannedChain; readonly arm: Arm };

/** Every cell of the plan in order: to be run, or left as it is on disk because it was not chosen. */
export async function chooseCells(plan: RunPlan, folder: RunFolder, choice: CellChoice): Promise<ChosenCell[]> {
  const chosen: ChosenCell[] = [];
  let left = choice.maxCells ?? Infinity;
  for (const chain of plan.chains)
    for (const { arm } of plan.arms) {
      const wanted =
        choice.only === undefined || (choice.only.chain === chain.chain.name && choice.only.arm === arm.id);
      const forget = (): void => folder.forget(failureFile({ chain: chain.chain.name, arm: arm.id }));
      if (wanted && left === Infinity) {
        if (choice.retryFailed) forget();
        chosen.push({ kind: "run", chain, arm });
        continue;
      }
      const known = await runCell(plan, chain, arm, folder, { kind: "read" });
      const isFailed = known.end.kind === "failed" && choice.retryFailed === true;
      if (wanted && (isFailed || known.end.kind === "pending") && left-- > 0) {
        if (isFailed) forget();
        chosen.push({ kind: "run", chain, arm });
      } else chosen.push({ kind: "kept", cell: known });
    }
  return chosen;
}
