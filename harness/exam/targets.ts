/** Drawing a sheet's targets out of the pools of its covered history. */
import { UsageError } from "../errors.ts";
import { randomStream } from "../random.ts";
import { overlaps } from "./decoys.ts";
import { type Candidate, type Extraction, pool } from "./extract.ts";
import { withRoom } from "./own-decoys.ts";
import type { SheetQuota } from "./presets.ts";
import { bySource, type Supply, type TargetSource, targetSources } from "./question.ts";

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
    const candidates = candidatesOf(extraction, source, draw);
    const needed = wanted * draw.poolFactor;
    if (candidates.length < needed)
      throw new UsageError(
        `${where}: ${candidates.length} distinct ${source} values found, ${needed} needed for ${wanted} ${source} targets. Use a chain with more of them, or another exam.`,
      );
    const drawn = drawSource(candidates, source, draw, targets);
    if (drawn.length < wanted)
      throw new UsageError(
        `${where}: ${drawn.length} ${source} values found that are not part of another target, ${wanted} needed. Use a chain with more of them, or another exam.`,
      );
    targets.push(...drawn);
  }
  return targets;
}

/**
 * The targets of one sheet of an imported session: as many as it has, up to the quota, whatever the pool factor. Values
 * that no request can carry are none (`isSent`, see sent.ts). Only values of which other ones of the same look can exist are drawn, because the decoys are to look like them.
 */
export function drawOwnTargets(
  extraction: Extraction,
  draw: TargetDraw,
  isSent: (value: string) => boolean,
): { readonly targets: DrawnTarget[]; readonly supply: Readonly<Record<TargetSource, Supply>> } {
  const targets: DrawnTarget[] = [];
  const supply = bySource((source): Supply => {
    const candidates = withRoom(candidatesOf(extraction, source, draw).filter(({ value }) => isSent(value)));
    targets.push(...drawSource(candidates, source, draw, targets));
    return { wanted: draw.quota.targets[source], found: candidates.length };
  });
  return { targets, supply };
}

const candidatesOf = (extraction: Extraction, source: TargetSource, { end, avoid }: TargetDraw): Candidate[] =>
  pool(extraction, source, end).filter(({ value }) => !avoid.some((text) => text.includes(value)));

/** As many of the candidates as the quota says, or as fit together and with the targets `before` them. */
function drawSource(
  candidates: readonly Candidate[],
  source: TargetSource,
  { seed, chain, stage, quota }: TargetDraw,
  before: readonly DrawnTarget[],
): DrawnTarget[] {
  const drawn: DrawnTarget[] = [];
  for (const candidate of randomStream(seed, `${chain}/sheet/${stage}/${source}`).shuffle(candidates)) {
    if (drawn.length === quota.targets[source]) break;
    if (![...before, ...drawn].some(({ value }) => overlaps(value, candidate.value)))
      drawn.push({ ...candidate, source });
  }
  return drawn;
}
