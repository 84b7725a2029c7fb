import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decimalOf } from "../harness/models/prices.ts";
import { parseFaults } from "../harness/serve/faults.ts";
import type { OfflineServer } from "../harness/serve/server.ts";
import { artifactsIn } from "./testing.ts";
import {
  attemptsIn,
  chainFiles,
  closedBook,
  ledgerOf,
  ledgerUsage,
  modelFlags,
  moneyAfterEachRow,
  newResults,
  prices,
  reportIn,
  runFolder,
  scores,
  secret,
  serve,
  serverUsage,
} from "./testing-remote.ts";

const chains = chainFiles(["alder", "birch"], 30).flatMap((file) => ["--chain", file]);
const arms = "codex,opencode,futureos-summarized,recent";
const common = (results: string): string[] => [
  ...`run --json --yes --cuts 48,84,120 --arms ${arms} --window 1000000 --results ${results}`.split(" "),
  ...chains,
];
const remote = (server: OfflineServer, results: string, style = "openai"): string[] => [
  ...common(results).filter((flag) => flag !== "--window" && flag !== "1000000"),
  ...modelFlags(server, style),
  "--retry-wait",
  "5",
];

const projections = (results: string): [string, string][] =>
  [...artifactsIn(runFolder(results))].filter(([name]) => name.startsWith("projections/"));

