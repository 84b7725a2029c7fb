/** For tests of runs over HTTP: a server that closes with its test, the command line as a process, and what both wrote down. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { chainToJsonl } from "../harness/chain/file.ts";
import { type LedgerRow, parseLedger } from "../harness/models/ledger.ts";
import type { Usage } from "../harness/models/model.ts";
import type { Report } from "../harness/report/report.ts";
import { type OfflineServer, type OfflineServerOptions, startOfflineServer } from "../harness/serve/server.ts";
import { smallChain } from "./testing.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "remote-"));
/** What the environment holds as the key: it must be found nowhere. */
export const secret = "sk-very-secret-0123456789";

/** A price file with one entry, CNY 1 in, 4 out, 0.02 cached per million. */
export const prices = join(place, "prices.json");
writeFileSync(
  prices,
  JSON.stringify({
    any: { currency: "CNY", perMillionTokens: { input: 1, output: 4, cacheRead: "0.02", cacheWrite: 1 } },
  }),
);

/** Files of small chains of so many turns. */
export function chainFiles(names: readonly string[], turns: number): string[] {
  return names.map((name) => {
    const path = join(place, `${name}-${turns}.jsonl`);
    writeFileSync(path, chainToJsonl(smallChain(name, turns)));
    return path;
  });
}

export async function serve(options: Partial<OfflineServerOptions> = {}): Promise<OfflineServer> {
  const server = await startOfflineServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** The flags of a model behind the server. */
export const modelFlags = (server: OfflineServer, style = "openai", model = "offline"): string[] => {
  const baseUrl = style === "openai" ? `${server.baseUrl}/v1` : server.baseUrl;
  return `--model ${style}:${model} --base-url ${baseUrl} --window 1000000 --prices ${prices}`.split(" ");
};

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** The command line in a process of its own; `onSpawn` may kill it. */
export function closedBook(
  argv: readonly string[],
  onSpawn: (child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, ["scripts/closed-book.mjs", ...argv], {
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

export const newResults = (): string => mkdtempSync(join(place, "results-"));
export const runFolder = (results: string): string => join(results, readdirSync(results)[0] ?? "");
export const ledgerOf = (results: string): LedgerRow[] =>
  parseLedger("ledger", readFileSync(join(runFolder(results), "ledger.jsonl"))).rows;
export const reportIn = (ended: Ended): Report => JSON.parse(ended.out) as Report;

/** What a report says of its arms that does not depend on a provider's counting. */
export const scores = ({ arms }: Report) =>
  arms.map(({ id, recall, survival, decoys, answers, fallbacks }) => ({
    id,
    recall,
    survival,
    decoys,
    answers,
    fallbacks,
  }));

/** Every attempt of a ledger: its request's key and digest, and the reply that settled it, if one did. */
export function attemptsIn(rows: readonly LedgerRow[]) {
  const ends = new Map(rows.flatMap((row) => (row.row === "reserve" ? [] : [[row.reservation, row] as const])));
  return rows.flatMap((row) => {
    if (row.row !== "reserve") return [];
    const end = ends.get(row.reservation);
    return [{ ...row, reply: end !== undefined && "reply" in end ? end.reply : undefined }];
  });
}

/** Spent and open money after every row, each in nano; what a killed process left open stays in it. */
export function moneyAfterEachRow(rows: readonly LedgerRow[]): bigint[] {
  const reserved = new Map<string, bigint>();
  let held = 0n;
  return rows.map((row) => {
    if (row.row === "reserve") {
      reserved.set(row.reservation, BigInt(row.reservedNano ?? 0));
      return (held += BigInt(row.reservedNano ?? 0));
    }
    const was = reserved.get(row.reservation) ?? 0n;
    const is = row.row === "release" ? 0n : row.costNano === null ? was : BigInt(row.costNano);
    return (held += is - was);
  });
}

const counts = ["freshInputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens"] as const;
const countsOf = (usage: Usage | null | undefined) => counts.map((name) => usage?.[name] ?? null);

/** Four counts by request, as the ledger has them under its keys. */
export const ledgerUsage = (rows: readonly LedgerRow[]) =>
  attemptsIn(rows)
    .flatMap(({ request, reply }) => (reply === undefined ? [] : [[request, ...countsOf(reply.usage)] as const]))
    .sort(byText);

/** Four counts by request, as the server billed what it answered. */
export const serverUsage = (server: OfflineServer) =>
  server.log
    .flatMap(({ requestSha256, answered, billed }) =>
      answered ? [[requestSha256 ?? "", ...countsOf(billed)] as const] : [],
    )
    .sort(byText);

const byText = (left: unknown, right: unknown): number => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);
