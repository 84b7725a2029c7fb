import { describe, expect, it } from "vitest";
import { asJson } from "../run/manifest.ts";
import {
  billsNothing,
  isSamePrice,
  pricingOfRecord,
  recordPricing,
  recordShown,
  shownInRecord,
} from "./price-record.ts";
import type { Pricing } from "./prices.ts";

const rates = {
  inputNano: 1_250_000_000n,
  outputNano: 10_000_000_000n,
  cacheReadNano: 125_000_000n,
  cacheWriteNano: 1_562_500_000n,
};
const pricings: readonly Pricing[] = [
  { kind: "free" },
  { kind: "unknown", why: "nobody knows" },
  { kind: "unknown" },
  { kind: "priced", price: { id: "one", currency: "USD", ...rates } },
  {
    kind: "priced",
    price: {
      id: "two",
      currency: "CNY",
      ...rates,
      cacheWriteHourNano: 9_007_199_254_740_993n,
      longInput: [{ aboveTokens: 200_000, rates: { ...rates, inputNano: 2_500_000_000n } }],
    },
  },
];

describe("a recorded price", () => {
  it.each(pricings)("comes back from a file as it was: %o", (pricing) => {
    const record = recordPricing({ source: "somewhere", version: "1.2.3", entry: "x:y" }, pricing);
    expect(asJson(record)).toEqual(record);
    expect(record).toMatchObject({ source: "somewhere", version: "1.2.3", entry: "x:y" });
    expect(pricingOfRecord(asJson(record))).toEqual(pricing);
  });

  it("of an offline model is free, also as older versions wrote it", () => {
    expect(pricingOfRecord(billsNothing)).toEqual({ kind: "free" });
    expect(pricingOfRecord({ source: "bills nothing" })).toEqual({ kind: "free" });
  });

  it("without rates, or with ones that are no numbers, gives none", () => {
    const record = recordPricing({ source: "somewhere" }, pricings[3] as Pricing);
    const pricing = { ...(record["pricing"] as object), ratesNano: { input: "1.5" } };
    expect(pricingOfRecord({ source: "somewhere", entry: "x:y" })).toBeUndefined();
    expect(pricingOfRecord({ ...record, pricing })).toBeUndefined();
    expect(pricingOfRecord({})).toBeUndefined();
  });

  it("of an offline model keeps the price that its costs are shown at", () => {
    const { price } = pricings[4] as Extract<Pricing, { kind: "priced" }>;
    const record = asJson(recordShown(price));
    expect(pricingOfRecord(record)).toEqual({ kind: "free" });
    expect(shownInRecord(record)).toEqual(price);
    expect(shownInRecord(billsNothing)).toBeUndefined();
    expect(isSamePrice(record, recordShown(price))).toBe(true);
    expect(isSamePrice(record, billsNothing)).toBe(false);
  });

  it("is the same wherever it came from, and another where a rate differs", () => {
    const [, , , one, other] = pricings as [Pricing, Pricing, Pricing, Pricing, Pricing];
    expect(isSamePrice(recordPricing({ source: "here" }, one), recordPricing({ source: "there" }, one))).toBe(true);
    expect(isSamePrice(recordPricing({}, one), recordPricing({}, other))).toBe(false);
  });
});
