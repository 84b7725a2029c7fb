import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { defineArm, verbatim } from "../harness/arm.ts";
import { BudgetError, CompactionRefusedError, InterruptedError, ProviderError } from "../harness/errors.ts";
import { type LedgerRow, openLedger } from "../harness/models/ledger.ts";
import type { Provider } from "../harness/models/model.ts";
import { type SearcherName, searcherProvider } from "../harness/models/offline/searchers.ts";
import { yesProvider } from "../harness/models/offline/yes.ts";
import type { Pricing } from "../harness/models/prices.ts";
import { interfaceOf } from "../harness/open-book/interfaces.ts";
import { openBookManifest } from "../harness/open-book/manifest.ts";
import { type OpenBookChoice, planOpenBook } from "../harness/open-book/plan.ts";
import { type OpenBookReport, openBookReport } from "../harness/open-book/report.ts";
import { type Round, rounds as allRounds } from "../harness/open-book/rounds.ts";
import { runOpenBook } from "../harness/open-book/run.ts";
import { openBookMarkdown, openBookTerminal } from "../harness/open-book/tables.ts";
import { openToRead, openToRun, type RunFolder } from "../harness/run/folder.ts";
import { asJson, manifestOf, readManifest } from "../harness/run/manifest.ts";
import { runPlan } from "../harness/run/run.ts";
import { startOfflineServer } from "../harness/serve/server.ts";
import { compileFigure } from "./figures/draw.ts";
import { openBook as openBookFigure, openBookOfRun, publishedOpenBook } from "./figures/open-book.ts";
import { allArms, artifactsIn, priced, smallChain, smallPlan, type SmallPlan } from "./testing.ts";
import { closedBook } from "./testing-command.ts";

const newFolder = (): string => mkdtempSync(join(tmpdir(), "open-book-"));
const windowTokens = 1_000_000;
const failure = { provider: "test", status: undefined, charge: "none", decision: "request" } as const;

/** A finished closed run of a chain of which the newest 8,000 tokens lose about half. */
async function closedRun(small: SmallPlan = {}): Promise<RunFolder> {
  const plan = smallPlan({
    arms: allArms().filter(({ arm }) => ["codex", "recent"].includes(arm.id)),
    chains: [smallChain("alder", 60)],
    ...small,
  });
  const manifest = manifestOf(plan, "exam", "test");
  const folder = openToRun(join(newFolder(), manifest.runId), asJson(manifest));
  const { signal } = new AbortController();
  await runPlan(plan, folder, { pricing: { kind: "free" }, signal, onProgress: () => undefined });
  folder.close();
  return openToRead(folder.path);
}

let closed: RunFolder;
beforeAll(async () => {
  closed = await closedRun();
});
interface Settings {
  readonly provider?: Provider;
  readonly rounds?: readonly Round[];
  readonly choice?: Partial<OpenBookChoice>;
  readonly pricing?: Pricing;
  readonly budgetNano?: bigint;
  readonly signal?: AbortSignal;
  readonly results?: string;
  readonly from?: RunFolder;
  readonly retryFailed?: boolean;
}

const searcher = (name: SearcherName): Provider => searcherProvider(name, { windowTokens });

/** Runs an open book as the command does, and gives back its report. */
async function run({
  provider = searcher("offline-search"),
  rounds = allRounds,
  choice = {},
  pricing = priced,
  budgetNano,
  signal = new AbortController().signal,
  results = newFolder(),
  from = closed,
  retryFailed = false,
}: Settings = {}) {
  const offer = interfaceOf("journal", "recent");
  const plan = await planOpenBook(from, readManifest(from), { arm: "recent", offer, provider, ...choice });
  const manifest = openBookManifest(plan, "test", {});
  const folder = openToRun(join(results, manifest.runId), asJson(manifest));
  try {
    const { sheets, ledger } = await runOpenBook(plan, folder, {
      rounds,
      pricing,
      signal,
      retryFailed,
      retries: { maxAttempts: 2, firstWaitMs: 1, maxWaitMs: 1 },
      onProgress: () => undefined,
      ...(budgetNano === undefined ? {} : { budgetNano }),
    });
    return { ...openBookReport(manifest.runId, plan, rounds, sheets, ledger, pricing), folder, ledger, plan };
  } finally {
    folder.close();
  }
}

