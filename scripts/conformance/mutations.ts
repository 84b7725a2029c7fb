/** One change to each rule of the arms. Conformance is worth what it notices: every one of these. */
import { readFileSync } from "node:fs";
import * as z from "zod";
import { type ProductName, productNames } from "../../arms/native/upstream.ts";

/** A rule of an arm in a file, and the same place with another rule. */
export interface Mutation {
  readonly product: ProductName;
  readonly rule: string;
  /** Below arms/. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
}

/** By product, file below arms/ and rule: what stands there, and what stands there instead. */
const table = z.record(
  z.enum(productNames),
  z.record(z.string(), z.record(z.string(), z.tuple([z.string(), z.string()]))),
);

const read = table.parse(JSON.parse(readFileSync(new URL("../../fixtures/mutations.json", import.meta.url), "utf8")));

export const mutations: readonly Mutation[] = productNames.flatMap((product) =>
  Object.entries(read[product]).flatMap(([file, rules]) =>
    Object.entries(rules).map(([rule, [from, to]]) => ({ product, rule, file, from, to })),
  ),
);