describe("a run over HTTP", () => {
  it.each(["openai", "anthropic"])(
    "gives through the %s SDK what the model in this process gives, and the server's token counts request by request",
    async (style) => {
      const here = newResults();
      const local = reportIn(await closedBook(common(here)));
      const server = await serve();
      const there = newResults();
      const ended = await closedBook(remote(server, there, style));
      expect(ended.code, ended.err).toBe(0);
      expect(scores(reportIn(ended))).toEqual(scores(local));
      expect(projections(there)).toEqual(projections(here));
      expect(server.totals().tokens.cacheReadTokens).toBeGreaterThan(0);
      expect(ledgerUsage(ledgerOf(there))).toEqual(serverUsage(server));
    },
  );

  it("stops at half of the estimate with exit code 3, within the budget after every call, and the whole estimate finishes it", async () => {
    const server = await serve();
    const results = newResults();
    // Twenty steps of one size, so that a reservation, an upper bound, is small against the whole.
    const cuts = Array.from({ length: 20 }, (_, step) => 80 * (step + 1)).join(",");
    const flags = [
      ...`run --json --yes --cuts ${cuts} --arms opencode,codex --retry-wait 5 --results ${results} --chain`.split(" "),
      ...chainFiles(["cedar"], 400),
      ...modelFlags(server),
    ];
    const ofRunAlone = new Set(["run", "--yes", "--retry-wait", "5"]);
    const estimated = await closedBook(["estimate", ...flags.filter((flag) => !ofRunAlone.has(flag))]);
    const { arms: each } = JSON.parse(estimated.out) as { readonly arms: readonly { readonly coldNano: string }[] };
    const wholeNano = each.reduce((sum, { coldNano }) => sum + BigInt(coldNano), 0n);
    const within = (nano: bigint): void => {
      for (const held of moneyAfterEachRow(ledgerOf(results))) expect(held).toBeLessThanOrEqual(nano);
    };

    const stopped = await closedBook([...flags, "--budget", decimalOf(wholeNano / 2n, 9)]);
    expect(stopped.code).toBe(3);
    expect(stopped.err).toMatch(/CNY is left\. Raise --budget and run again; finished work is kept\.\n$/);
    within(wholeNano / 2n);
    const paid = ledgerUsage(ledgerOf(results));
    expect(paid.length).toBeGreaterThan(5);

    const finished = await closedBook([...flags, "--budget", decimalOf(wholeNano, 9)]);
    expect(finished.code, finished.err).toBe(0);
    within(wholeNano);
    // Nothing that was answered was asked again, by either side's account.
    const all = attemptsIn(ledgerOf(results)).map(({ key }) => key);
    expect(new Set(all).size).toBe(all.length);
    expect(ledgerUsage(ledgerOf(results))).toEqual(serverUsage(server));
    expect(ledgerUsage(ledgerOf(results))).toEqual(expect.arrayContaining(paid));
  });

  it("lets calls in flight finish at Ctrl-C, ends with exit code 130, and resumes without asking anything again", async () => {
    const server = await serve({
      faults: parseFaults([{ on: [2, 3, 4, 5, 6, 7, 8], fault: { name: "slow", ms: 400 } }]),
    });
    const results = newResults();
    const stopped = await closedBook(remote(server, results), (child) => {
      const watch = setInterval(() => {
        if (server.log.length < 3) return;
        clearInterval(watch);
        child.kill("SIGINT");
      }, 5);
    });
    expect(stopped.code, stopped.err).toBe(130);
    const rows = ledgerOf(results);
    expect(attemptsIn(rows).filter(({ reply }) => reply === undefined)).toEqual([]);
    expect(ledgerUsage(rows)).toEqual(serverUsage(server));
    const finished = await closedBook(remote(server, results));
    expect(finished.code, finished.err).toBe(0);
    expect(ledgerUsage(ledgerOf(results))).toEqual(serverUsage(server));
    const keys = attemptsIn(ledgerOf(results)).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("asks before it spends: above the limit it refuses without a terminal, names the sum, and sends nothing", async () => {
    const server = await serve();
    const results = newResults();
    const argv = remote(server, results).filter((flag) => flag !== "--yes");
    const refused = await closedBook([...argv, "--confirm-above", "0.01"]);
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/This run may cost up to [\d.]+ CNY\. Add --yes/);
    expect(server.log).toHaveLength(0);
    expect(readdirSync(results)).toEqual([]);
    const unpriced = argv.filter((flag) => flag !== "--prices" && flag !== prices);
    expect((await closedBook(unpriced)).err).toContain("an unknown sum");
    expect((await closedBook([...unpriced, "--budget", "1", "--yes"])).err).toContain("--budget cannot be kept");
    expect(server.log).toHaveLength(0);
  });

  it("asks only about what the chosen cells still need, and not at all where nothing is left or a failure is not tried again", async () => {
    const server = await serve({ faults: parseFaults([{ on: 1, fault: { name: "status", status: 400 } }]) });
    const results = newResults();
    const argv = remote(server, results).filter((flag) => flag !== "--yes");
    const one = await closedBook([...argv, "--only", "alder-30/recent", "--confirm-above", "5"]);
    expect(one.code).toBe(1);
    expect(one.err).toMatch(/\nall +0 +3 /);
    expect(one.err).toContain("1 cell failed; --retry-failed runs them again.");
    const again = await closedBook([...argv, "--only", "alder-30/recent", "--confirm-above", "0"]);
    expect([again.code, again.err.includes("Expected calls")]).toEqual([1, false]);
    const few = await closedBook([...argv, "--max-cells", "1", "--retry-failed", "--confirm-above", "0"]);
    expect([few.code, server.log.length]).toEqual([2, 1]);
    const retried = ["--only", "alder-30/recent", "--retry-failed", "--confirm-above", "5"];
    expect((await closedBook([...argv, ...retried])).code).toBe(0);
    const done = await closedBook([...argv, "--only", "alder-30/recent", "--confirm-above", "0"]);
    expect([done.code, server.log.length]).toEqual([0, 4]);
  });

  it("remembers in a later process what a refusal taught in an earlier one", async () => {
    const server = await serve({ faults: parseFaults([{ on: { every: 1 }, fault: "max-tokens" }]) });
    const results = newResults();
    const first = await closedBook([...remote(server, results), "--only", "alder-30/recent"]);
    expect(first.err).toContain('"max_tokens" is sent as "max_completion_tokens", from here on');
    const second = await closedBook(remote(server, results));
    expect([second.code, second.err.includes("from here on")]).toEqual([0, false]);
    expect(server.log.filter(({ status }) => status === 400)).toHaveLength(1);
  });

  it("writes no key anywhere in a run folder", async () => {
    const server = await serve({
      faults: parseFaults([{ on: { attempt: 1 }, fault: { name: "status", status: 500 } }]),
    });
    const results = newResults();
    const ended = await closedBook(remote(server, results));
    expect(ended.code, ended.err).toBe(0);
    const files = readdirSync(results, { recursive: true, encoding: "utf8" }).map((name) => join(results, name));
    for (const path of files.filter((name) => statSync(name).isFile()))
      expect(readFileSync(path, "utf8"), path).not.toContain(secret);
    expect(ended.out + ended.err).not.toContain(secret);
  });

  it("stops the whole run with the provider's word when the key is refused", async () => {
    const server = await serve({ faults: parseFaults([{ on: { every: 1 }, fault: { name: "status", status: 401 } }]) });
    const ended = await closedBook(remote(server, newResults()));
    expect(ended.code).toBe(1);
    expect(ended.err.trim().split("\n").at(-1)).toMatch(/openai/);
    expect(server.log.length).toBeLessThan(6);
  });
});
