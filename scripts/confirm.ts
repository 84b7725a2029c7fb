/** Before money is spent: what it may cost is printed, and above a limit a person has to say yes. */
import { createInterface } from "node:readline/promises";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../harness/errors.ts";
import { decimalOf, nanoOf } from "../harness/models/prices.ts";
import { terminalTable } from "../harness/report/tables.ts";
import { answerFile, failureFile, projectionFile } from "../harness/run/artifacts.ts";
import { type ExpectedCall, nowhere } from "../harness/run/estimate.ts";
import { openToRead } from "../harness/run/folder.ts";
import type { RunPlan } from "../harness/run/plan.ts";
import { type CellChoice, chooseCells } from "../harness/run/selection.ts";
import { estimatePlan, estimateTable, totalOf } from "./estimating.ts";
import type { ChosenModel } from "./model-choice.ts";
import { addedRepairs, noRepairs, repairsLine, thinkingWarning } from "./warnings.ts";

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

/** Whether the run of a choice of cells would still make a call: its artifact is missing, its cell is chosen and has not failed for good. */
export async function stillAsked(
  plan: RunPlan,
  folderPath: string,
  choice: CellChoice,
): Promise<(call: ExpectedCall) => boolean> {
  const folder = existsSync(join(folderPath, "manifest.json")) ? openToRead(folderPath) : nowhere;
  const isFailure = (name: string): boolean => name.startsWith(dirname(failureFile({ chain: "", arm: "" })));
  // Failures that are tried again are not forgotten before somebody has agreed to it.
  const read = (name: string): string | undefined =>
    choice.retryFailed && isFailure(name) ? undefined : folder.read(name);
  const cells = await chooseCells(plan, { ...folder, read, forget: () => undefined }, choice);
  const nameOf = (chain: string, arm: string): string => `${chain}/${arm}`;
  const asked = new Set(
    cells.flatMap((cell) => {
      if (cell.kind === "kept") return [];
      const name = { chain: cell.chain.chain.name, arm: cell.arm.id };
      return read(failureFile(name)) === undefined ? [nameOf(name.chain, name.arm)] : [];
    }),
  );
  return (call) =>
    asked.has(nameOf(call.chain, call.arm)) &&
    folder.read((call.request.purpose === "compact" ? projectionFile : answerFile)(call)) === undefined;
}

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
  const isAsked = await stillAsked(plan, folderPath, cells);
  let repairs = noRepairs;
  const estimates = await estimatePlan(plan, price, (call) => {
    if (!isAsked(call)) return false;
    repairs = addedRepairs(repairs, chosen.provider.repairs(call.request));
    return true;
  });
  const { compactions, answers, mostNano } = totalOf(estimates);
  if (compactions + answers === 0) return;
  const table = terminalTable(estimateTable(estimates, price?.currency));
  for (const line of [table, repairsLine(repairs), thinkingWarning(chosen.provider.parameters["thinking"])])
    if (line !== undefined) process.stderr.write(`${line}\n`);
  await assertAgreed(mostNano, price?.currency, { confirmAbove, yes });
}

/** A flag's amount of money in nano. Throws UsageError, naming the flag, for what is no decimal. */
export function amountOf(flag: string, amount: string): bigint {
  try {
    return nanoOf(amount);
  } catch (cause) {
    throw new UsageError(
      `${flag} is "${amount}", but it has to be an amount of at most nine decimal places, such as "2.50".`,
      { cause },
    );
  }
}

/** Asks whether so much may be spent, unless it is within what was agreed to. Throws UsageError for a no, or where nobody is there to ask. */
export async function assertAgreed(
  mostNano: bigint | undefined,
  currency: string | undefined,
  { confirmAbove, yes }: Consent,
): Promise<void> {
  const limitNano = amountOf("--confirm-above", confirmAbove);
  if (yes || (mostNano !== undefined && mostNano <= limitNano)) return;
  const sum = mostNano === undefined ? "an unknown sum" : `up to ${decimalOf(mostNano, 2)} ${currency ?? ""}`;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError(
      `This run may cost ${sum}. Add --yes to agree, or ${mostNano === undefined ? "give the price with --prices FILE" : "raise --confirm-above"}.`,
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`This run may cost ${sum}. Go on? [y/N] `);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError("Nothing was sent.");
}
