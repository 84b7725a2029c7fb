/** Money as integers of 10⁻⁹ of a currency ("nano"). A price is an integer per million tokens; a call is rounded up once. */
import * as z from "zod";
import { UsageError } from "../errors.ts";
import type { Usage } from "./model.ts";

/** Nano per million tokens, by disjoint count. */
export interface Rates {
  readonly inputNano: bigint;
  readonly outputNano: bigint;
  readonly cacheReadNano: bigint;
  readonly cacheWriteNano: bigint;
  /** Of writes that are kept for an hour; as other writes where missing. */
  readonly cacheWriteHourNano?: bigint;
}

export interface Price extends Rates {
  readonly id: string;
  readonly currency: string;
  /** Rates of a whole call whose input, cached or not, is above so many tokens; the highest one that is passed holds. */
  readonly longInput?: readonly { readonly aboveTokens: number; readonly rates: Rates }[];
}

/** `free`: a model that bills nothing. `unknown`: nobody knows (`why`), so no sum is printed and no budget can be kept. */
export type Pricing =
  | { readonly kind: "free" }
  | { readonly kind: "unknown"; readonly why?: string }
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

/** The form of a price file: `{ "<id>": { currency, perMillionTokens: { input, output, cacheRead, cacheWrite, cacheWriteHour? } } }`. */
export const priceTableSchema = z.record(
  z.string(),
  z.object({
    currency: z.string().min(1),
    source: z.string().optional(),
    perMillionTokens: z.object({
      input: amount,
      output: amount,
      cacheRead: amount,
      cacheWrite: amount,
      cacheWriteHour: amount.optional(),
    }),
  }),
);

/** Cost of one call in nano: each count at its own rate, rounded up once. */
export function callNano(usage: Usage, price: Price): bigint {
  const { freshInputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens = 0, outputTokens } = usage;
  const rates = ratesOf(price, freshInputTokens + cacheReadTokens + cacheWriteTokens);
  const millionths =
    BigInt(freshInputTokens) * rates.inputNano +
    BigInt(cacheReadTokens) * rates.cacheReadNano +
    BigInt(cacheWriteTokens - cacheWriteHourTokens) * rates.cacheWriteNano +
    BigInt(cacheWriteHourTokens) * (rates.cacheWriteHourNano ?? rates.cacheWriteNano) +
    BigInt(outputTokens) * rates.outputNano;
  return (millionths + 999_999n) / 1_000_000n;
}

/** The rates of a call by its input. */
export function ratesOf({ longInput = [], ...base }: Price, inputTokens: number): Rates {
  return longInput.findLast(({ aboveTokens }) => inputTokens > aboveTokens)?.rates ?? base;
}

/**
 * What a call can cost at most: every byte of the body a token at the dearer input rate, and all of the output limit. The
 * rate for an hour's cache is left out, because no request asks for one.
 */
export function reservationNano(bodyBytes: number, maxOutputTokens: number, price: Price): bigint {
  const passed = (price.longInput ?? []).filter(({ aboveTokens }) => bodyBytes > aboveTokens);
  const reachable: readonly Rates[] = [price, ...passed.map(({ rates }) => rates)];
  const dearest = (nano: (rates: Rates) => bigint): bigint =>
    reachable.map(nano).reduce((left, right) => (left > right ? left : right));
  const inputNano = dearest((rates) =>
    rates.inputNano > rates.cacheWriteNano ? rates.inputNano : rates.cacheWriteNano,
  );
  const outputNano = dearest((rates) => rates.outputNano);
  return (BigInt(bodyBytes) * inputNano + BigInt(maxOutputTokens) * outputNano + 999_999n) / 1_000_000n;
}
