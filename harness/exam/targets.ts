/** Drawing a sheet's targets out of the pools of its covered history. */
import { UsageError } from "../errors.ts";
import { randomStream } from "../random.ts";
import { overlaps } from "./decoys.ts";
import { type Candidate, type Extraction, pool } from "./extract.ts";
import type { SheetQuota } from "./presets.ts";
import { type TargetSource, targetSources } from "./question.ts";

/** Which targets to draw. */
export interface TargetDraw {
  readonly chain: string;
  readonly stage: number;
  /** Records covered. */
  readonly end: number;
  readonly quota: SheetQuota;
  readonly poolFactor: number;
  readonly seed: number | string;
  /** Texts that every request carries: no value in them is drawn. */
  readonly avoid: readonly string[];
}

/** A drawn value, with the pool it was drawn from. */
export interface DrawnTarget extends Candidate {
  readonly source: TargetSource;
}

/**
 * The targets of one sheet: for assistant, user and tool in turn, uniform over the distinct values of the pool, without
 * replacement; a value that is part of an earlier one, or has one as a part, is drawn again.
 * Throws UsageError where a pool holds fewer than `poolFactor` values for each target, or too few that fit together.
 */
export function drawTargets(extraction: Extraction, draw: TargetDraw): DrawnTarget[] {
  const targets: DrawnTarget[] = [];
  for (const source of targetSources) {
    const wanted = draw.quota.targets[source];
    if (wanted === 0) continue;
    const where = `Chain "${draw.chain}", stage ${draw.stage}`;
    const candidates = pool(extraction, source, draw.end).filter(
      ({ value }) => !draw.avoid.some((text) => text.includes(value)),
    );
    const needed = wanted * draw.poolFactor;
    if (candidates.length < needed)
      throw new UsageError(
        `${where}: ${candidates.length} distinct ${source} values found, ${needed} needed for ${wanted} ${source} targets. Use a chain with more of them, or another exam.`,
      );
    const drawn: DrawnTarget[] = [];
    for (const candidate of randomStream(draw.seed, `${draw.chain}/sheet/${draw.stage}/${source}`).shuffle(
      candidates,
    )) {
      if (drawn.length === wanted) break;
      if (![...targets, ...drawn].some(({ value }) => overlaps(value, candidate.value)))
        drawn.push({ ...candidate, source });
    }
    if (drawn.length < wanted)
      throw new UsageError(
        `${where}: ${drawn.length} ${source} values found that are not part of another target, ${wanted} needed. Use a chain with more of them, or another exam.`,
      );
    targets.push(...drawn);
  }
  return targets;
}
