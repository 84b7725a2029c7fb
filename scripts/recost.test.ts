import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { chainToJsonl } from "../harness/chain/file.ts";
import type { JsonObject } from "../harness/json.ts";
import type { Report } from "../harness/report/report.ts";
import type { Manifest } from "../harness/run/manifest.ts";
import { openToRead } from "../harness/run/folder.ts";
import { type OfflineServer, startOfflineServer } from "../harness/serve/server.ts";
import { main as figures } from "./figures.ts";
import { main } from "./main.ts";
import { pageData } from "./page/build.ts";
import { smallChain } from "./testing.ts";

const place = mkdtempSync(join(tmpdir(), "recost-"));
const chain = join(place, "alder.jsonl");
writeFileSync(chain, chainToJsonl(smallChain("alder", 30)));
const prices = join(place, "prices.json");
const priceFile = (input: number): string =>
  JSON.stringify({
    any: { currency: "USD", perMillionTokens: { input, output: 4 * input, cacheRead: input / 10, cacheWrite: input } },
  });

let out = "";
let err = "";
const keep = (into: (text: string) => void) => (text: string | Uint8Array) => {
  into(String(text));
  return true;
};
/** Runs a command that has to end well. */
async function done(...argv: string[]): Promise<void> {
  const code = await closedBook(...argv);
  if (code !== 0) throw new Error(`exit code ${code}: ${err}`);
}
async function closedBook(...argv: string[]): Promise<number> {
  out = "";
  err = "";
  vi.spyOn(process.stdout, "write").mockImplementation(keep((text) => (out += text)));
  vi.spyOn(process.stderr, "write").mockImplementation(keep((text) => (err += text)));
  return main(argv);
}

let server: OfflineServer;
/** Flags of a run against the server, whose model no price list knows. */
const runFlags = (results: string): string[] => {
  const model = `--model openai:offline --base-url ${server.baseUrl}/v1 --window 1000000`;
  const flags = `run --json --yes --cuts 48,84,120 --arms codex,futureos-summarized,recent ${model} --results`;
  return [...flags.split(" "), results, "--chain", chain];
};
const folderIn = (results: string): string => join(results, readdirSync(results)[0] ?? "");
const manifestAt = (path: string): string => join(path, "manifest.json");
function changePrice(path: string, price: JsonObject): void {
  const manifest = JSON.parse(readFileSync(manifestAt(path), "utf8")) as Manifest;
  writeFileSync(
    manifestAt(path),
    `${JSON.stringify({ ...manifest, recorded: { ...manifest.recorded, price } }, null, 2)}\n`,
  );
}
const priceIn = (path: string): JsonObject =>
  (JSON.parse(readFileSync(manifestAt(path), "utf8")) as Manifest).recorded.price;

let priced = "";
let printed = "";
let unpriced = "";
beforeAll(async () => {
  vi.stubEnv("OPENAI_API_KEY", "any");
  server = await startOfflineServer({});
  writeFileSync(prices, priceFile(2));
  const results = mkdtempSync(join(place, "priced-"));
  await done(...runFlags(results), "--prices", prices);
  [priced, printed] = [folderIn(results), out];
  const unpricedResults = mkdtempSync(join(place, "unpriced-"));
  await done(...runFlags(unpricedResults));
  unpriced = folderIn(unpricedResults);
  // From here on everything has to come from the folders.
  await server.close();
  rmSync(prices);
}, 60_000);
afterEach(() => vi.restoreAllMocks());
afterAll(() => vi.unstubAllEnvs());

