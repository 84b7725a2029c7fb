import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseLedger } from "../../harness/models/ledger.ts";
import { openToRead, type RunFolder } from "../../harness/run/folder.ts";
import type { RunPlan } from "../../harness/run/plan.ts";
import { readFileSync } from "node:fs";
import { pageData } from "./build.ts";
import type { PageData, PageQuestion } from "./data.ts";
import { clipped, excerptAt } from "./excerpts.ts";
import { pageHtml } from "./html.ts";
import { finishedRun, pagePlan } from "./testing.ts";

let plan: RunPlan;
let folder: RunFolder;
let data: PageData;
let html: string;
beforeAll(async () => {
  plan = pagePlan();
  folder = await finishedRun(plan);
  data = await pageData(folder, () => undefined);
  html = await pageHtml(data);
}, 60_000);

const outcomeIn = (question: PageQuestion, arm: string) => question.arms[data.arms.findIndex(({ id }) => id === arm)];

describe("a page's data", () => {
  it("has every question of every sheet, with one outcome an arm", () => {
    expect(data.questions).toHaveLength(plan.chains.length * 3 * 7);
    for (const { arms } of data.questions) expect(arms).toHaveLength(plan.arms.length);
  });

  it("shows each target where it stood, in a record of its chain", () => {
    const targets = data.questions.filter(({ kind }) => kind === "target");
    expect(targets).toHaveLength(plan.chains.length * 3 * 5);
    for (const { value, place, chain } of targets) {
      const records = plan.chains.find((one) => one.chain.name === chain)?.chain.records ?? [];
      expect(records.map(({ id }) => id)).toContain(place?.record);
      expect(place?.excerpt.value).toBe(value);
    }
    for (const { place } of data.questions.filter(({ kind }) => kind === "decoy")) expect(place).toBeNull();
  });

  it("says in which part a value survived, and shows it there", () => {
    const kept = data.questions
      .flatMap((question) => outcomeIn(question, "futureos-deterministic") ?? [])
      .filter(({ part }) => typeof part === "string");
    expect(new Set(kept.map(({ part }) => part)).size).toBeGreaterThan(1);
    for (const { excerpt } of kept) expect(excerpt).toBeDefined();
    for (const question of data.questions)
      expect(outcomeIn(question, "empty")).toEqual({ outcome: "left out", part: null });
    for (const question of data.questions.filter(({ kind }) => kind === "target"))
      expect(outcomeIn(question, "full")?.part).toBe("original");
  });

  it("has a cell for every arm and boundary, and keeps the whole history by reference", () => {
    const boundaries = plan.chains.reduce((sum, chain) => sum + chain.boundaries.length, 0);
    expect(data.cells).toHaveLength(boundaries * plan.arms.length);
    for (const cell of data.cells.filter(({ arm }) => arm === "full"))
      expect(cell.messages).toEqual([expect.objectContaining({ leftOut: expect.any(Number) })]);
  });

  it("shows every character of a short projection, in order", () => {
    const cell = data.cells.find(({ arm, chain, end }) => arm === "codex" && chain === "alder" && end === 16);
    const shown = cell?.messages.flatMap((message) =>
      "pieces" in message ? message.pieces.map(({ text }) => data.texts[text]) : [],
    );
    expect(shown?.join("").length).toBeGreaterThan(100);
    const total = cell?.messages.reduce(
      (sum, message) =>
        sum + ("pieces" in message ? message.pieces.reduce((chars, piece) => chars + piece.chars, 0) : 0),
      0,
    );
    expect(shown?.join("").length).toBe(total);
  });

  it("rebuilds as many compaction requests as the ledger has, with the size that was billed", () => {
    const path = folder.at("ledger.jsonl");
    const asked = parseLedger(path, readFileSync(path)).rows.filter(
      (row) => row.row === "reserve" && row.purpose === "compact",
    );
    const outlines = data.cells.flatMap(({ requests }) => requests.filter(({ purpose }) => purpose === "compact"));
    expect(outlines).toHaveLength(asked.length);
    expect(data.cells.every(({ requestsMissing }) => requestsMissing === "")).toBe(true);
    for (const { tokens, systemTokens, tools, messages } of outlines)
      expect(messages.reduce((sum, message) => sum + message.tokens, systemTokens + tools.tokens)).toBe(tokens);
  });

  it("says why requests are not shown where an arm has changed since the run", async () => {
    const changed = await finishedRun(
      pagePlan({ arms: plan.arms.slice(0, 1).map(({ arm }) => ({ arm, sourceDigest: "older" })) }),
    );
    const { cells } = await pageData(changed, () => undefined);
    expect(cells[0]?.requestsMissing).toBe("the arm's source has changed since the run");
  }, 30_000);
});

describe("a page", () => {
  it("is one file: it loads nothing and forbids it", () => {
    expect(html.includes("default-src 'none'")).toBe(true);
    const markup = html.replaceAll(/<script[^>]*>[\s\S]*?<\/script>/g, "").replaceAll(/<style>[\s\S]*?<\/style>/g, "");
    expect(markup).not.toMatch(/\b(?:src|href)="(?!#)/);
  });

  it("ends no script early, whatever a run's texts say", async () => {
    const texts = ["</script><script>alert(1)</script>", "<!-- <script>"];
    const page = await pageHtml({ ...data, texts, conditions: ['<img src="x">'] });
    expect(page.match(/<script/g)?.length).toBe(html.match(/<script/g)?.length);
    expect(page.includes('<img src="x">')).toBe(false);
    const stored = /<script id="data" type="application\/json">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "";
    expect((JSON.parse(stored) as PageData).texts).toEqual(texts);
  });

  it("is the same for the same run", async () => {
    expect((await pageHtml(await pageData(folder, () => undefined))) === html).toBe(true);
  }, 30_000);
});

describe("a folder that gives no page", () => {
  it("is one where the run is not finished", async () => {
    const stop = new AbortController();
    stop.abort();
    const unfinished = await finishedRun(pagePlan(), stop.signal);
    await expect(pageData(unfinished, () => undefined)).rejects.toThrow(/answers.*is missing|not finished/);
  });

  it("is one that keeps only the report", async () => {
    const empty = join(mkdtempSync(join(tmpdir(), "page-")), "none");
    expect(() => openToRead(empty)).toThrow("no run there");
    const bare = await finishedRun(pagePlan({ arms: plan.arms.slice(0, 1) }));
    rmSync(bare.at("answers"), { recursive: true });
    await expect(pageData(bare, () => undefined)).rejects.toThrow("keeps a report and not the run");
  }, 30_000);
});

describe("excerpts", () => {
  it("have the value whole and some text on both sides", () => {
    const text = `${"a".repeat(300)}VALUE${"b".repeat(300)}`;
    const { before, value, after } = excerptAt(text, 300, 5);
    expect([before.length, value, after.length]).toEqual([91, "VALUE", 91]);
    expect(excerptAt("VALUE", 0, 5)).toEqual({ before: "", value: "VALUE", after: "" });
  });

  it("say how much of a long text was left out, and cut no character in two", () => {
    const long = `${"x".repeat(1499)}😕${"y".repeat(5000)}`;
    expect(clipped("short")).toBe("short");
    expect(clipped(long)).toContain("4,501 characters left out");
    expect(clipped(long).isWellFormed()).toBe(true);
  });
});
