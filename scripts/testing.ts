/** For tests of whole runs: a small plan that takes milliseconds, and a look at what a run folder holds. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { entries } from "../arms/index.ts";
import type { Chain, ChainRecord } from "../harness/chain/record.ts";
import { buildSheets } from "../harness/exam/sheet.ts";
import { sha256 } from "../harness/json.ts";
import type { Provider } from "../harness/models/model.ts";
import type { Pricing } from "../harness/models/prices.ts";
import { offlineProvider } from "../harness/models/offline/offline.ts";
import { defaultOptions, type PlannedArm, planChain, type RunOptions, type RunPlan } from "../harness/run/plan.ts";
import { defaultShapePath, readShape } from "../harness/run/shape.ts";

/** The article's rates, for tests of money. */
export const priced = {
  kind: "priced",
  price: {
    id: "p",
    currency: "CNY",
    inputNano: 1_000_000_000n,
    outputNano: 4_000_000_000n,
    cacheReadNano: 20_000_000n,
    cacheWriteNano: 0n,
  },
} as const satisfies Pricing;

/** A chain of `turns` turns of six records; every value in it is made of the chain's name and the turn. */
export function smallChain(name: string, turns: number): Chain {
  const id = (what: string, turn: number): string =>
    sha256(`${name} ${what} ${turn}`).slice(0, 10).replace(/^\d/, "a").replace(/.$/, "7");
  const records = Array.from({ length: turns }, (_, turn): ChainRecord[] => [
    {
      id: `${name}-${turn}-u`,
      role: "user",
      kind: "text",
      text: `Keep src/${name}/part${turn}.ts under ${turn + 11} MiB, and stop at ${200 + turn}.`,
    },
    {
      id: `${name}-${turn}-a`,
      role: "assistant",
      kind: "text",
      text: `Changed \`limit_${name}_${turn}\` in lib/${name}/step${turn}.py, commit ${id("commit", turn)}, PR #${700 + turn}.`,
    },
    {
      id: `${name}-${turn}-c`,
      role: "assistant",
      kind: "tool_call",
      call: `${name}-call-${turn}`,
      tool: "shell",
      args: { command: `make part${turn}` },
    },
    {
      id: `${name}-${turn}-r`,
      role: "tool",
      kind: "tool_result",
      call: `${name}-call-${turn}`,
      text: `built ${id("build", turn)}\n${"line of output\n".repeat(120)}ver_${id("version", turn)}\n`,
    },
  ]).flat();
  const cut = (share: number): number => 4 * Math.floor(turns * share);
  return { name, group: "file", records, cuts: { kind: "exact", ends: [cut(0.4), cut(0.7), cut(1)] } };
}

export interface SmallPlan {
  readonly provider?: Provider;
  readonly arms?: readonly PlannedArm[];
  readonly chains?: readonly Chain[];
  readonly options?: Partial<RunOptions>;
}

export const allArms = (): PlannedArm[] => entries.map(({ arm }) => ({ arm, sourceDigest: `source of ${arm.id}` }));

/** Two small chains and every arm, three boundaries a chain, five targets and two decoys a sheet. */
export function smallPlan({ provider, arms = allArms(), chains, options: overrides = {} }: SmallPlan = {}): RunPlan {
  const options = { ...defaultOptions, ...overrides };
  const quota = { targets: { assistant: 2, user: 1, tool: 2 }, decoys: 2 };
  const planned = (chains ?? [smallChain("alder", 10), smallChain("birch", 12)]).map((chain) =>
    planChain(chain, options, (one, cuts) =>
      buildSheets({
        chain: one,
        cuts,
        quotas: { sheets: cuts.map(() => quota), poolFactor: 1 },
        seed: options.seed,
        avoid: [],
      }),
    ),
  );
  return {
    options,
    chains: planned,
    arms,
    shape: readShape(defaultShapePath),
    provider: provider ?? offlineProvider({ windowTokens: options.windowTokens }),
  };
}

/** Every file under a folder by its relative name, the ledger apart: its order, times and retries may differ. */
export function artifactsIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => relative(folder, path))
    .filter((name) => name !== "ledger.jsonl")
    .sort();
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