/** All rounds with a searcher, run once for all tests that only look at the outcome. */
const finished = new Map<SearcherName, ReturnType<typeof run>>();
function whole(name: SearcherName = "offline-search"): ReturnType<typeof run> {
  const known = finished.get(name) ?? run({ provider: searcher(name) });
  finished.set(name, known);
  return known;
}

/** A provider that calls `before` with the number of the request and then does as the inner one. */
function watched(inner: Provider, before: (sent: number) => void): { provider: Provider; sent: () => number } {
  let sent = 0;
  const send: Provider["send"] = async (body, signal) => {
    before(++sent);
    return inner.send(body, signal);
  };
  return { provider: { ...inner, send }, sent: () => sent };
}

const round = (report: OpenBookReport, name: Round["round"]) => {
  const found = report.rounds.find((one) => one.round === name);
  if (found === undefined) throw new Error(`no round ${name}`);
  return found;
};
const ledgerRows = (folder: RunFolder): readonly LedgerRow[] => openLedger(folder.at("ledger.jsonl")).rows();

describe("the scripted searchers in an open book", () => {
  it("recover everything that the journal holds when they search everything", async () => {
    const { report } = await whole();
    const { targets, kept, sheets } = report.exam;
    expect(targets - kept).toBeGreaterThan(5);
    for (const name of [1, 2, 3, 5] as const) {
      const { recall, values, sheets: asked, gained } = round(report, name);
      expect(recall).toEqual({ hits: targets, of: targets });
      expect(values).toMatchObject({ keptAndConfirmed: kept, recovered: targets - kept, guessed: 0 });
      expect(asked).toMatchObject({ asked: sheets, withoutCall: 0 });
      expect(gained.overClosed).toBe(targets - kept);
    }
  });

  it("gain nothing when they search nothing, in every round", async () => {
    const { report } = await whole("offline-never");
    const { targets, kept, sheets } = report.exam;
    for (const one of report.rounds) {
      expect(one.recall).toEqual({ hits: kept, of: targets });
      expect(one).toMatchObject({
        toolCalls: 0,
        bytesRead: 0,
        gained: { values: 0, perCall: null, perKilobyte: null },
      });
      expect(one.values.lostAndNeverSearched).toBe(targets - kept);
      expect(one.sheets.withoutCall).toBe(sheets);
    }
    expect(round(report, 5).oddities).toEqual({ "ignored the forced call": sheets });
  });

  it("gain part of it when they search every second value, with about half the calls", async () => {
    const [half, full] = [await whole("offline-half"), await whole()];
    const [some, all] = [round(half.report, 1), round(full.report, 1)];
    expect(some.values.recovered).toBeGreaterThan(0);
    expect(some.values.recovered).toBeLessThan(all.values.recovered);
    expect(some.values.lostAndNeverSearched).toBe(all.values.recovered - some.values.recovered);
    expect(some.toolCalls).toBeLessThan(0.6 * all.toolCalls);
    expect(some.toolCalls).toBeGreaterThan(0.4 * all.toolCalls);
  });

  it("never confirm a decoy, although they look for every one", async () => {
    const { report } = await whole();
    for (const one of report.rounds) expect(one.decoys.confirmed).toBe(0);
    expect(round(report, 1).decoys.searched).toBe(report.exam.decoys);
  });

  it("do as in the closed run where there are no tools: recall of closed and of the control is survival", async () => {
    const { report } = await whole();
    for (const name of ["closed", 4] as const) {
      expect(round(report, name).recall).toEqual({ hits: report.exam.kept, of: report.exam.targets });
      expect(round(report, name)).toMatchObject({ toolCalls: 0, design: "no tools" });
    }
  });

  it("put every target that was asked into one class, and the hits into the confirmed ones", async () => {
    for (const name of ["offline-never", "offline-search", "offline-half"] as const) {
      const { report, rows } = await whole(name);
      for (const { values, recall, round: at } of report.rounds) {
        expect(Object.values(values).reduce((sum, count) => sum + count, 0)).toBe(recall.of);
        expect(values.keptAndConfirmed + values.recovered + values.guessed).toBe(recall.hits);
        const outcomes = rows.filter((row) => row.round === at).flatMap(({ outcome }) => outcome ?? []);
        expect(outcomes).toHaveLength(recall.of);
      }
    }
  });

  it("recover nothing of what comes after a sheet's boundary", async () => {
    const { plan } = await whole();
    const [first] = plan.sheets;
    const later = plan.closed.chains[0]?.journal.slice(first?.journal.length).at(-1);
    const lookups = plan.offer.open({ journal: first?.journal ?? [], compactedAt: [] });
    expect(lookups.serve("history_get", { entry: later?.id ?? "" })).toMatchObject({ kind: "refused" });
  });
});

