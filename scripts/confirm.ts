/** Before money is spent: what it may cost is printed, and above a limit a person has to say yes. */
import { createInterface } from "node:readline/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../harness/errors.ts";
import { decimalOf, nanoOf } from "../harness/models/prices.ts";
import { terminalTable } from "../harness/report/tables.ts";
import { answerFile, projectionFile } from "../harness/run/artifacts.ts";
import type { ExpectedCall } from "../harness/run/estimate.ts";
import type { RunPlan } from "../harness/run/plan.ts";
import type { CellChoice } from "../harness/run/selection.ts";
import { estimatePlan, estimateTable, totalOf } from "./estimating.ts";
import type { ChosenModel } from "./model-choice.ts";

/** What the user said beforehand about spending. */
export interface Consent {
  /** Decimal amount of the price's currency. */
  readonly confirmAbove: string;
  readonly yes: boolean;
}

export interface Confirmation extends Consent {
  readonly folderPath: string;
  readonly cells: CellChoice;
}

/** Whether a call's artifact is missing in a run's folder and its cell was not left out. */
export const missingIn =
  (folderPath: string, { only }: CellChoice) =>
  (call: ExpectedCall): boolean =>
    (only === undefined || (only.chain === call.chain && only.arm === call.arm)) &&
    !existsSync(join(folderPath, (call.request.purpose === "compact" ? projectionFile : answerFile)(call)));

/**
 * Prints on stderr what a remote run may still cost and, above the limit or at an unknown price, asks. Offline models bill
 * nothing and never ask. Throws UsageError where nobody is there to say yes, or the answer is no.
 */
export async function assertAffordable(
  plan: RunPlan,
  chosen: ChosenModel,
  { confirmAbove, yes, folderPath, cells }: Confirmation,
): Promise<void> {
  if (chosen.kind === "offline") return;
  const price = chosen.pricing.kind === "priced" ? chosen.pricing.price : undefined;
  const estimates = await estimatePlan(plan, price, missingIn(folderPath, cells));
  const { compactions, answers, mostNano } = totalOf(estimates);
  if (compactions + answers === 0) return;
  process.stderr.write(`${terminalTable(estimateTable(estimates, price?.currency))}\n`);
  await assertAgreed(mostNano, price?.currency, { confirmAbove, yes });
}

/** Asks whether so much may be spent, unless it is within what was agreed to. Throws UsageError for a no, or where nobody is there to ask. */
export async function assertAgreed(
  mostNano: bigint | undefined,
  currency: string | undefined,
  { confirmAbove, yes }: Consent,
): Promise<void> {
  const limitNano = nanoOf(confirmAbove);
  if (yes || (mostNano !== undefined && mostNano <= limitNano)) return;
  const sum = mostNano === undefined ? "an unknown sum" : `up to ${decimalOf(mostNano, 2)} ${currency ?? ""}`;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError(`This run may cost ${sum}. Add --yes to agree, or raise --confirm-above.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`This run may cost ${sum}. Go on? [y/N] `);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError("Nothing was sent.");
}
