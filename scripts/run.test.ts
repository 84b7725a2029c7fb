import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Arm, defineArm, verbatim } from "../harness/arm.ts";
import { paired } from "../harness/chain/message.ts";
import { BudgetError, CompactionRefusedError, InterruptedError, ProviderError } from "../harness/errors.ts";
import { openLedger } from "../harness/models/ledger.ts";
import type { Provider } from "../harness/models/model.ts";
import { offlineProvider } from "../harness/models/offline/offline.ts";
import { yesProvider } from "../harness/models/offline/yes.ts";
import type { Pricing } from "../harness/models/prices.ts";
import { reportOf } from "../harness/report/report.ts";
import { noteLines, terminalReport } from "../harness/report/tables.ts";
import { openToRead, openToRun } from "../harness/run/folder.ts";
import { asJson, manifestOf } from "../harness/run/manifest.ts";
import type { Cell } from "../harness/run/cell.ts";
import type { RunPlan } from "../harness/run/plan.ts";
import type { CellChoice } from "../harness/run/selection.ts";
import { runPlan } from "../harness/run/run.ts";
import { writeReport } from "./execute.ts";
import { loadReport } from "./load-report.ts";
import { allArms, artifactsIn, priced, smallPlan } from "./testing.ts";

const failure = { provider: "offline", status: undefined, charge: "none", decision: "request" } as const;
const newFolder = (): string => mkdtempSync(join(tmpdir(), "run-"));

/** Runs a plan into a folder as the command does, and gives back its report. */
async function run(
  plan: RunPlan,
  results: string,
  {
    pricing = priced,
    signal = new AbortController().signal,
    budgetNano,
  }: { pricing?: Pricing; signal?: AbortSignal; budgetNano?: bigint } = {},
) {
  const manifest = manifestOf(plan, "small", "test");
  const folder = openToRun(join(results, manifest.runId), asJson(manifest));
  try {
    const { cells, ledger } = await runPlan(plan, folder, {
      pricing,
      signal,
      onProgress: () => undefined,
      ...(budgetNano === undefined ? {} : { budgetNano }),
    });
    const { report, rows } = reportOf(manifest.runId, plan, cells, ledger);
    writeReport(folder, report, rows);
    return { report, folder };
  } finally {
    folder.close();
  }
}

/** The offline provider, counting what it is sent and calling `before` first. */
function counted(before: (sent: number) => void = () => undefined): { provider: Provider; sent: () => number } {
  const inner = offlineProvider({ windowTokens: 1_000_000 });
  let sent = 0;
  return {
    provider: {
      ...inner,
      send: (body, signal) => {
        before(++sent);
        return inner.send(body, signal);
      },
    },
    sent: () => sent,
  };
}

