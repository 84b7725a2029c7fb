/** Sheets: the questions of every scored boundary of a chain, drawn from named streams. */
import type { Chain, ChainRecord } from "../chain/record.ts";
import { type Random, randomStream } from "../random.ts";
import { drawDecoy, fitDecoys } from "./decoys.ts";
import { UsageError } from "../errors.ts";
import { extract, type Extraction } from "./extract.ts";
import { lastPlace, type Occurrence, occurrences } from "./occurrences.ts";
import type { ChainQuotas, SheetQuota } from "./presets.ts";
import { sentValues } from "./sent.ts";
import { sheetInstructions } from "./prompt.ts";
import { bySource, type Decoy, type Question, type Sheet, type Target } from "./question.ts";
import { ownDecoyShapes } from "./own-decoys.ts";
import { type DrawnTarget, drawOwnTargets, drawTargets, type TargetDraw } from "./targets.ts";

export interface SheetRequest {
  readonly chain: Chain;
  /** The scored boundaries, as record counts. */
  readonly cuts: readonly number[];
  /** One row a cut. */
  readonly quotas: ChainQuotas;
  readonly seed: number | string;
  /** Texts that every request carries (system prompt, tool definitions): a value in them could be confirmed from there. */
  readonly avoid: readonly string[];
}

/** A sheet in the making: its targets are fixed, its decoys still have to be checked against the chain. */
interface Draft {
  readonly stage: number;
  readonly end: number;
  readonly quota: SheetQuota;
  readonly targets: readonly DrawnTarget[];
  readonly supply?: Sheet["supply"];
  /** The sheet's own stream of decoys. */
  readonly draw: () => Decoy;
  /** What was taken from it so far. */
  readonly draws: Decoy[];
}

/**
 * The sheets of a chain. Targets are drawn uniformly over the distinct values of the covered history, per source, without
 * replacement; none is part of another. Decoys occur nowhere in the whole chain. Equal requests give equal sheets.
 * Throws UsageError where a pool is too small. Sheets of an imported session shrink instead, say what they wanted, and have
 * decoys that look like the session's own values; only a session without any value is refused. The text is read once to find values, and once to check and place them.
 */
export function buildSheets({ chain, cuts, quotas, seed, avoid: carried }: SheetRequest): Sheet[] {
  const avoid = [...carried, sheetInstructions];
  const extraction = extract(chain.records);
  const drafts = cuts.map((end, stage): Draft => {
    const quota = quotas.sheets[stage];
    if (quota === undefined)
      throw new RangeError(`chain "${chain.name}" has more cuts than the ${quotas.sheets.length} rows of its quotas`);
    const { poolFactor } = quotas;
    const request: TargetDraw = { chain: chain.name, stage, end, quota, poolFactor, seed, avoid };
    const random = randomStream(seed, `${chain.name}/sheet/${stage}/decoys`);
    if (chain.group === "imported") return ownDraft(extraction, request, random, chain.records);
    const targets = drawTargets(extraction, request);
    return { stage, end, quota, targets, draw: () => drawDecoy(random), draws: [] };
  });
  if (chain.group === "imported") assertAsked(chain, drafts);
  const { found, decoys } = chooseDecoys(chain.records, drafts, avoid);
  return drafts.map(({ stage, end, targets: drawn, supply }, index): Sheet => {
    const targets = drawn.map(({ value, source, pattern }): Target => {
      const place = lastPlace(found.get(value), chain.records, end);
      return { kind: "target", value, source, pattern, ...(place && { place }) };
    });
    const chosen = decoys[index] ?? { decoys: [], redrawn: 0 };
    const questions = inOrder([...targets, ...chosen.decoys], seed, chain.name, stage);
    return { chain: chain.name, stage, end, questions, redrawn: chosen.redrawn, ...(supply && { supply }) };
  });
}

/** A sheet of an imported session. Its decoys look like values of the covered history; where that has none, of the whole. */
function ownDraft(extraction: Extraction, request: TargetDraw, random: Random, records: readonly ChainRecord[]): Draft {
  const { stage, end, quota } = request;
  const { targets, supply } = drawOwnTargets(extraction, request, sentValues(records, extraction, end));
  const asked = bySource((source) => targets.filter((target) => target.source === source).length);
  const drawer =
    ownDecoyShapes(extraction, { end, mix: asked }) ??
    ownDecoyShapes(extraction, { end: records.length, mix: quota.targets });
  return { stage, end, quota, targets, supply, draw: () => (drawer ?? drawDecoy)(random), draws: [] };
}

/** Throws UsageError for a session none of whose sheets has a target. */
function assertAsked({ name, records }: Chain, drafts: readonly Draft[]): void {
  if (drafts.some(({ targets }) => targets.length > 0)) return;
  throw new UsageError(
    `Chain "${name}": no exact value (a path, a hash, a size, an identifier) in ${records.length} records that could be asked for. Import a longer session, or ask questions of your own with --sheets DIR.`,
  );
}

/** Draws made beyond the decoys needed, so that a few that occur in the chain cost no further pass over it. */
const spareDraws = 4;

/** The decoys of each draft, and what the chain has of every target and draw. Reads the chain again only where the spare draws do not suffice. */
function chooseDecoys(records: readonly ChainRecord[], drafts: readonly Draft[], avoid: readonly string[]) {
  const found = new Map<string, Occurrence>();
  const fit = ({ quota, targets, draws }: Draft) =>
    fitDecoys(draws, {
      count: quota.decoys,
      occurs: (value) => found.get(value)?.occurs ?? false,
      targets: targets.map(({ value }) => value),
      avoid,
    });
  for (let short = drafts; ;) {
    for (const { quota, draw, draws } of short)
      for (let count = quota.decoys === 0 ? 0 : quota.decoys + spareDraws; count > 0; count--) draws.push(draw());
    const values = drafts.flatMap(({ targets, draws }) => [...targets, ...draws].map(({ value }) => value));
    const unknown = values.filter((value) => !found.has(value));
    for (const [value, occurrence] of occurrences(records, unknown)) found.set(value, occurrence);
    const decoys = drafts.map(fit);
    short = drafts.filter(({ quota }, index) => (decoys[index]?.decoys.length ?? 0) < quota.decoys);
    if (short.length === 0) return { found, decoys };
  }
}

/** A sheet's questions in the order asked. */
export const inOrder = (questions: readonly Question[], seed: number | string, chain: string, stage: number) =>
  randomStream(seed, `${chain}/sheet/${stage}/order`).shuffle(questions);
