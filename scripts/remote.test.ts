import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { chainToJsonl } from "../harness/chain/file.ts";
import { type LedgerRow, openLedger, parseLedger } from "../harness/models/ledger.ts";
import { nanoOf } from "../harness/models/prices.ts";
import { randomStream } from "../harness/random.ts";
import type { Report } from "../harness/report/report.ts";
import { parseFaults } from "../harness/serve/faults.ts";
import { type OfflineServer, type OfflineServerOptions, startOfflineServer } from "../harness/serve/server.ts";
import { artifactsIn, smallChain } from "./testing.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "remote-"));
const chains = ["alder", "birch"].map((name) => {
  writeFileSync(join(place, `${name}.jsonl`), chainToJsonl(smallChain(name, 30)));
  return join(place, `${name}.jsonl`);
});
const prices = join(place, "prices.json");
writeFileSync(
  prices,
  JSON.stringify({
    any: { currency: "CNY", perMillionTokens: { input: 1, output: 4, cacheRead: "0.02", cacheWrite: 1 } },
  }),
);
const secret = "sk-very-secret-0123456789";

const servers: OfflineServer[] = [];
const serve = async (options: Partial<OfflineServerOptions> = {}): Promise<OfflineServer> => {
  const server = await startOfflineServer(options);
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** The command line in a process of its own; `onSpawn` may kill it. */
function closedBook(argv: readonly string[], onSpawn: (child: ChildProcess) => void = () => undefined): Promise<Ended> {
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/cli.ts", ...argv], {
    cwd: root,
    env: { ...process.env, OPENAI_API_KEY: secret, ANTHROPIC_API_KEY: secret },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (text: Buffer) => (out += text.toString()));
  child.stderr.on("data", (text: Buffer) => (err += text.toString()));
  onSpawn(child);
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, out, err })));
}

const arms = "codex,opencode,futureos-summarized,recent";
const chainFlags = chains.flatMap((chain) => ["--chain", chain]);
const common = (results: string): string[] => {
  const flags = `run --json --yes --cuts 48,84,120 --arms ${arms} --window 1000000 --results`;
  return [...flags.split(" "), results, ...chainFlags];
};
const remote = (server: OfflineServer, results: string, style = "openai"): string[] => {
  const baseUrl = style === "openai" ? `${server.baseUrl}/v1` : server.baseUrl;
  const flags = `--model ${style}:offline --base-url ${baseUrl} --retry-wait 5 --prices`;
  return [...common(results), ...flags.split(" "), prices];
};

const newResults = (): string => mkdtempSync(join(place, "results-"));
const runFolder = (results: string): string => join(results, readdirSync(results)[0] ?? "");
const ledgerOf = (results: string): LedgerRow[] =>
  parseLedger("ledger", readFileSync(join(runFolder(results), "ledger.jsonl"))).rows;
const reportIn = (ended: Ended): Report => JSON.parse(ended.out) as Report;
const scores = ({ arms: all }: Report) =>
  all.map(({ id, recall, survival, decoys, answers, fallbacks }) => ({
    id,
    recall,
    survival,
    decoys,
    answers,
    fallbacks,
  }));
/** Projections and answers without what a provider's own counting changes. */
const contents = (results: string): [string, string][] =>
  [...artifactsIn(runFolder(results))]
    .filter(([name]) => name.startsWith("projections/") || name.startsWith("answers/"))
    .map(([name, text]) => [name, text.replaceAll(/"(usage|rawUsage)": \{[^}]*(\{[^}]*\}[^}]*)*\},?\s*/g, "")]);