describe("an open-book run", () => {
  it("asks round closed exactly what the closed run asked", async () => {
    const { folder } = await run({ rounds: allRounds.slice(0, 1) });
    const asked = (rows: readonly LedgerRow[]): string[] =>
      rows
        .flatMap((row) =>
          row.row === "reserve" && row.arm === "recent" && row.purpose === "answer" ? [row.request] : [],
        )
        .sort();
    const before = asked(openLedger(closed.at("ledger.jsonl")).rows());
    const model = (hash: string): boolean => before.includes(hash);
    // The offline models' bodies name their model, so the requests are compared without it.
    expect(asked(ledgerRows(folder))).toHaveLength(before.length);
    const same = await run({ rounds: allRounds.slice(0, 1), provider: smallPlan().provider });
    expect(asked(ledgerRows(same.folder)).every(model)).toBe(true);
  });

  it("keeps a key of its own for every reply, apart from the closed run's", async () => {
    const same = await run({ provider: smallPlan().provider });
    const keys = (rows: readonly LedgerRow[]): string[] =>
      rows.flatMap((row) => (row.row === "reserve" ? [row.key] : []));
    const mine = keys(ledgerRows(same.folder));
    const theirs = new Set(keys(openLedger(closed.at("ledger.jsonl")).rows()));
    expect(new Set(mine).size).toBe(mine.length);
    expect(mine.filter((key) => theirs.has(key))).toEqual([]);
  });

  it("sends nothing the second time and gives the same report", async () => {
    const results = newFolder();
    const first = watched(searcher("offline-search"), () => undefined);
    const { report } = await run({ provider: first.provider, results });
    const second = watched(searcher("offline-search"), () => undefined);
    expect((await run({ provider: second.provider, results })).report).toEqual(report);
    expect(first.sent()).toBe(30);
    expect(second.sent()).toBe(0);
  });

  it("adds rounds to the same folder and keeps what is there", async () => {
    const results = newFolder();
    await run({ rounds: allRounds.slice(0, 1), results });
    const more = watched(searcher("offline-search"), () => undefined);
    const { report } = await run({ rounds: allRounds.slice(0, 2), provider: more.provider, results });
    expect(readdirSync(results)).toHaveLength(1);
    expect(more.sent()).toBe(round(report, 1).turns);
  });

  it("is byte for byte the same when it was stopped after any number of replies, with equal money and no key asked twice", async () => {
    const undisturbed = await run({ rounds: allRounds.slice(0, 2) });
    const expected = artifactsIn(undisturbed.folder.path);
    const money = openLedger(undisturbed.folder.at("ledger.jsonl")).spentNano();
    expect(undisturbed.ledger.filter(({ row }) => row === "settle")).toHaveLength(9);
    for (const replies of [1, 3, 4, 6, 8]) {
      const results = newFolder();
      const controller = new AbortController();
      const stopping = watched(searcher("offline-search"), (sent) => {
        if (sent <= replies) return;
        controller.abort();
        throw new ProviderError("stopped before it was sent", failure);
      });
      const settings = { rounds: allRounds.slice(0, 2), results };
      const stopped = run({ ...settings, provider: stopping.provider, signal: controller.signal });
      await expect(stopped).rejects.toThrow(InterruptedError);
      const rest = watched(searcher("offline-search"), () => undefined);
      const { folder } = await run({ ...settings, provider: rest.provider });
      expect(artifactsIn(folder.path)).toEqual(expected);
      expect(openLedger(folder.at("ledger.jsonl")).spentNano()).toBe(money);
      const settled = ledgerRows(folder).filter(({ row }) => row === "settle");
      expect(settled).toHaveLength(9);
      expect(rest.sent()).toBe(settled.length - replies);
    }
  });

  it("stops at the budget without exceeding it, and goes on when it is raised", async () => {
    const unlimited = await whole();
    const budgetNano = openLedger(unlimited.folder.at("ledger.jsonl")).spentNano() / 2n;
    const results = newFolder();
    await expect(run({ results, budgetNano })).rejects.toThrow(BudgetError);
    const folder = join(results, readdirSync(results)[0] ?? "");
    expect(openLedger(join(folder, "ledger.jsonl")).spentNano()).toBeLessThanOrEqual(budgetNano);
    expect((await run({ results })).report).toEqual(unlimited.report);
  });

  it("shows a sheet whose provider failed as failed, outside every denominator, and asks the others", async () => {
    const inner = searcher("offline-search");
    const failing = watched(inner, (sent) => {
      if (sent === 2) throw new ProviderError("test: no such luck", failure);
    });
    const settings = { rounds: allRounds.slice(0, 1), results: newFolder() };
    const { report } = await run({ ...settings, provider: failing.provider });
    expect(report.failures).toMatchObject([{ round: "closed", reason: "test: no such luck" }]);
    expect(round(report, "closed").recall.of).toBeLessThan(report.exam.targets);
    expect(round(report, "closed").sheets).toMatchObject({ failed: 1, asked: report.exam.sheets - 1 });
    expect(openBookTerminal(report)).toContain("test: no such luck");
    expect((await run(settings)).report).toEqual(report);
    const mended = (await run({ ...settings, retryFailed: true })).report;
    expect(mended.failures).toEqual([]);
    expect(round(mended, "closed").recall.of).toBe(report.exam.targets);
  });

  it("retries what a provider asks to retry, and each attempt has its own reservation", async () => {
    const retryable = { ...failure, decision: "retry" } as const;
    const flaky = watched(searcher("offline-search"), (sent) => {
      if (sent % 5 === 1) throw new ProviderError("busy", retryable);
    });
    const { report, folder } = await run({ provider: flaky.provider, rounds: allRounds.slice(0, 2) });
    expect(report.failures).toEqual([]);
    expect(ledgerRows(folder).filter(({ row }) => row === "release").length).toBeGreaterThan(2);
    expect(round(report, 1).recall.hits).toBe(report.exam.targets);
  });

  it("catches the model that confirms everything by every decoy, and calls its lost values guesses", async () => {
    const { report } = await run({ provider: yesProvider({ windowTokens }) });
    const { values, decoys } = round(report, 1);
    expect(decoys.confirmed).toBe(report.exam.decoys);
    expect(values).toMatchObject({ recovered: 0, guessed: report.exam.targets - report.exam.kept });
    expect(openBookTerminal(report)).toContain("CAUGHT");
    expect(openBookTerminal(report)).toContain("guesses, counted as hits");
  });

  it("spends in the report what the ledger spent, round by round", async () => {
    const { report, folder } = await whole();
    const sum = report.rounds.reduce((total, { money }) => total + BigInt(money.spentNano ?? 0), 0n);
    expect(sum).toBe(openLedger(folder.at("ledger.jsonl")).spentNano());
    for (const { money, spending, turns } of report.rounds) {
      expect(BigInt(money.spentNano ?? 0)).toBeGreaterThan(0n);
      expect(spending.calls).toBe(turns);
    }
    expect(
      (await run({ rounds: allRounds.slice(0, 1), pricing: { kind: "unknown" } })).report.rounds[0]?.money.spentNano,
    ).toBeNull();
  });

  it("shows sheets without a projection, because the closed run failed there, as in no denominator", async () => {
    const refusing = defineArm({
      id: "recent",
      title: "Refuses at the second boundary",
      source: { kind: "control" },
      options: {},
      compact: ({ journal, previous }) =>
        previous === undefined
          ? Promise.resolve({
              kind: "compacted",
              projection: journal.slice(0, 1).map((one) => verbatim("tail", one)),
              state: null,
            })
          : Promise.reject(new CompactionRefusedError("no room")),
    });
    const { report } = await run({ from: await closedRun({ arms: [{ arm: refusing, sourceDigest: "1" }] }) });
    expect(report.lost.map(({ reason }) => reason)).toEqual(["no room", "no room"]);
    expect(round(report, 1).recall.of).toBe(report.exam.targets);
    expect(openBookTerminal(report)).toContain("in no denominator, because the closed run failed there: no room");
  });

  it("does not ask a sheet that does not fit, and says so", async () => {
    const tight = searcherProvider("offline-search", { windowTokens: 8_192 + 200 });
    const { report } = await run({ provider: tight, rounds: allRounds.slice(0, 1) });
    expect(round(report, "closed")).toMatchObject({ recall: { hits: 0, of: 0 }, sheets: { asked: 0 } });
    expect(openBookTerminal(report)).toContain("do not fit the window");
  });

  it("calls round 5 an upper bound in every table, in the JSON and in every row", async () => {
    const { report, rows } = await run({ rounds: allRounds.slice(4) });
    const printed = openBookTerminal(report)
      .split("\n")
      .filter((line) => /^5\b/.test(line));
    expect(printed).toHaveLength(4);
    for (const line of printed) expect(line).toMatch(/^5 \(upper bound\)/);
    for (const line of openBookMarkdown(report).match(/^\| 5.*$/gm) ?? [])
      expect(line).toMatch(/^\| 5 \(upper bound\)/);
    expect(round(report, 5).bound).toBe("upper bound");
    for (const row of rows) expect(row.bound).toBe(row.round === 5 ? "upper bound" : null);
  });

  it("differs in its folder when the projections do, even under one closed run's id", async () => {
    const { plan } = await run({ rounds: [] });
    const idOf = (projection: (typeof plan.sheets)[number]["projection"]): string => {
      const [first, ...others] = plan.sheets;
      return openBookManifest({ ...plan, sheets: first ? [{ ...first, projection }, ...others] : [] }, "test", {})
        .runId;
    };
    expect(idOf(plan.sheets[0]?.projection ?? [])).not.toBe(idOf([]));
  });

  it("writes no time and no path into an artifact", async () => {
    const { folder } = await run({ rounds: allRounds.slice(0, 2) });
    for (const [name, text] of artifactsIn(folder.path)) {
      expect(text, name).not.toContain(tmpdir());
      expect(text, name).not.toMatch(/\b20\d\d-\d\d-\d\dT\d\d:/);
    }
  });
});