describe("a run at a price of its own", () => {
  it("has the same report from its folder alone as it printed, in the price's currency, with the price file gone", async () => {
    expect(await closedBook("report", "--run", priced, "--json"), err).toBe(0);
    expect(out).toBe(printed);
    expect(readFileSync(join(priced, "report.json"), "utf8")).toBe(printed);
    const { money, arms } = JSON.parse(out) as Report;
    expect(money).toMatchObject({ priceId: "any", currency: "USD", priceFrom: "the run's own, from a price file" });
    expect(arms.find(({ id }) => id === "codex")?.cost.perCompaction.coldNano).toBeGreaterThan(0);
  });

  it("has the same amounts in its page and in its figures", async () => {
    const page = await pageData(openToRead(priced), () => undefined);
    const costs = page.tables.find(({ title }) => title.startsWith("What it costs"));
    expect(costs?.title).toContain("in USD at any prices");
    const coldNano = (JSON.parse(printed) as Report).arms.map(({ cost }) => cost.perCompaction.coldNano);
    expect(costs?.rows.map(([, cold]) => cold)).toEqual(
      coldNano.map((nano) => (nano === null ? "none" : (nano / 1e9).toFixed(4))),
    );
    const drawn = mkdtempSync(join(place, "figures-"));
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    expect(await figures(["--run", priced, "--out", drawn])).toBe(0);
    expect(readFileSync(join(drawn, "5-compaction-cost.vl.json"), "utf8")).toContain("USD a compaction");
  });

  it("records its rates as texts of whole numbers, with where they came from", () => {
    expect(priceIn(priced)).toMatchObject({
      source: prices,
      entry: "any",
      pricing: { kind: "priced", currency: "USD", ratesNano: { input: "2000000000", cacheRead: "200000000" } },
    });
  });

  it("names the price package and its version where the price came from there", async () => {
    const record = priceIn(priced);
    changePrice(priced, { ...record, source: "@pydantic/genai-prices", version: "0.0.1" });
    expect(await closedBook("report", "--run", priced, "--json"), err).toBe(0);
    changePrice(priced, record);
    const report = JSON.parse(out) as Report;
    expect(report.money.priceFrom).toBe("the run's own, from @pydantic/genai-prices 0.0.1");
    expect(report.arms).toEqual((JSON.parse(printed) as Report).arms);
  });

  it("is re-costed with --prices from its ledger, labelled, and keeps its own report", async () => {
    writeFileSync(prices, priceFile(4));
    expect(await closedBook("report", "--run", priced, "--json", "--prices", prices), err).toBe(0);
    const [own, other] = [JSON.parse(printed) as Report, JSON.parse(out) as Report];
    expect(other.money.priceFrom).toBe("re-costed with --prices, not the run's own");
    for (const [index, { cost }] of own.arms.entries()) {
      const { coldNano } = cost.total;
      expect(other.arms[index]?.cost.total.coldNano).toBe(coldNano === null ? null : 2 * coldNano);
      expect(other.arms[index]?.recall).toEqual(own.arms[index]?.recall);
    }
    expect(err).toMatch(
      /^\nAt the price "any" the ledger's \d+ billed calls come to \d+\.\d{4} USD\. Nothing was written/,
    );
    expect(readFileSync(join(priced, "report.json"), "utf8")).toBe(printed);
    expect(await closedBook("report", "--run", priced, "--prices", join(place, "none.json"))).toBe(2);
  });
});

describe("an offline run whose costs are shown at a price file", () => {
  it("has the same report from its folder alone, and keeps to that price when it is run again at another", async () => {
    const results = mkdtempSync(join(place, "offline-"));
    const flags = ["run", "--json", "--chain", chain, "--cuts", "48,84,120", "--arms", "codex", "--results", results];
    writeFileSync(prices, priceFile(3));
    await done(...flags, "--prices", prices);
    const shown = out;
    expect((JSON.parse(shown) as Report).money).toMatchObject({ priceId: "any", currency: "USD" });
    await done("report", "--run", folderIn(results), "--json");
    expect(out).toBe(shown);
    await done(...flags);
    expect(out).toBe(shown);
    expect(err).toContain("The run's folder records another price, and its report keeps to it");
  });
});

