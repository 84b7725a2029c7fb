/** The real programs as arms of a run. Skipped where the pinned releases, or their texts, are not installed. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { isInstalledHere, productNames } from "../arms/native/upstream.ts";
import type { Compaction } from "../harness/arm.ts";
import { chainToJsonl } from "../harness/chain/file.ts";
import type { Report } from "../harness/report/report.ts";
import { readCells } from "../harness/run/run.ts";
import { openToRead } from "../harness/run/folder.ts";
import { readManifest, reopenPlan } from "../harness/run/manifest.ts";
import { upstreamPromptsFile } from "./conformance/prompts.ts";
import { main } from "./main.ts";
import { smallChain } from "./testing.ts";

const isHere = existsSync(upstreamPromptsFile) && productNames.every((product) => isInstalledHere(product));

/** A run of these arms over a small chain, in the folder that it made. */
async function ran(arms: string, ...flags: string[]) {
  const results = mkdtempSync(join(tmpdir(), "native-"));
  const chain = join(results, "cedar.jsonl");
  writeFileSync(chain, chainToJsonl(smallChain("cedar", 30)));
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const into = join(results, "runs");
    const code = await main([
      "run",
      "--chain",
      chain,
      "--cuts",
      "48,84,120",
      "--arms",
      arms,
      "--results",
      into,
      ...flags,
    ]);
    const folder = openToRead(join(into, readdirSync(into)[0] ?? ""));
    const cells = await readCells(reopenPlan(folder, readManifest(folder)), folder);
    return { code, folder, cells };
  } finally {
    vi.restoreAllMocks();
    process.exitCode = 0;
  }
}

/** What a reader of projections sees: neighbouring assistant messages are one in a product's own store. */
const seen = (compaction: Compaction): unknown =>
  compaction.projection.map(({ message: { role, blocks } }) => ({ role, blocks }));

describe.runIf(isHere)("the real programs as arms", { timeout: 240_000 }, () => {
  it("keep at every boundary what their mirrors keep in the products' words, and ask the run's model as often", async () => {
    const { code, folder, cells } = await ran("codex,codex-native,opencode,opencode-native", "--prompts", "upstream");
    expect(code).toBe(0);
    const of = (id: string) => cells.find(({ arm }) => arm.id === id);
    for (const mirror of ["codex", "opencode"]) {
      const [mirrored, native] = [of(mirror)?.steps ?? [], of(`${mirror}-native`)?.steps ?? []];
      expect(native).toHaveLength(3);
      expect(native.map(({ compaction }) => seen(compaction))).toEqual(
        mirrored.map(({ compaction }) => seen(compaction)),
      );
    }
    const report = JSON.parse(folder.read("report.json") ?? "") as Report;
    expect(report.arms.map(({ id, source, byPurpose }) => [id, source, byPurpose.compact.calls])).toEqual([
      ["codex", "mirror", 3],
      ["codex-native", "native", 3],
      ["opencode", "mirror", 3],
      ["opencode-native", "native", 3],
    ]);
    expect(report.labels.join()).toContain("prompts: the products' own, of codex 0.155.0 and opencode 1.18.31");
  });

  it("leave a folder that git ignores wherever it lies", async () => {
    const { folder } = await ran("codex-native");
    expect(readFileSync(folder.at(".gitignore"), "utf8")).toBe("*\n");
  });
});