describe("a run", () => {
  it("has recall equal to survival under the offline model, for every arm, chain, source and age", async () => {
    const { report } = await run(smallPlan(), newFolder());
    for (const arm of report.arms) {
      expect(arm.recall).toEqual(arm.survival);
      for (const view of [arm.byChain, arm.byGroup, arm.bySource, arm.byAge])
        for (const kept of Object.values(view)) expect(kept.recall).toEqual(kept.survival);
      expect(arm.decoys.confirmed).toBe(0);
    }
    const recall = Object.fromEntries(report.arms.map((arm) => [arm.id, arm.recall.hits]));
    expect(recall["full"]).toBe(report.exam.targets);
    expect(recall["empty"]).toBe(0);
  });

  it("has recall equal to survival in the flattened form too", async () => {
    const { report } = await run(smallPlan({ options: { probe: "flat" } }), newFolder());
    for (const arm of report.arms) expect(arm.recall).toEqual(arm.survival);
  });

  it("confirms every decoy under the model that says yes, and says so loudly", async () => {
    const { report } = await run(smallPlan({ provider: yesProvider({ windowTokens: 1_000_000 }) }), newFolder());
    for (const arm of report.arms)
      expect(arm.decoys).toEqual({ confirmed: report.exam.decoys, of: report.exam.decoys });
    expect(noteLines(report).filter((note) => note.includes("CAUGHT"))).toHaveLength(report.arms.length);
    expect(terminalReport(report)).toContain("not an LLM");
  });

  it("sends nothing the second time and gives the same report", async () => {
    const results = newFolder();
    const first = counted();
    const { report } = await run(smallPlan({ provider: first.provider }), results);
    const second = counted();
    expect((await run(smallPlan({ provider: second.provider }), results)).report).toEqual(report);
    expect(first.sent()).toBeGreaterThan(40);
    expect(second.sent()).toBe(0);
  });

  it("is byte for byte the same when it was stopped after any number of calls, with equal money", async () => {
    const whole = await run(smallPlan(), newFolder());
    const expected = artifactsIn(whole.folder.path);
    const money = openLedger(whole.folder.at("ledger.jsonl")).spentNano();
    for (let calls = 1; calls < 50; calls += 7) {
      const results = newFolder();
      const controller = new AbortController();
      const stopping = counted((sent) => {
        if (sent <= calls) return;
        controller.abort();
        throw new ProviderError("stopped before it was sent", failure);
      });
      const stopped = run(smallPlan({ provider: stopping.provider }), results, { signal: controller.signal });
      await expect(stopped).rejects.toThrow(InterruptedError);
      const rest = counted();
      const { folder } = await run(smallPlan({ provider: rest.provider }), results);
      expect(artifactsIn(folder.path)).toEqual(expected);
      expect(openLedger(folder.at("ledger.jsonl")).spentNano()).toBe(money);
    }
  });

  it("stops at the budget without exceeding it, and goes on when it is raised", async () => {
    const whole = await run(smallPlan(), newFolder());
    const money = openLedger(whole.folder.at("ledger.jsonl")).spentNano();
    const results = newFolder();
    const plan = smallPlan();
    const budgetNano = money / 2n;
    await expect(run(plan, results, { budgetNano })).rejects.toThrow(BudgetError);
    const path = join(results, manifestOf(plan, "small", "test").runId, "ledger.jsonl");
    expect(openLedger(path).spentNano()).toBeLessThanOrEqual(budgetNano);
    const { report } = await run(plan, results);
    expect(report).toEqual(whole.report);
  });

  it("shows a cell whose arm refuses as failed, outside every denominator, and runs the others", async () => {
    const refusing = defineArm({
      id: "refusing",
      title: "Refuses at the second boundary",
      source: { kind: "control" },
      options: {},
      compact: ({ journal, previous }) => {
        if (previous !== undefined) return Promise.reject(new CompactionRefusedError("no room"));
        return Promise.resolve({
          kind: "compacted",
          projection: paired(journal).map((message) => verbatim("tail", message)),
          state: null,
        });
      },
    });
    const { report, folder } = await run(
      smallPlan({ arms: [{ arm: refusing, sourceDigest: "1" }, ...allArms()] }),
      newFolder(),
    );
    const [failed, other] = report.arms;
    expect(failed?.failures.map(({ reason }) => reason)).toEqual(["no room", "no room"]);
    expect(failed?.recall).toEqual({ hits: 10, of: 10 });
    expect(failed?.notAsked.failed).toBe(report.exam.targets - 10);
    expect(other?.failures).toEqual([]);
    expect(noteLines(report).join("\n")).toContain("failed on alder at record 28: no room");
    expect(await loadReport(folder, { cache: "assumed" })).toEqual(report);
  });

  it.each<[string, Arm["compact"], RegExp]>([
    [
      "throws",
      () => {
        throw new Error("my\narm broke");
      },
      /^Arm "faulty" threw Error: my arm broke at /,
    ],
    ["returns no compaction", () => Promise.resolve(5 as never), /^Arm "faulty" returned no compaction/],
    [
      "changes a message that it was given",
      ({ journal }) => {
        for (const message of journal) (message as { blocks: unknown }).blocks = [];
        return Promise.resolve({ kind: "compacted", projection: [], state: null });
      },
      /^Arm "faulty" threw TypeError: Cannot assign to read only property/,
    ],
  ])(
    "fails the cells of an arm that %s, and gives the others what they would have had",
    async (_what, compact, reason) => {
      const faulty = defineArm({ id: "faulty", title: "Faulty", source: { kind: "control" }, options: {}, compact });
      const { report } = await run(
        smallPlan({ arms: [{ arm: faulty, sourceDigest: "1" }, ...allArms()] }),
        newFolder(),
      );
      const alone = await run(smallPlan(), newFolder());
      expect(report.arms[0]?.failures).toHaveLength(2);
      for (const failure of report.arms[0]?.failures ?? []) expect(failure.reason).toMatch(reason);
      expect(report.arms.slice(1).map(({ recall, survival }) => [recall, survival])).toEqual(
        alone.report.arms.map(({ recall, survival }) => [recall, survival]),
      );
    },
  );

  it("refuses to go on without its ledger, because what was paid is then not known", async () => {
    const results = newFolder();
    const { folder } = await run(smallPlan(), results);
    rmSync(folder.at("ledger.jsonl"));
    await expect(run(smallPlan(), results)).rejects.toThrow(/ledger\.jsonl: is missing, so nobody knows/);
  });

  it("fails the cell of an arm whose projection no provider would take, naming the fault", async () => {
    const torn = defineArm({
      id: "torn",
      title: "Drops results",
      source: { kind: "control" },
      options: {},
      compact: ({ journal }) =>
        Promise.resolve({
          kind: "compacted",
          projection: journal.filter(({ role }) => role !== "tool").map((message) => verbatim("tail", message)),
          state: null,
        }),
    });
    const { report } = await run(smallPlan({ arms: [{ arm: torn, sourceDigest: "1" }] }), newFolder());
    expect(report.arms[0]?.failures[0]?.reason).toMatch(/"torn".*call "alder-call-0" has no result/);
  });

  it("keeps an arm's state over an unchanged step and says how many boundaries each arm compacted", async () => {
    const { report } = await run(smallPlan({ options: { trigger: "automatic" } }), newFolder());
    const compacted = Object.fromEntries(report.arms.map((arm) => [arm.id, arm.boundaries.compacted]));
    expect(compacted).toMatchObject({ "futureos-summarized": 0, opencode: 0, codex: 0, full: 6 });
    for (const arm of report.arms) expect(arm.recall).toEqual(arm.survival);
    expect(report.arms.find(({ id }) => id === "codex")?.medianProjectionTokens).toBeNull();
  });

  it("derives the same report from its folder alone", async () => {
    const { report, folder } = await run(smallPlan(), newFolder());
    expect(await loadReport(folder, { cache: "assumed" })).toEqual(report);
  });

  it("shows an unfinished run's missing questions as pending", async () => {
    const results = newFolder();
    const controller = new AbortController();
    const plan = smallPlan({ provider: counted((sent) => sent === 20 && controller.abort()).provider });
    await expect(run(plan, results, { signal: controller.signal })).rejects.toThrow(InterruptedError);
    const report = await loadReport(openToRead(join(results, manifestOf(plan, "small", "test").runId)));
    expect(report.arms.at(-1)?.notAsked.pending).toBe(report.exam.targets);
    expect(report.arms.at(-1)?.recall.of).toBe(0);
  });

  it.each([
    ["manifest.json", /manifest\.json: was changed: its run id is/],
    ["sheets/alder-0.json", /alder-0\.json: is not the sheet that was asked/],
  ])("reports nothing from a folder whose %s was changed by hand", async (name, complaint) => {
    const { folder } = await run(smallPlan(), newFolder());
    const changed = readFileSync(folder.at(name), "utf8").replace(/alder(?=-\d|_|")/, "elder");
    writeFileSync(folder.at(name), changed.replace(/1000000/, "200000"));
    await expect(loadReport(folder)).rejects.toThrow(complaint);
  });

  it("names a stored projection that was changed by hand", async () => {
    const { folder } = await run(smallPlan(), newFolder());
    writeFileSync(folder.at("projections/alder-16-codex.json"), "{");
    await expect(loadReport(folder)).rejects.toThrow("alder-16-codex.json: is not JSON");
  });

  it("writes no time and no path into an artifact", async () => {
    const results = newFolder();
    const { folder } = await run(smallPlan(), results);
    for (const [name, text] of artifactsIn(folder.path)) {
      expect(text, name).not.toContain(results);
      expect(text, name).not.toMatch(/\b20\d\d-\d\d-\d\dT\d\d:/);
    }
    expect(readFileSync(folder.at("ledger.jsonl"), "utf8")).toContain('"row":"settle"');
  });
});

describe("a part of a run", () => {
  const folderOf = (plan: RunPlan, results: string) =>
    openToRun(join(results, manifestOf(plan, "small", "test").runId), asJson(manifestOf(plan, "small", "test")));
  const part = async (plan: RunPlan, results: string, cells: CellChoice) => {
    const folder = folderOf(plan, results);
    const { signal } = new AbortController();
    try {
      return await runPlan(plan, folder, { pricing: { kind: "free" }, signal, cells, onProgress: () => undefined });
    } finally {
      folder.close();
    }
  };
  const ends = (cells: readonly Cell[]): string[] =>
    cells.map(({ chain, arm, end }) => `${chain.chain.name}/${arm.id} ${end.kind}`);

  it("runs one cell, or a few that are not finished, and leaves the others pending in the same run", async () => {
    const results = newFolder();
    const plan = smallPlan({ arms: allArms().slice(-3) });
    const one = await part(plan, results, { only: { chain: "birch", arm: "full" } });
    expect(ends(one.cells)).toEqual([
      "alder/recent pending",
      "alder/full pending",
      "alder/empty pending",
      "birch/recent pending",
      "birch/full done",
      "birch/empty pending",
    ]);
    const three = await part(plan, results, { maxCells: 2 });
    expect(ends(three.cells).filter((end) => end.endsWith("done"))).toEqual([
      "alder/recent done",
      "alder/full done",
      "birch/full done",
    ]);
    const rest = await part(plan, results, {});
    expect(ends(rest.cells).every((end) => end.endsWith("done"))).toBe(true);
  });

  it("keeps a failed cell failed until it is told to try again", async () => {
    const results = newFolder();
    let fail = true;
    const inner = offlineProvider({ windowTokens: 1_000_000 });
    const provider: Provider = {
      ...inner,
      send: (body) =>
        fail ? Promise.reject(new ProviderError("refused", { ...failure, status: 400 })) : inner.send(body),
    };
    const plan = smallPlan({ provider, arms: allArms().slice(0, 1) });
    expect(ends((await part(plan, results, {})).cells)).toEqual([
      "alder/futureos-summarized failed",
      "birch/futureos-summarized failed",
    ]);
    fail = false;
    expect(ends((await part(plan, results, {})).cells)).toEqual([
      "alder/futureos-summarized failed",
      "birch/futureos-summarized failed",
    ]);
    fail = true;
    expect(ends((await part(plan, results, { retryFailed: true, maxCells: 1 })).cells)).toEqual([
      "alder/futureos-summarized failed",
      "birch/futureos-summarized failed",
    ]);
    fail = false;
    expect(ends((await part(plan, results, { retryFailed: true, maxCells: 1 })).cells)).toEqual([
      "alder/futureos-summarized done",
      "birch/futureos-summarized failed",
    ]);
    expect(ends((await part(plan, results, { retryFailed: true })).cells)).toEqual([
      "alder/futureos-summarized done",
      "birch/futureos-summarized done",
    ]);
  });

  it("gives the same artifacts with eight cells side by side as with one", async () => {
    const whole = await run(smallPlan(), newFolder());
    const results = newFolder();
    const plan = smallPlan();
    const folder = folderOf(plan, results);
    const { cells, ledger } = await runPlan(plan, folder, {
      pricing: priced,
      signal: new AbortController().signal,
      concurrency: 8,
      onProgress: () => undefined,
    });
    const { report, rows } = reportOf(manifestOf(plan, "small", "test").runId, plan, cells, ledger);
    writeReport(folder, report, rows);
    folder.close();
    expect(artifactsIn(folder.path)).toEqual(artifactsIn(whole.folder.path));
  });
});
