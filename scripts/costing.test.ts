import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { ContextOverflowError } from "../harness/errors.ts";
import { type LedgerRow, parseLedger } from "../harness/models/ledger.ts";
import type { ModelRequest } from "../harness/models/model.ts";
import { reportOf } from "../harness/report/report.ts";
import type { RunFolder } from "../harness/run/folder.ts";
import { readManifest, reopenPlan } from "../harness/run/manifest.ts";
import { readCells } from "../harness/run/run.ts";
import { costingOf, withRunnableArms } from "./costing.ts";
import { finishedRun, pagePlan } from "./page/testing.ts";
import { recordedReplies } from "./recorded.ts";

const plan = pagePlan();
let folder: RunFolder;
let rows: readonly LedgerRow[];
beforeAll(async () => {
  folder = await finishedRun(plan);
  rows = parseLedger("", readFileSync(folder.at("ledger.jsonl"))).rows;
});

const costsIn = async (cache: "measured" | "assumed") => {
  const costing = await costingOf(plan, rows, cache);
  const { report } = reportOf("page", plan, await readCells(plan, folder), rows, costing);
  return report;
};

describe("costingOf", () => {
  it("measures that an arm which asks within its session shares the prefix, and that others share nothing", async () => {
    const { arms, money } = await costsIn("measured");
    const shares = Object.fromEntries(arms.map(({ id, cost }) => [id, cost.cacheShare]));
    expect(shares["futureos-summarized"]).toBeGreaterThan(0.5);
    expect(shares["opencode"]).toBe(0);
    expect(shares["codex"]).toBe(0);
    expect(shares["full"]).toBeNull();
    expect(money.cache).toContain("measured");
  });

  it("assumes the article's share where it is told to", async () => {
    const { arms, money } = await costsIn("assumed");
    expect(arms.find(({ id }) => id === "codex")?.cost.cacheShare).toBeCloseTo(0.98, 3);
    expect(money.cache).toBe("assumed 0.98");
  });

  it("measures the same from a folder that is opened again", async () => {
    const manifest = readManifest(folder);
    const reopened = withRunnableArms(reopenPlan(folder, manifest), manifest);
    const [here, there] = await Promise.all([costingOf(plan, rows, "measured"), costingOf(reopened, rows, "measured")]);
    if (here.cache.kind !== "measured" || there.cache.kind !== "measured") throw new Error("not measured");
    const place = { arm: "futureos-summarized", chain: "alder", end: 28 };
    expect(there.cache.shareOf(place)).toBe(here.cache.shareOf(place));
    expect(here.cache.shareOf(place)).toBeGreaterThan(0);
  });

  it("knows no share of an arm whose source has changed since the run", async () => {
    const manifest = readManifest(folder);
    const arms = manifest.identity.arms.map((arm) => ({ ...arm, source: "older" }));
    const changed = { ...manifest, identity: { ...manifest.identity, arms } };
    const { cache } = await costingOf(withRunnableArms(reopenPlan(folder, manifest), changed), rows, "measured");
    expect(cache.kind === "measured" && cache.shareOf({ arm: "codex", chain: "alder", end: 28 })).toBeNull();
  });
});

describe("recordedReplies", () => {
  const request = (purpose: ModelRequest["purpose"]): ModelRequest => ({
    purpose,
    cacheKey: "",
    system: "",
    tools: [],
    toolChoice: "none",
    messages: [],
    maxOutputTokens: 1,
  });

  it("gives a step's replies in order and by purpose, and refuses a request that the ledger does not have", async () => {
    const complete = recordedReplies(rows).forStep({ chain: "alder", end: 16, arm: "codex" });
    expect((await complete(request("answer"))).text).toContain("appeared");
    expect((await complete(request("compact"))).text).toContain("extractive summariser");
    await expect(complete(request("compact"))).rejects.toThrow(ContextOverflowError);
  });

  it("gives the next step that asks the same place everything again", async () => {
    const meter = recordedReplies(rows);
    const place = { chain: "alder", end: 16, arm: "codex" };
    const first = await meter.forStep(place)(request("compact"));
    expect(await meter.forStep(place)(request("compact"))).toEqual(first);
  });
});
