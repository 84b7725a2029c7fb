/** The product's names for what makes a compaction impossible, as the one error that an arm may throw for it. */
import { CompactionRefusedError } from "../../harness/errors.ts";

const refusal =
  (name: string) =>
  (reason: string): CompactionRefusedError =>
    new CompactionRefusedError(`${reason} (${name}).`);

export const budgetExceeded = refusal("BudgetExceeded");
export const noValidBoundary = refusal("NoValidBoundary");
export const noProgress = refusal("NoProgress");
export const invalidSummary = refusal("InvalidSummary");
