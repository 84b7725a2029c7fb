/** What conformance prints and what it leaves in results/. */
import { terminalTable } from "../../harness/report/tables.ts";
import type { Conformance } from "./conform.ts";
import type { ProductName } from "../../arms/native/upstream.ts";

/** One product's part. */
export interface ProductConformance {
  readonly product: ProductName;
  readonly version: string;
  /** SHA-256 of the product's own texts. */
  readonly digests: Readonly<Record<string, string>>;
  readonly conformance: Conformance;
  readonly mutations: number;
  /** Changed rules that nothing noticed. */
  readonly unnoticed: readonly string[];
}

const count = (value: number): string => value.toLocaleString("en-US");

/** The table: what was compared and how it came out. */
export const conformanceTable = (results: readonly ProductConformance[]): string =>
  terminalTable({
    title: "Conformance with the real programs",
    head: [
      "product",
      "version",
      "histories",
      "compactions",
      "items compared",
      "equal",
      "different",
      "known differences",
    ],
    rows: results.map(
      ({ product, version, conformance: { histories, compactions, items, equal, different, known } }) => [
        product,
        version,
        ...[histories, compactions, items, equal, different, known.length].map(count),
      ],
    ),
  });

/** The last line. */
export function summaryLine(results: readonly ProductConformance[]): string {
  const sum = (of: (result: ProductConformance) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  const failures = sum(({ conformance }) => conformance.failures.length);
  const unnoticed = sum((result) => result.unnoticed.length);
  const tried = sum((result) => result.mutations);
  const parts = [
    `${count(sum(({ conformance }) => conformance.histories))} histories`,
    `${count(sum(({ conformance }) => conformance.items))} items compared`,
    `${count(sum(({ conformance }) => conformance.different))} different`,
    ...(failures > 0 ? [`${failures} histories failed`] : []),
    ...(tried > 0 ? [`${tried} changed rules, ${unnoticed} not noticed`] : []),
  ];
  return `${failures + unnoticed > 0 ? "FAILED" : "Conformance holds"}: ${parts.join(", ")}.`;
}

/** results/conformance.json: counts, versions, seed and digests; no text of a product. */
export const conformanceJson = (seed: number, results: readonly ProductConformance[]): string =>
  `${JSON.stringify(
    {
      seed,
      products: results.map(({ product, version, digests, conformance }) => {
        const { failures, ...counts } = conformance;
        return { product, version, ...counts, failedHistories: failures.length, promptSha256: digests };
      }),
    },
    null,
    2,
  )}\n`;
