/** Money as integers of 10⁻⁹ of a currency ("nano"). A price is an integer per million tokens; a call is rounded up once. */
import * as z from "zod";
import { UsageError } from "../errors.ts";
import type { Usage } from "./model.ts";

/** Nano per million tokens, by disjoint count. */
export interface Price {
  readonly id: string;
  readonly currency: string;
  readonly inputNano: bigint;
  readonly outputNano: bigint;
  readonly cacheReadNano: bigint;
  readonly cacheWriteNano: bigint;
}

/** `free`: a model that bills nothing. `unknown`: nobody knows, so no sum is printed and no budget can be kept. */
export type Pricing =
  | { readonly kind: "free" }
  | { readonly kind: "unknown" }
  | { readonly kind: "priced"; readonly price: Price };

/** A decimal such as "0.02" as nano. Throws UsageError for anything else than a non-negative decimal of at most nine places. */
export function nanoOf(decimal: string): bigint {
  const match = /^(\d+)(?:\.(\d{1,9}))?$/.exec(decimal);
  if (!match) throw new UsageError(`Amount "${decimal}" is not a decimal of at most nine places, such as "0.02".`);
  return BigInt(match[1] as string) * 1_000_000_000n + BigInt((match[2] ?? "").padEnd(9, "0"));
}

/** Nano as a decimal with `places` digits, rounded up: a sum is never printed as less than it is. */
export function decimalOf(nano: bigint, places = 6): string {
  const unit = 10n ** BigInt(9 - places);
  const rounded = (nano + unit - 1n) / unit;
  const digits = rounded.toString().padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const amount = z.union([z.string(), z.number()]).transform((value) => nanoOf(String(value)));

/** The form of a price file: `{ "<id>": { currency, perMillionTokens: { input, output, cacheRead, cacheWrite } } }`. */
export const priceTableSchema = z.record(
  z.string(),
  z.object({
    currency: z.string().min(1),
    source: z.string().optional(),
    perMillionTokens: z.object({ input: amount, output: amount, cacheRead: amount, cacheWrite: amount }),
  }),
);

/** Cost of one call in nano: the four counts at their own prices, rounded up once. */
export function callNano(usage: Usage, price: Price): bigint {
  const millionths =
    BigInt(usage.freshInputTokens) * price.inputNano +
    BigInt(usage.cacheReadTokens) * price.cacheReadNano +
    BigInt(usage.cacheWriteTokens) * price.cacheWriteNano +
    BigInt(usage.outputTokens) * price.outputNano;
  return (millionths + 999_999n) / 1_000_000n;
}

/** What a call can cost at most: every byte of the body a token at the dearer input price, and all of the output limit. */
export function reservationNano(bodyBytes: number, maxOutputTokens: number, price: Price): bigint {
  const dearest = price.inputNano > price.cacheWriteNano ? price.inputNano : price.cacheWriteNano;
  return (BigInt(bodyBytes) * dearest + BigInt(maxOutputTokens) * price.outputNano + 999_999n) / 1_000_000n;
}
