/** What an arm has before it when a compaction begins. */
import type { ArmContext, CompactionInput } from "../../harness/arm.ts";
import { type Message, paired } from "../../harness/chain/message.ts";
import { type Budget, budgetOf } from "./budget.ts";
import { type Checkpoint, entryIdOf, readCheckpoint } from "./checkpoint.ts";
import type { MarkedMessage } from "./marked.ts";
import type { FutureosOptions } from "./options.ts";
import { project } from "./projection.ts";

export interface Step {
  /** Id of the checkpoint that this step would commit. */
  readonly entryId: string;
  /** The whole history with its pairs made whole. */
  readonly raw: readonly Message[];
  /** Calls and results of the journal that `raw` lacks. */
  readonly unpaired: number;
  readonly checkpoint: Checkpoint | undefined;
  /** The history before this compaction. */
  readonly projected: readonly MarkedMessage[];
  readonly budget: Budget;
  readonly manual: boolean;
  /** Whether the earlier state is what this very step committed. */
  readonly committed: boolean;
  readonly note: string | undefined;
  readonly context: ArmContext<FutureosOptions>;
}

/** Reads the input of the arm `arm`. Linear in the number of messages. */
export function openStep(arm: string, input: CompactionInput<Checkpoint>, context: ArmContext<FutureosOptions>): Step {
  const raw = paired(input.journal);
  const checkpoint = readCheckpoint(input.previous?.state);
  const entryId = entryIdOf(arm, context.boundary);
  const note = context.options.note?.trim();
  return {
    entryId,
    raw,
    unpaired: pairBlocks(input.journal) - pairBlocks(raw),
    checkpoint,
    projected: project(raw, checkpoint),
    budget: budgetOf(context.windowTokens, context.outputReserveTokens, context.options),
    manual: input.trigger === "forced",
    committed: checkpoint?.entry_id === entryId && input.fresh.length === 0,
    note: note === "" ? undefined : note,
    context,
  };
}

function pairBlocks(messages: readonly Message[]): number {
  let blocks = 0;
  for (const message of messages)
    for (const { kind } of message.blocks) if (kind === "call" || kind === "result") blocks++;
  return blocks;
}