describe("figure 9", () => {
  const barsOf = (spec: unknown): { round: string; part: string; count: number }[] =>
    (JSON.stringify(spec).match(/\{"round":[^}]*\}/g) ?? []).map(
      (row) => JSON.parse(row) as { round: string; part: string; count: number },
    );

  it("draws a run's rounds beside the published ones, every value of every round in one part", async () => {
    for (const { report } of [await whole(), await whole("offline-never"), await whole("offline-half")]) {
      const spec = openBookFigure([openBookOfRun(report), publishedOpenBook()]);
      expect(() => compileFigure(spec)).not.toThrow();
      const bars = barsOf(spec);
      const sums = new Map<string, number>();
      for (const { round: name, count } of bars) sums.set(name, (sums.get(name) ?? 0) + count);
      expect([...sums.values()]).toEqual(Array.from({ length: 6 }, () => report.exam.targets + 178));
      expect(sums.has("Round 5 (upper bound)")).toBe(true);
      const found = bars.filter(({ part }) => part.includes("found by search")).map(({ count }) => count);
      expect(found.slice(0, 6)).toEqual(report.rounds.map(({ values }) => values.recovered));
    }
  });

  it("shows guesses as such, and only where there are any", async () => {
    const { report } = await run({ provider: yesProvider({ windowTokens }), rounds: allRounds.slice(0, 2) });
    const spec = openBookFigure([openBookOfRun(report)]);
    expect(() => compileFigure(spec)).not.toThrow();
    const guessed = barsOf(spec).filter(({ part }) => part.includes("guessed"));
    expect(guessed.map(({ count }) => count)).toEqual(report.rounds.map(({ values }) => values.guessed));
    expect(JSON.stringify(openBookFigure())).not.toContain("guessed");
  });
});

