import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readImport } from "../../harness/import/store.ts";
import { handler } from "./import.ts";

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/imports/${name}`, import.meta.url));

let folder = "";
let printed = "";
let noted = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "import-"));
  [printed, noted] = ["", ""];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((printed += text.toString()), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((noted += text.toString()), true));
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const flags = { format: "auto", history: "raw", name: undefined, redact: false, out: undefined, json: false } as const;
const run = (files: readonly string[], more: object = {}): Promise<void> =>
  handler({ ...flags, data: join(folder, "data"), "allow-repo": false, ...more, files });

const stored = (): string[] => readdirSync(join(folder, "data/imports"));

describe("closed-book import", () => {
  it("stores each file in the data folder and prints its report and where it is", async () => {
    await run([fixture("codex.jsonl"), fixture("opencode-storage/storage")]);
    expect(stored().map((name) => name.split("-")[0])).toEqual(["codex", "opencode"]);
    expect(printed).toContain("  lines read 31 = used 17 + skipped 14\n");
    expect(printed).toMatch(/ {2}scored cuts after 2, 11, 17 records\n/);
    expect(noted).toMatch(
      /^Imported to \S+\/imports\/codex-[0-9a-f]{8}, readable by you alone\. Run it with closed-book run --chain /,
    );
  });

  it("prints one JSON line a file for a program, and stores what the agent last saw on request", async () => {
    await run([fixture("claude.jsonl")], { json: true, history: "live", name: "mine" });
    const line = JSON.parse(printed) as { readonly name: string; readonly report: { readonly history: string } };
    expect([line.name, line.report.history]).toEqual(["mine", "live"]);
    expect(readImport(join(folder, "data/imports/mine")).chain.records[0]).toMatchObject({
      text: expect.stringContaining("so far"),
    });
  });

  it("imports the other files where one is refused, and fails in the end", async () => {
    await run([join(folder, "missing.jsonl"), fixture("pi-id.jsonl")]);
    expect(stored()).toHaveLength(1);
    expect(noted).toContain("missing.jsonl: does not exist. Give a session file.\n");
    expect(process.exitCode).toBe(2);
  });

  it("refuses one name for several files, and a git work tree unless that is meant", async () => {
    await expect(run(["a", "b"], { name: "x" })).rejects.toThrow("--name is for one file, but 2 are given.");
    mkdirSync(join(folder, ".git"));
    await expect(run([fixture("pi-id.jsonl")])).rejects.toThrow("lies in the git work tree");
    await run([fixture("pi-id.jsonl")], { "allow-repo": true });
    expect(stored()).toHaveLength(1);
  });

  it("stores stand-ins in place of what is private on request, and counts them", async () => {
    await run([fixture("claude.jsonl")], { redact: true, name: "safe", out: join(folder, "out") });
    const text = readFileSync(join(folder, "out/safe/records.jsonl"), "utf8");
    expect(text).toContain("/tally/src/store/disk.ts");
    expect(text).not.toContain("mirabel");
    expect(printed).toMatch(/redacted: secret 0 \(0 times\), home path 1 \(1 times\)/);
  });
});
