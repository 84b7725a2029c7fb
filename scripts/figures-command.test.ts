import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { digest } from "../harness/json.ts";
import { main } from "./figures.ts";
import { finishedRun, pagePlan } from "./page/testing.ts";

const newFolder = (): string => mkdtempSync(join(tmpdir(), "figures-"));
let complaints = "";
beforeEach(() => {
  complaints = "";
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    complaints += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

describe("npm run figures", () => {
  it(
    "draws a run's figures into a folder, each as specification, SVG and PNG, the same bytes twice",
    { timeout: 60_000 },
    async () => {
      const { path } = await finishedRun(pagePlan());
      const [first, second] = [newFolder(), newFolder()];
      expect(await main(["--run", path, "--out", first])).toBe(0);
      expect(await main(["--run", path, "--out", second])).toBe(0);
      const files = readdirSync(first);
      expect(files.filter((name) => name.endsWith(".vl.json"))).toHaveLength(readdirSync(first).length / 3);
      expect(files).toContain("4-size-recall.png");
      for (const file of files)
        expect(readFileSync(join(first, file)).equals(readFileSync(join(second, file))), file).toBe(true);
    },
  );

  it("names a folder that has no run", async () => {
    expect(await main(["--run", newFolder()])).toBe(2);
    expect(complaints).toMatch(/: no run there .*\n$/);
  });

  it("refuses a run that is not finished, and says what to do", { timeout: 30_000 }, async () => {
    const folder = await finishedRun(pagePlan());
    rmSync(join(folder.path, "answers", "alder-40-codex.json"));
    expect(await main(["--run", folder.path, "--out", newFolder()])).toBe(2);
    expect(complaints).toContain(
      "is not finished, 5 targets are still to be asked. Run the same command again, then draw.",
    );
  });

  it("refuses a report of another version", async () => {
    const path = newFolder();
    const runId = `exam-${digest({ chains: [] }).slice(0, 12)}`;
    writeFileSync(join(path, "manifest.json"), JSON.stringify({ runId, identity: { chains: [] } }));
    writeFileSync(join(path, "report.json"), JSON.stringify({ runId, arms: [{ id: "codex" }] }));
    expect(await main(["--run", path, "--out", newFolder()])).toBe(2);
    expect(complaints).toContain("is of another version");
  });

  it("draws either the published numbers or a comparison", async () => {
    expect(await main(["--published", "--compare"])).toBe(2);
    expect(complaints).toContain("Choose one.");
  });
});
