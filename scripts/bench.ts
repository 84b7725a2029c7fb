/**
 * npm run bench: CPU time of the harness's own work beside what the original's scripts took for the same on a machine of
 * this kind (2 cores, Node 20; CPU seconds). Medians after warm-up; every repetition works on fresh records, so that no
 * cache is warm. Timings are facts about a machine and belong in no test.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codex } from "../arms/codex.ts";
import { futureosDeterministic } from "../arms/futureos/deterministic.ts";
import { opencode } from "../arms/opencode.ts";
import { recordingContext } from "../arms/testing.ts";
import type { Arm, CompactionInput } from "../harness/arm.ts";
import { schedule, scheduleChunkTokens } from "../harness/chain/boundaries.ts";
import { generateChain } from "../harness/chain/generate/index.ts";
import { toMessages } from "../harness/chain/message.ts";
import type { Chain } from "../harness/chain/record.ts";
import { plainTokens } from "../harness/chain/render.ts";
import { examPreset, quotasOf } from "../harness/exam/presets.ts";
import { buildSheets } from "../harness/exam/sheet.ts";
import { terminalTable } from "../harness/report/tables.ts";
import { defaultOptions, journalLengths } from "../harness/run/plan.ts";

const structured = ["export", "analysis", "pipeline"];
const chunkTokens = scheduleChunkTokens(defaultOptions);
const generate = (): Chain[] => structured.map((name) => generateChain(name, 1));

interface Piece {
  readonly name: string;
  /** CPU seconds of the original's script. */
  readonly originalSeconds: number;
  /** How many times faster this is meant to be. */
  readonly goal: number | undefined;
  readonly work: (chains: readonly Chain[]) => unknown;
}

/** Every boundary of every chain in order, with a constant reply where the arm asks for one. */
async function compactAll(arm: Arm, chains: readonly Chain[]): Promise<void> {
  for (const chain of chains) {
    const journal = toMessages(chain.records);
    const boundaries = journalLengths(chain, journal, schedule(chain, chunkTokens));
    let previous: CompactionInput["previous"];
    let compacted = 0;
    for (const { end, messages } of boundaries) {
      const { context } = recordingContext(arm, undefined, { boundary: { chain: chain.name, end } });
      const input = {
        journal: journal.slice(0, messages),
        fresh: journal.slice(compacted, messages),
        previous,
        trigger: "forced",
      } as const;
      const compaction = await arm.compact(input, context);
      if (compaction.kind === "compacted") previous = compaction;
      compacted = messages;
    }
  }
}

const pieces: readonly Piece[] = [
  { name: "generate the three structured chains", originalSeconds: 0.49, goal: 2, work: generate },
  {
    name: "estimate all their records",
    originalSeconds: 1.45,
    goal: 20,
    work: (chains) => chains.map((chain) => chain.records.reduce((sum, record) => sum + plainTokens(record), 0)),
  },
  {
    name: "schedule their boundaries",
    originalSeconds: 1.25,
    goal: 20,
    work: (chains) => chains.map((chain) => schedule(chain, chunkTokens)),
  },
  {
    name: "build their nine sheets",
    originalSeconds: 4.23,
    goal: 10,
    work: (chains) =>
      chains.map((chain) =>
        buildSheets({
          chain,
          cuts: chain.cuts.ends,
          quotas: quotasOf(examPreset("reference"), chain.name, 3),
          seed: 1,
          avoid: [],
        }),
      ),
  },
  {
    name: "futureos-deterministic, 15 boundaries",
    originalSeconds: 1.1,
    goal: 10,
    work: (chains) => compactAll(futureosDeterministic, chains),
  },
  { name: "opencode, 15 boundaries", originalSeconds: 2.96, goal: 20, work: (chains) => compactAll(opencode, chains) },
  {
    name: "codex, 15 boundaries",
    originalSeconds: 0.002,
    goal: undefined,
    work: (chains) => compactAll(codex, chains),
  },
];

const middle = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function cpuSeconds({ work }: Piece, repetitions = 7, warmUps = 2): Promise<number> {
  const seconds: number[] = [];
  for (let index = 0; index < warmUps + repetitions; index++) {
    const chains = generate();
    const before = process.cpuUsage();
    await work(chains);
    const { user, system } = process.cpuUsage(before);
    if (index >= warmUps) seconds.push((user + system) / 1e6);
  }
  return middle(seconds);
}

/** CPU seconds and peak memory of whole `npm run exam` processes, children included in the time. */
function wholeRuns(repetitions = 5): { readonly seconds: number; readonly peakMegabytes: number } {
  const atExit =
    "process.on('exit',()=>{if(process.argv[1]?.endsWith('closed-book.mjs'))process.stderr.write('peak '+process.resourceUsage().maxRSS+'\\n')})";
  const runs = Array.from({ length: repetitions + 1 }, () => {
    const results = mkdtempSync(join(tmpdir(), "bench-"));
    const command = `TIMEFORMAT='cpu %U %S'; time npm run -s exam -- --results "${results}"`;
    const { stderr, status } = spawnSync("bash", ["-c", command], {
      encoding: "utf8",
      env: { ...process.env, CI: "1", NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(atExit)}` },
    });
    rmSync(results, { recursive: true });
    const cpu = /cpu ([\d.]+) ([\d.]+)/.exec(stderr);
    const peak = /peak (\d+)/.exec(stderr);
    if (status !== 0 || cpu === null || peak === null) throw new Error(`npm run exam failed:\n${stderr}`);
    return { seconds: Number(cpu[1]) + Number(cpu[2]), peakMegabytes: Number(peak[1]) / 1024 };
  }).slice(1);
  return {
    seconds: middle(runs.map(({ seconds }) => seconds)),
    peakMegabytes: Math.max(...runs.map((run) => run.peakMegabytes)),
  };
}

const rows: string[][] = [];
for (const piece of pieces) {
  process.stderr.write(`${piece.name} …\n`);
  const seconds = await cpuSeconds(piece);
  rows.push([
    piece.name,
    seconds.toFixed(4),
    String(piece.originalSeconds),
    `${(piece.originalSeconds / seconds).toFixed(1)}x`,
    piece.goal === undefined ? "" : `${piece.goal}x`,
  ]);
}
process.stdout.write(
  `${terminalTable({ title: "CPU seconds, medians of 7", head: ["work", "here", "original", "faster", "goal"], rows })}\n`,
);
process.stderr.write("npm run exam, whole processes …\n");
const whole = wholeRuns();
process.stdout.write(
  `\nnpm run exam, npm included: ${whole.seconds.toFixed(2)} s of CPU (median of 5; goal under 4.5), peak memory ${whole.peakMegabytes.toFixed(0)} MB (goal under 400)\n`,
);