const command = (...flags: string[]) => closedBook("open-book", ...flags);

/** Path of the open-book folder beside a closed run's. */
function openBookIn({ path }: RunFolder): string {
  const results = join(path, "..");
  return join(results, readdirSync(results).find((name) => name.startsWith("open-book-")) ?? "");
}

describe("closed-book open-book", () => {
  it("runs a finished run's rounds, prints the tables and puts its folder beside the run's", async () => {
    const { code, out } = await command("--run", closed.path, "--arm", "recent");
    expect(code).toBe(0);
    expect(out).toContain("not an LLM");
    expect(out).toMatch(/^5 \(upper bound\) +required +15\/15 100\.0 %/m);
    const folder = openBookIn(closed);
    expect(out).toContain(join(folder, "report.md"));
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(["dialogues", "ledger.jsonl", "manifest.json", "report.json", "report.md", "values.csv"]),
    );
  });

  it("prints only the report on stdout with --json: the rounds that were asked for", async () => {
    const { out, err } = await command("--run", closed.path, "--arm", "recent", "--rounds", "5,closed", "--json");
    const report = JSON.parse(out) as OpenBookReport;
    expect(report.rounds.map(({ round: name }) => name)).toEqual(["closed", 5]);
    expect(report.rounds[1]).toMatchObject({
      design: "required",
      bound: "upper bound",
      published: { hits: 166, of: 178 },
    });
    expect(err).toContain("report.md");
  });

  it.each(["openai", "anthropic"])("gives through the %s SDK what the model in this process gives", async (style) => {
    const server = await startOfflineServer({ model: "offline-search" });
    process.env[`${style.toUpperCase()}_API_KEY`] = "key-123";
    try {
      const flags = ["--run", closed.path, "--arm", "recent", "--rounds", "closed,1,5", "--json"];
      const here = JSON.parse((await command(...flags)).out) as OpenBookReport;
      const baseUrl = style === "openai" ? `${server.baseUrl}/v1` : server.baseUrl;
      const remote = ["--model", `${style}:some-model`, "--base-url", baseUrl, "--window", "1000000", "--yes"];
      const { out, err, code } = await command(...flags, ...remote);
      expect(code, err).toBe(0);
      const there = JSON.parse(out) as OpenBookReport;
      const scores = ({ rounds }: OpenBookReport) =>
        rounds.map(({ spending: _spending, money: _money, ...scored }) => scored);
      expect(scores(there)).toEqual(scores(here));
      expect(there.rounds[1]?.spending.usage.cacheReadTokens).toBeGreaterThan(0);
      expect(server.totals().refused).toBe(0);
    } finally {
      delete process.env[`${style.toUpperCase()}_API_KEY`];
      await server.close();
    }
  });

  it("asks before it spends, with an estimate of every round, and sends nothing where nobody says yes", async () => {
    const server = await startOfflineServer({ model: "offline-search" });
    process.env["OPENAI_API_KEY"] = "key-123";
    try {
      const remote = ["--model", "openai:m", "--base-url", `${server.baseUrl}/v1`, "--window", "1000000"];
      const { code, err } = await command("--run", closed.path, "--arm", "recent", "--rounds", "1", ...remote);
      expect(code).toBe(2);
      expect(err).toMatch(/may cost an unknown sum\. Add --yes/);
      expect(server.log).toEqual([]);
    } finally {
      delete process.env["OPENAI_API_KEY"];
      await server.close();
    }
  });

  it("runs with the interface that the arm's own design offers", async () => {
    const { out } = await command(
      "--run",
      closed.path,
      "--arm",
      "codex",
      "--rounds",
      "1",
      "--interface",
      "product",
      "--json",
    );
    const report = JSON.parse(out) as OpenBookReport;
    expect(report.interface.id).toBe("windows");
    expect(report.rounds[0]?.toolCalls).toBe(0);
  });

  it.each<[string, string[], RegExp]>([
    ["an unknown arm", ["--arm", "codx"], /No arm "codx"\. Did you mean "codex"\?/],
    ["an unknown round", ["--arm", "recent", "--rounds", "1,7"], /No round "7"\. Rounds: closed, 1/],
    ["an unknown model", ["--arm", "recent", "--model", "offline-serch"], /Did you mean "offline-search"\?/],
    ["an arm that offers nothing", ["--arm", "recent", "--interface", "product"], /--interface journal/],
    [
      "a forced call with thinking",
      ["--arm", "recent", "--model", "anthropic:m", "--thinking", "high"],
      /Round 5 forces/,
    ],
  ])("answers %s with one line and exit code 2", async (_what, flags, message) => {
    process.env["ANTHROPIC_API_KEY"] = "key-123";
    const { code, out, err } = await command("--run", closed.path, "--window", "1000000", ...flags);
    delete process.env["ANTHROPIC_API_KEY"];
    expect(err).toMatch(message);
    expect(err.trimEnd()).not.toContain("\n");
    expect({ code, out }).toEqual({ code: 2, out: "" });
  });

  it("names a run that is not finished for the arm, and what to do", async () => {
    const unfinished = await closedRun();
    const one = readdirSync(unfinished.at("answers")).find((name) => name.includes("recent"));
    rmSync(unfinished.at(`answers/${one}`));
    const { code, err } = await command("--run", unfinished.path, "--arm", "recent");
    expect(code).toBe(2);
    expect(err).toMatch(/has not finished recent on .* Finish it with closed-book run first\./);
  });

  it("names a dialogue that was changed by hand", async () => {
    const own = await closedRun();
    await command("--run", own.path, "--arm", "recent", "--rounds", "1");
    const folder = openBookIn(own);
    const dialogues = join(folder, "dialogues");
    writeFileSync(join(dialogues, readdirSync(dialogues)[0] ?? ""), "{");
    const { code, err } = await command("--run", own.path, "--arm", "recent", "--rounds", "1");
    expect(code).toBe(2);
    expect(err).toMatch(/dialogues\/.*\.json: is not JSON/);
    expect(readFileSync(join(folder, "manifest.json"), "utf8")).toContain('"kind": "open-book"');
  });
});
