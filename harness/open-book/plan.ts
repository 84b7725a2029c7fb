/** What an open-book run is going to do: the sheets of one arm of a finished closed-book run, its projections, and a model. */
import type { Arm } from "../arm.ts";
import { unknownName } from "../did-you-mean.ts";
import { UsageError } from "../errors.ts";
import type { Sheet } from "../exam/question.ts";
import { survivalOf } from "../exam/score.ts";
import type { Message } from "../chain/message.ts";
import type { Provider } from "../models/model.ts";
import { answerOutputTokens } from "../run/ask.ts";
import { type Cell, runCell } from "../run/cell.ts";
import type { RunFolder } from "../run/folder.ts";
import { type Manifest, reopenPlan } from "../run/manifest.ts";
import type { PlannedChain, RunPlan } from "../run/plan.ts";
import type { Interface } from "./lookup.ts";
import { type ReadingLimits, readingLimits } from "./serving.ts";

/** One scored boundary of the arm. */
export interface OpenSheet {
  readonly sheet: Sheet;
  readonly projection: readonly Message[];
  /** Of each question, whether its value stands in the projection. */
  readonly kept: readonly boolean[];
  readonly journal: readonly Message[];
  /** Journal lengths at which the arm had compacted, this boundary's included. */
  readonly compactedAt: readonly number[];
}

/** Sheets of a chain whose cell failed in the closed run before their boundary: they have no projection and are not asked. */
export interface LostSheet {
  readonly sheet: Sheet;
  readonly reason: string;
}

export interface OpenBookPlan {
  /** Id of the closed run. */
  readonly closedRun: string;
  readonly closed: RunPlan;
  readonly arm: Arm;
  readonly sheets: readonly OpenSheet[];
  readonly lost: readonly LostSheet[];
  readonly offer: Interface;
  readonly provider: Provider;
  readonly limits: ReadingLimits;
  /** Input tokens that a request may have. */
  readonly limitTokens: number;
}

/** What decides the plan besides the closed run. */
export interface OpenBookChoice {
  readonly arm: string;
  readonly offer: Interface;
  /** Gets the window of the closed run. */
  readonly provider: Provider;
  readonly limits?: ReadingLimits;
}

/** The plan for one arm of a closed run. Throws UsageError for an arm that the run does not have or has not finished. */
export async function planOpenBook(
  folder: RunFolder,
  manifest: Manifest,
  { arm: armId, offer, provider, limits = readingLimits }: OpenBookChoice,
): Promise<OpenBookPlan> {
  const closed = reopenPlan(folder, manifest);
  const ids = closed.arms.map(({ arm }) => arm.id);
  const arm = closed.arms.find((planned) => planned.arm.id === armId)?.arm;
  if (arm === undefined) throw unknownName("arm", armId, ids);
  const sheets: OpenSheet[] = [];
  const lost: LostSheet[] = [];
  for (const chain of closed.chains) {
    const cell = await runCell(closed, chain, arm, folder, { kind: "read" });
    if (cell.end.kind === "pending")
      throw new UsageError(
        `Run "${manifest.runId}" has not finished ${arm.id} on ${chain.chain.name} (record ${cell.end.end}). Finish it with closed-book run first.`,
      );
    sheets.push(...openSheets(chain, cell));
    lost.push(...lostSheets(chain, cell));
  }
  const { windowTokens, outputReserveTokens } = closed.options;
  const limitTokens = Math.min(windowTokens - outputReserveTokens, provider.windowTokens - answerOutputTokens);
  return { closedRun: manifest.runId, closed, arm, sheets, lost, offer, provider, limits, limitTokens };
}

function openSheets({ sheets, journal }: PlannedChain, { steps }: Cell): OpenSheet[] {
  const compactedAt: number[] = [];
  return steps.flatMap(({ boundary, compaction }): OpenSheet[] => {
    if (compaction.kind === "compacted") compactedAt.push(boundary.messages);
    const sheet = boundary.stage === undefined ? undefined : sheets[boundary.stage];
    if (sheet === undefined) return [];
    const projection = compaction.projection.map(({ message }) => message);
    return [
      {
        sheet,
        projection,
        kept: survivalOf(sheet, projection),
        journal: journal.slice(0, boundary.messages),
        compactedAt: [...compactedAt],
      },
    ];
  });
}

function lostSheets({ sheets }: PlannedChain, { end }: Cell): LostSheet[] {
  if (end.kind !== "failed") return [];
  return sheets.filter((sheet) => sheet.end >= end.end).map((sheet) => ({ sheet, reason: end.reason }));
}
