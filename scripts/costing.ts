/** What a run's costs are reckoned with: the price that it recorded or one from a file, and cache shares that are measured or assumed. */
import type { LedgerRow } from "../harness/models/ledger.ts";
import type { Usage } from "../harness/models/model.ts";
import { pricingOfRecord, shownInRecord } from "../harness/models/price-record.ts";
import { callNano, decimalOf, type Price } from "../harness/models/prices.ts";
import { articleCosting, type Costing } from "../harness/report/costing.ts";
import type { Manifest } from "../harness/run/manifest.ts";
import type { PlannedArm, RunPlan } from "../harness/run/plan.ts";
import { cacheRulesNameOf, cacheRulesOf } from "../harness/shape/served-by.ts";
import { armOfRun, recordedReplies } from "./recorded.ts";

/** `measured`: from the bytes of the requests, rebuilt from the ledger's replies. `assumed`: the article's 0.98. */
export type CacheChoice = "measured" | "assumed";

/** The price of a costing, and whose it is. */
export type ChosenPrice = Pick<Costing, "price" | "priceFrom">;

/** How a report of a run is costed. @default measured, at the run's own price */
export interface CostChoice {
  readonly cache?: CacheChoice | undefined;
  /** A price file that stands in for the price that the run recorded. */
  readonly pricesFile?: string | undefined;
}

/** The price that a run recorded; the article's for a model that bills nothing. Whatever the price package says today is not asked. */
export function recordedPrice({ recorded }: Manifest): ChosenPrice {
  const pricing = pricingOfRecord(recorded.price);
  if (pricing === undefined)
    return { price: undefined, priceFrom: "this run's folder, made by an older version, records no rates" };
  if (pricing.kind === "unknown") return { price: undefined, priceFrom: pricing.why ?? "nobody knows the price" };
  const shown = shownInRecord(recorded.price);
  if (shown !== undefined) return { price: shown, priceFrom: "from a price file, for the model bills nothing" };
  if (pricing.kind === "free") return articlePrice();
  const { source, version } = recorded.price;
  // A file's path is of one machine, and a report holds none.
  const from = typeof source === "string" && typeof version === "string" ? `${source} ${version}` : "a price file";
  return { price: pricing.price, priceFrom: `the run's own, from ${from}` };
}

function articlePrice(): ChosenPrice {
  const { price, priceFrom } = articleCosting();
  return { price, priceFrom };
}

/** The price of a run's model in a file. Throws as `filePrice` does. */
export async function priceInFile(
  file: string,
  { identity: { model } }: Manifest,
): Promise<{ readonly price: Price; readonly priceFrom: string }> {
  const { filePrice } = await import("../harness/models/price-sources.ts");
  const { price } = filePrice(file, [`${model.provider}:${model.model}`, model.model]);
  return { price, priceFrom: "re-costed with --prices, not the run's own" };
}

/** The costing of a run's folder: of a plan that was reopened, with its ledger. Sends nothing. */
export async function costingOfRun(
  plan: RunPlan,
  manifest: Manifest,
  ledger: readonly LedgerRow[],
  { cache = "measured", pricesFile }: CostChoice = {},
): Promise<Costing> {
  const price = pricesFile === undefined ? recordedPrice(manifest) : await priceInFile(pricesFile, manifest);
  return costingOf(withRunnableArms(plan, manifest), ledger, cache, price);
}

/** What all billed calls of a ledger come to at a price, in a sentence. */
export function billLine(ledger: readonly LedgerRow[], price: Price): string {
  const usages = ledger.flatMap((row): (Usage | undefined)[] =>
    row.row === "settle" && "reply" in row ? [row.reply.usage] : [],
  );
  const known = usages.flatMap((usage) => usage ?? []);
  const nano = known.reduce((sum, usage) => sum + callNano(usage, price), 0n);
  const untold = usages.length - known.length;
  const rest = untold === 0 ? "" : `; ${untold} calls told no usage and are not in it`;
  return `At the price "${price.id}" the ledger's ${known.length} billed calls come to ${decimalOf(nano, 4)} ${price.currency}${rest}. Nothing was written: the run's folder keeps its own price.`;
}

/**
 * The costing of a plan whose arms can run. Measuring goes through the compactions of the arms that asked a model, with the
 * ledger's replies; nothing is sent.
 */
export async function costingOf(
  plan: RunPlan,
  ledger: readonly LedgerRow[],
  cache: CacheChoice,
  price: ChosenPrice = articlePrice(),
): Promise<Costing> {
  const costing: Costing = { ...articleCosting(), ...price };
  if (cache === "assumed") return costing;
  const { measureShares } = await import("../harness/shape/shares.ts");
  const asked = new Set(ledger.flatMap((row) => (row.row === "reserve" && row.purpose === "compact" ? row.arm : [])));
  // A real program is not started again for it: its shares are not known.
  const arms = plan.arms.filter(({ arm }) => asked.has(arm.id) && arm.source.kind !== "native");
  const chains = plan.chains.map((chain) => ({ ...chain, sheets: [], boundaries: chain.boundaries.map(unscored) }));
  const measured = await measureShares(
    { ...plan, arms, chains },
    cacheRulesNameOf(plan.provider),
    recordedReplies(ledger),
    cacheRulesOf(plan.provider),
  );
  return { ...costing, cache: measured };
}

/** The same boundary without its sheet: answers share nothing that a compaction's cost depends on. */
const unscored = ({ end, messages }: RunPlan["chains"][number]["boundaries"][number]) => ({
  end,
  messages,
  stage: undefined,
});

/** A reopened plan with those arms that can run again. One from a file, or changed since the run, is left out: its shares are not known. */
export function withRunnableArms(plan: RunPlan, manifest: Manifest): RunPlan {
  const arms = plan.arms.flatMap((planned): PlannedArm[] => {
    const arm = armOfRun(manifest, planned.arm.id);
    return typeof arm === "string" ? [] : [{ ...planned, arm }];
  });
  return { ...plan, arms };
}
