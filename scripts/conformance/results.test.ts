import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pinnedVersion } from "../../arms/native/upstream.ts";
import { conformanceJson, conformanceTable, type ProductConformance, summaryLine } from "./results.ts";

const result = (failures: readonly string[], unnoticed: readonly string[] = []): ProductConformance => ({
  product: "codex",
  version: "0.155.0",
  digests: { compaction: "00" },
  conformance: {
    histories: 3,
    compactions: 5,
    items: 1_200,
    equal: 1_200 - failures.length,
    different: failures.length,
    known: ["a reason"],
    failures,
  },
  mutations: unnoticed.length,
  unnoticed,
});

describe("what conformance prints", () => {
  it("is a table with a row a product", () => {
    expect(
      conformanceTable([result([])])
        .split("\n")
        .at(-1)
        ?.split(/\s{2,}/),
    ).toEqual(["codex", "0.155.0", "3", "5", "1,200", "1,200", "0", "1"]);
  });

  it("ends with whether it holds", () => {
    expect(summaryLine([result([]), result([])])).toBe(
      "Conformance holds: 6 histories, 2,400 items compared, 0 different.",
    );
    expect(summaryLine([result(["one"])])).toBe(
      "FAILED: 3 histories, 1,200 items compared, 1 different, 1 histories failed.",
    );
    expect(summaryLine([result([], ["a rule"])])).toMatch(/^FAILED: .* 1 changed rules, 1 not noticed\.$/);
  });

  it("is kept as counts, versions and digests", () => {
    expect(JSON.parse(conformanceJson(7, [result(["a name"])]))).toMatchObject({
      seed: 7,
      products: [{ product: "codex", different: 1, failedHistories: 1, promptSha256: { compaction: "00" } }],
    });
    expect(conformanceJson(7, [result(["a name"])])).not.toContain("a name");
  });
});

describe("results/conformance.json", () => {
  interface Kept {
    readonly products: readonly {
      readonly product: "codex" | "opencode";
      readonly version: string;
      readonly histories: number;
      readonly items: number;
      readonly equal: number;
      readonly different: number;
      readonly failedHistories: number;
    }[];
  }
  const kept = JSON.parse(readFileSync(new URL("../../results/conformance.json", import.meta.url), "utf8")) as Kept;

  it("is of the pinned releases and of at least 200 histories each, and every item is equal", () => {
    expect(kept.products.map(({ product }) => product)).toEqual(["codex", "opencode"]);
    for (const { product, version, histories, items, equal, different, failedHistories } of kept.products) {
      expect(version).toBe(pinnedVersion(product));
      expect(histories).toBeGreaterThanOrEqual(200);
      expect({ equal, different, failedHistories }).toEqual({ equal: items, different: 0, failedHistories: 0 });
    }
  });
});
