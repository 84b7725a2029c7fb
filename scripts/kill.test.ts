import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openLedger } from "../harness/models/ledger.ts";
import { artifactsIn } from "./testing.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const arms = "codex,opencode,futureos-summarized,recent";
const argv = (results: string): string[] => [
  ...`--import tsx scripts/cli.ts run --chains pipeline --arms ${arms} --results`.split(" "),
  results,
];

/** Kills the command, as `kill -9` or the system would, once it has printed its n-th line of progress. */
function killAfterLine(results: string, line: number): Promise<NodeJS.Signals | null> {
  const child: ChildProcess = spawn(process.execPath, argv(results), {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let printed = "";
  child.stderr?.on("data", (text: Buffer) => {
    printed += text.toString();
    if (printed.split("steps:").length > line) child.kill("SIGKILL");
  });
  return new Promise((resolve) => child.on("close", (_code, signal) => resolve(signal)));
}

const folderIn = (results: string): string => join(results, readdirSync(results)[0] ?? "");

describe("a run that is killed", () => {
  it(
    "again and again, also while it resumes, ends with the artifacts and the money of one that was not",
    { timeout: 120_000 },
    async () => {
      const undisturbed = mkdtempSync(join(tmpdir(), "kill-"));
      expect(spawnSync(process.execPath, argv(undisturbed), { cwd: root }).status).toBe(0);

      const results = mkdtempSync(join(tmpdir(), "kill-"));
      for (const line of [1, 2, 4, 7, 9]) expect(await killAfterLine(results, line)).toBe("SIGKILL");
      expect(spawnSync(process.execPath, argv(results), { cwd: root }).status).toBe(0);

      expect(artifactsIn(folderIn(results))).toEqual(artifactsIn(folderIn(undisturbed)));
      const rows = openLedger(join(folderIn(results), "ledger.jsonl")).rows();
      const keys = new Map(rows.flatMap((row) => (row.row === "reserve" ? [[row.reservation, row.key] as const] : [])));
      const settled = rows.flatMap((row) =>
        row.row === "settle" && "reply" in row ? [keys.get(row.reservation)] : [],
      );
      expect(new Set(settled).size).toBe(settled.length);
      const whole = openLedger(join(folderIn(undisturbed), "ledger.jsonl")).rows();
      expect(settled).toHaveLength(whole.filter(({ row }) => row === "settle").length);
    },
  );
});
