/** A run that is killed at twenty random moments, against a server of which a fifth of the calls go wrong. */
import type { ChildProcess } from "node:child_process";
import { describe, expect, it } from "vitest";
import { nanoOf } from "../harness/models/prices.ts";
import { randomStream } from "../harness/random.ts";
import { parseFaults } from "../harness/serve/faults.ts";
import { type OfflineServer, startOfflineServer } from "../harness/serve/server.ts";
import { artifactsIn } from "./testing.ts";
import {
  attemptsIn,
  chainFiles,
  closedBook,
  ledgerOf,
  modelFlags,
  moneyAfterEachRow,
  newResults,
  runFolder,
  serve,
} from "./testing-remote.ts";

const chains = chainFiles(["alder", "birch"], 60).flatMap((file) => ["--chain", file]);
const budget = "20";
const command = (server: OfflineServer, results: string): string[] => [
  ..."run --json --yes --concurrency 8 --retry-wait 5 --max-attempts 9 --arms codex,opencode,futureos-summarized,recent".split(
    " ",
  ),
  ...`--cuts 24,48,72,96,120,144,168,192,216,240 --budget ${budget} --results ${results}`.split(" "),
  ...chains,
  ...modelFlags(server),
];

const kills = 20;
const random = randomStream(1, "kills");

/** Kills `child` at a moment drawn from its whole life: while it starts, or so many calls and milliseconds later. */
function killAtRandom(child: ChildProcess, server: OfflineServer): void {
  const calls = random.range(0, 6);
  const afterMs = random.range(0, calls === 0 ? 800 : 40);
  const due = server.log.length + calls;
  const watch = setInterval(() => {
    if (server.log.length < due) return;
    clearInterval(watch);
    setTimeout(() => child.kill("SIGKILL"), afterMs);
  }, 1);
  child.on("close", () => clearInterval(watch));
}

/** A fault for a fifth of the calls, and some milliseconds for most, so that calls are in flight at any moment. */
const faults = parseFaults([
  ...[0.9, 0.5, 0.3].map((share, seed) => ({ on: { share, seed }, fault: { name: "slow", ms: 25 } })),
  {
    on: { share: 0.2, seed: 3 },
    fault: [
      "reset-after",
      "reset-before",
      { name: "rate-limit", waitMs: 5 },
      { name: "status", status: 500 },
      "cut-stream",
    ],
  },
]);

const times = (names: readonly string[]): Map<string, number> =>
  names.reduce((sums, name) => sums.set(name, (sums.get(name) ?? 0) + 1), new Map<string, number>());

describe("a run over HTTP", () => {
  it(
    "survives twenty kills: artifacts equal to an undisturbed run's, every request answered once, and no cent lost or overspent",
    { timeout: 600_000 },
    async () => {
      // Without a cache, what a request is billed does not depend on the ones before it: whole artifacts can be compared.
      const quiet = await startOfflineServer({ cacheRules: "none" });
      const calm = newResults();
      const undisturbed = await closedBook(command(quiet, calm));
      expect(undisturbed.code, undisturbed.err).toBe(0);
      await quiet.close();

      // The base URL is part of a run's identity, so that the port has to be the same.
      const server = await serve({ port: quiet.port, cacheRules: "none", faults });
      const results = newResults();
      for (let kill = 1; kill <= kills; kill++) {
        const ended = await closedBook(command(server, results), (child) => killAtRandom(child, server));
        expect(ended.signal, `the run ended before kill ${kill}`).toBe("SIGKILL");
      }
      const last = await closedBook(command(server, results));
      expect(last.code, last.err).toBe(0);

      expect(last.out).toBe(undisturbed.out);
      expect(artifactsIn(runFolder(results))).toEqual(artifactsIn(runFolder(calm)));

      const rows = ledgerOf(results);
      const attempts = attemptsIn(rows);
      const answered = attempts.filter(({ reply }) => reply !== undefined).map(({ key }) => key);
      expect(answered.toSorted()).toEqual(
        attemptsIn(ledgerOf(calm))
          .map(({ key }) => key)
          .toSorted(),
      );
      expect(new Set(answered).size).toBe(answered.length);
      // No attempt follows the one that was answered, and the server got no request that is no attempt.
      const lastOf = new Map(attempts.map((attempt) => [attempt.key, attempt]));
      expect([...lastOf.values()].filter(({ reply }) => reply === undefined)).toEqual([]);
      const reserved = times(attempts.map(({ request }) => request));
      for (const [request, arrived] of times(server.log.map(({ requestSha256 }) => requestSha256 ?? "none")))
        expect(arrived, request).toBeLessThanOrEqual(reserved.get(request) ?? 0);
      expect(server.log.filter(({ fault }) => fault !== null).length).toBeGreaterThan(answered.length / 10);

      const money = moneyAfterEachRow(rows);
      for (const held of money) expect(held).toBeLessThanOrEqual(nanoOf(budget));
      const { freshInputTokens, outputTokens } = server.totals().tokens;
      expect(money.at(-1)).toBeGreaterThanOrEqual(BigInt(freshInputTokens) * 1000n + BigInt(outputTokens) * 4000n);
    },
  );
});