describe("a run at a price that nobody knows", () => {
  it("has no amounts and says why, in every form, and gets them with --prices", async () => {
    expect(await closedBook("report", "--run", unpriced, "--json")).toBe(0);
    expect(out).toBe(readFileSync(join(unpriced, "report.json"), "utf8"));
    const { money, arms } = JSON.parse(out) as Report;
    expect(money).toMatchObject({ priceId: null, currency: null });
    for (const { cost } of arms) {
      expect(cost.perTurnNano).toBeNull();
      expect(cost.costPerPointNano).toBeNull();
    }
    expect(arms.find(({ id }) => id === "futureos-summarized")?.cost.cacheShare).toBeGreaterThan(0);
    const markdown = readFileSync(join(unpriced, "report.md"), "utf8");
    expect(markdown).toContain("Costs are unknown: @pydantic/genai-prices knows no price of");
    expect(markdown).not.toContain("CNY");
    writeFileSync(prices, priceFile(4));
    expect(await closedBook("report", "--run", unpriced, "--prices", prices)).toBe(0);
    expect(out).toContain("What it costs in USD");
  });

  it("has no figures of costs, and says so", async () => {
    const drawn = mkdtempSync(join(place, "figures-"));
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    err = "";
    vi.spyOn(process.stderr, "write").mockImplementation(keep((text) => (err += text)));
    expect(await figures(["--run", unpriced, "--out", drawn])).toBe(0);
    expect(err).toContain("5-compaction-cost: not drawn, costs are unknown");
    expect(readFileSync(join(drawn, "3-three-way.vl.json"), "utf8")).toContain("price unknown");
    expect(readdirSync(drawn)).not.toContain("6-cost-per-point.png");
  });
});

describe("a run folder without its ledger", () => {
  it("gives no report, page or figure, and one line that names the file", async () => {
    const ledger = readFileSync(join(unpriced, "ledger.jsonl"));
    rmSync(join(unpriced, "ledger.jsonl"));
    for (const more of [[], ["--html"], ["--json"]]) {
      expect(await closedBook("report", "--run", unpriced, ...more)).toBe(2);
      expect(err).toMatch(/^[^\n]*ledger\.jsonl: is missing, so nobody knows what was asked and paid\.[^\n]*\n$/);
      expect(out).toBe("");
    }
    err = "";
    vi.spyOn(process.stderr, "write").mockImplementation(keep((text) => (err += text)));
    expect(await figures(["--run", unpriced, "--out", mkdtempSync(join(place, "figures-"))])).toBe(2);
    writeFileSync(join(unpriced, "ledger.jsonl"), ledger);
    expect(err).toContain("ledger.jsonl: is missing");
  });
});

describe("a run folder of an older version", () => {
  it("that records no rates gets a line and no amount", async () => {
    const record = priceIn(priced);
    const { pricing: _rates, ...older } = record;
    changePrice(priced, older);
    expect(await closedBook("report", "--run", priced)).toBe(0);
    changePrice(priced, record);
    expect(out).toContain(
      "Costs are unknown: this run's folder, made by an older version, records no rates. closed-book report --prices FILE reckons them.",
    );
    expect(out).not.toMatch(/CNY|USD/);
  });

  it("of an offline model is costed at the article's prices, as it was", async () => {
    const record = priceIn(priced);
    changePrice(priced, { source: "bills nothing" });
    expect(await closedBook("report", "--run", priced, "--json")).toBe(0);
    changePrice(priced, record);
    expect((JSON.parse(out) as Report).money).toMatchObject({ priceId: "article-flash", currency: "CNY" });
  });

  it("that keeps the report alone is printed as it is, and not costed anew", async () => {
    writeFileSync(prices, priceFile(4));
    expect(await closedBook("report", "--cache", "assumed")).toBe(2);
    expect(err).toMatch(
      /results\/reference: keeps the report and not the run, so it cannot be costed anew\..*--run\.\n$/,
    );
    expect(await closedBook("report", "--prices", prices)).toBe(2);
    expect(await closedBook("report", "--json")).toBe(0);
  });
});
