/** A price as a run records it: whole, so that costs are the same again when the package or the file it came from has changed. */
import * as z from "zod";
import type { JsonObject } from "../json.ts";
import type { Price, Pricing, Rates } from "./prices.ts";

/** What an offline model's run records. */
export const billsNothing: JsonObject = { source: "bills nothing", pricing: { kind: "free" } };

/** What it records where its costs are shown at a price of the user's. */
export const recordShown = (price: Price): JsonObject => ({
  ...billsNothing,
  shownAt: pricingJson({ kind: "priced", price }),
});

/** That price; undefined where a run shows none of its own. */
export function shownInRecord({ shownAt }: JsonObject): Price | undefined {
  const shown = pricingOfRecord({ pricing: shownAt ?? null });
  return shown?.kind === "priced" ? shown.price : undefined;
}

/** The origin of a price and the price itself, bigints as decimal texts. */
export const recordPricing = (origin: JsonObject, pricing: Pricing): JsonObject => ({
  ...origin,
  pricing: pricingJson(pricing),
});

function pricingJson(pricing: Pricing): JsonObject {
  if (pricing.kind !== "priced") return { ...pricing };
  const { id, currency, longInput, ...rates } = pricing.price;
  return {
    kind: "priced",
    id,
    currency,
    ratesNano: ratesJson(rates),
    ...(longInput && {
      longInput: longInput.map((tier) => ({ aboveTokens: tier.aboveTokens, ratesNano: ratesJson(tier.rates) })),
    }),
  };
}

const ratesJson = (rates: Rates): JsonObject => ({
  input: String(rates.inputNano),
  output: String(rates.outputNano),
  cacheRead: String(rates.cacheReadNano),
  cacheWrite: String(rates.cacheWriteNano),
  ...(rates.cacheWriteHourNano === undefined ? {} : { cacheWriteHour: String(rates.cacheWriteHourNano) }),
});

const nano = z
  .string()
  .regex(/^\d+$/)
  .transform((digits) => BigInt(digits));
const rates = z
  .object({ input: nano, output: nano, cacheRead: nano, cacheWrite: nano, cacheWriteHour: nano.optional() })
  .transform(({ input, output, cacheRead, cacheWrite, cacheWriteHour }): Rates => ({
    inputNano: input,
    outputNano: output,
    cacheReadNano: cacheRead,
    cacheWriteNano: cacheWrite,
    ...(cacheWriteHour === undefined ? {} : { cacheWriteHourNano: cacheWriteHour }),
  }));
const recordedPricing = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("free") }),
  z.object({ kind: z.literal("unknown"), why: z.string().optional() }),
  z.object({
    kind: z.literal("priced"),
    id: z.string(),
    currency: z.string(),
    ratesNano: rates,
    longInput: z.array(z.object({ aboveTokens: z.number(), ratesNano: rates })).optional(),
  }),
]);

/** The price of a record; undefined for one without rates, as older versions made them, and for one that was changed by hand. */
export function pricingOfRecord(record: JsonObject): Pricing | undefined {
  if (record["pricing"] === undefined && record["source"] === billsNothing["source"]) return { kind: "free" };
  const parsed = recordedPricing.safeParse(record["pricing"]);
  if (!parsed.success) return undefined;
  if (parsed.data.kind === "unknown") {
    const { why } = parsed.data;
    return { kind: "unknown", ...(why === undefined ? {} : { why }) };
  }
  if (parsed.data.kind === "free") return { kind: "free" };
  const { id, currency, ratesNano, longInput } = parsed.data;
  const tiers = longInput?.map((tier) => ({ aboveTokens: tier.aboveTokens, rates: tier.ratesNano }));
  const price: Price = { id, currency, ...ratesNano, ...(tiers && { longInput: tiers }) };
  return { kind: "priced", price };
}

/** Whether two records are of one price, wherever it came from. */
export function isSamePrice(left: JsonObject, right: JsonObject): boolean {
  const text = (record: JsonObject): string => {
    const [pricing, shown] = [pricingOfRecord(record), shownInRecord(record)];
    const all = [pricing && pricingJson(pricing), shown && pricingJson({ kind: "priced", price: shown })];
    return JSON.stringify(all);
  };
  return text(left) === text(right);
}