describe("a run over HTTP", () => {
  it.each(["openai", "anthropic"])(
    "gives through the %s SDK what the model in this process gives, and the server's token sums",
    async (style) => {
      const here = newResults();
      const local = reportIn(await closedBook(common(here)));
      const server = await serve();
      const there = newResults();
      const ended = await closedBook(remote(server, there, style));
      expect(ended.code, ended.err).toBe(0);
      expect(scores(reportIn(ended))).toEqual(scores(local));
      expect(contents(there).filter(([name]) => name.startsWith("projections/"))).toEqual(
        contents(here).filter(([name]) => name.startsWith("projections/")),
      );
      const { tokens, answered } = server.totals();
      const replies = ledgerOf(there).flatMap((row) => (row.row === "settle" && "reply" in row ? [row.reply] : []));
      expect(replies).toHaveLength(answered);
      const sum = (count: "freshInputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "outputTokens"): number =>
        replies.reduce((total, { usage }) => total + (usage?.[count] ?? Number.NaN), 0);
      for (const count of ["freshInputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens"] as const)
        expect(sum(count), count).toBe(tokens[count]);
      expect(sum("cacheReadTokens")).toBeGreaterThan(0);
    },
  );

  it(
    "survives kills spread over a run with faults: every key is settled once, nothing settled is sent again, and money is never below the server's",
    { timeout: 600_000 },
    async () => {
      const calm = newResults();
      const undisturbed = reportIn(await closedBook(remote(await serve(), calm)));
      const server = await serve({
        faults: parseFaults([
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
        ]),
      });
      const results = newResults();
      const random = randomStream(1, "kills");
      const budget = "60";
      const argv = [...remote(server, results), "--concurrency", "8", "--budget", budget, "--max-attempts", "9"];
      let kills = 0;
      let last: Ended | undefined;
      for (let round = 0; round < 40 && last?.code !== 0; round++) {
        const killAfter = kills < 20 ? server.log.length + random.range(1, 6) : Infinity;
        last = await closedBook(argv, (child) => {
          const watch = setInterval(() => server.log.length >= killAfter && child.kill("SIGKILL"), 2);
          child.on("close", () => clearInterval(watch));
        });
        if (last.signal === "SIGKILL") kills++;
        const ledger = openLedger(join(runFolder(results), "ledger.jsonl"));
        expect(ledger.spentNano()).toBeLessThanOrEqual(nanoOf(budget));
        ledger.dispose();
      }
      expect(last?.code, last?.err).toBe(0);
      expect(kills).toBeGreaterThanOrEqual(10);
      expect(scores(reportIn(last as Ended))).toEqual(scores(undisturbed));
      const projections = (from: string) => contents(from).filter(([name]) => name.startsWith("projections/"));
      expect(projections(results)).toEqual(projections(calm));

      const rows = ledgerOf(results);
      const requests = new Map(rows.flatMap((row) => (row.row === "reserve" ? [[row.reservation, row] as const] : [])));
      const settled = rows.flatMap((row) =>
        row.row === "settle" && "reply" in row ? [requests.get(row.reservation)?.key] : [],
      );
      expect(new Set(settled).size).toBe(settled.length);
      const { tokens } = server.totals();
      const serverNano =
        BigInt(tokens.freshInputTokens + tokens.cacheWriteTokens) * 1000n +
        BigInt(tokens.cacheReadTokens) * 20n +
        BigInt(tokens.outputTokens) * 4000n;
      const ledger = openLedger(join(runFolder(results), "ledger.jsonl"));
      expect(ledger.spentNano()).toBeGreaterThanOrEqual(serverNano);
      ledger.dispose();
    },
  );

  it("stops at half of what it would cost with exit code 3, within the budget, and the second half finishes it", async () => {
    const server = await serve();
    const whole = newResults();
    await closedBook(remote(server, whole));
    const full = openLedger(join(runFolder(whole), "ledger.jsonl"));
    const half = full.spentNano() / 2n;
    full.dispose();
    const results = newResults();
    const budget = `0.${half.toString().padStart(9, "0")}`;
    const stopped = await closedBook([...remote(server, results), "--budget", budget]);
    expect(stopped.code).toBe(3);
    expect(stopped.err).toMatch(/is left\. Raise --budget and run again/);
    const ledger = openLedger(join(runFolder(results), "ledger.jsonl"));
    expect(ledger.spentNano()).toBeLessThanOrEqual(half);
    ledger.dispose();
    const finished = await closedBook([...remote(server, results), "--budget", "5"]);
    expect(finished.code, finished.err).toBe(0);
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
