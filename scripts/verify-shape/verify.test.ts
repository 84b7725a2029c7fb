import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { entries } from "../../arms/index.ts";
import { styles } from "../../harness/shape/styles.ts";
import { smallChain, smallPlan } from "../testing.ts";
import { verify, type VerifyOptions } from "./verify.ts";

const committed = fileURLToPath(new URL("../../fixtures/requests/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "verify-"));
afterAll(() => rmSync(folder, { recursive: true }));

const plan = smallPlan({ chains: [smallChain("alder", 5)] });
const options: VerifyOptions = {
  awkward: false,
  shapeFile: undefined,
  pricesFile: undefined,
  isAllArms: true,
  goldensFolder: committed,
  update: false,
  json: false,
};

/** Whether all passed, and what was printed. */
async function run(over: Partial<VerifyOptions> = {}, arms = plan.arms): Promise<{ passed: boolean; text: string }> {
  let text = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  try {
    return { passed: await verify({ ...plan, arms }, { ...options, ...over }), text };
  } finally {
    write.mockRestore();
  }
}
const only = (...ids: string[]) => plan.arms.filter(({ arm }) => ids.includes(arm.id));

describe("verify-shape", () => {
  it("passes for every arm and style as they are, with a line a check, tables, and the counts last", async () => {
    const { passed, text } = await run();
    expect(text.split("\n").filter((line) => line.startsWith("FAIL"))).toEqual([]);
    expect(passed).toBe(true);
    const lines = text.trimEnd().split("\n");
    const checks = lines.filter((line) => /^(?:ok  |FAIL)  /.test(line));
    expect(lines.at(-1)).toBe(`${checks.length} checks passed, 0 failed`);
    for (const { arm } of entries)
      for (const { id } of styles) expect(text).toMatch(new RegExp(`^ok    validity +${arm.id} +${id} `, "m"));
    expect(text).toContain("Compaction requests by boundary");
    expect(text).toMatch(/^futureos-summarized +anthropic +3 +\d\d\.\d %/m);
    expect(text).toMatch(/^codex +openai +3 +0\.\d %/m);
  });

  it("fails and says so where one golden is another", async () => {
    cpSync(committed, folder, { recursive: true });
    writeFileSync(join(folder, "recent.openai.json"), "{}\n");
    const { passed, text } = await run({ goldensFolder: folder, isAllArms: false }, only("recent", "codex"));
    expect(passed).toBe(false);
    expect(text).toMatch(
      /^FAIL {2}golden +recent +openai +\S+recent\.openai\.json: another request is sent from line 1 on/m,
    );
    expect(text).toMatch(/\d+ checks passed, 1 failed\n$/);
  });

  it("prints checks, shares and summaries as JSON", async () => {
    const { text } = await run({ json: true, isAllArms: false }, only("futureos-summarized"));
    const { checks, shares, summaries, requests } = JSON.parse(text) as {
      checks: { passed: boolean }[];
      shares: { shared: { bytes: number; ofBytes: number } }[];
      summaries: { rules: string; medianBytesShare: number; medianCachedNano: number; medianColdNano: number }[];
      requests: number;
    };
    expect(checks.every(({ passed }) => passed)).toBe(true);
    expect(requests).toBeGreaterThan(0);
    expect(shares).toHaveLength(3 * styles.length);
    expect(summaries.map(({ rules }) => rules).sort()).toEqual(["anthropic", "deepseek", "openai", "openai-5.6"]);
    for (const { medianBytesShare, medianCachedNano, medianColdNano } of summaries) {
      expect(medianBytesShare).toBeGreaterThan(0.2);
      expect(medianCachedNano).toBeLessThan(medianColdNano);
    }
  });

  it("reckons with a price of one's own", async () => {
    const prices = join(folder, "prices.json");
    const rates = { input: "1", output: "1", cacheRead: "0", cacheWrite: "0" };
    writeFileSync(prices, JSON.stringify({ own: { currency: "EUR", perMillionTokens: rates } }));
    const { text } = await run({ pricesFile: prices, isAllArms: false }, only("codex"));
    expect(text).toContain("cost of one compaction in EUR at own prices");
  });
});
