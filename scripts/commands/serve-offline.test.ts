import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import yargs from "yargs";
import { ArtifactError, UsageError } from "../../harness/errors.ts";
import * as serveOffline from "./serve-offline.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = `
  import yargs from "yargs";
  import * as serveOffline from "./scripts/commands/serve-offline.ts";
  await yargs(process.argv.slice(1)).command(serveOffline).strict().parseAsync();
`;

/** The command in a process of its own, and all it prints. */
function started(...flags: string[]): { child: ChildProcess; out: () => string; line: Promise<string> } {
  const argv = ["--import", "tsx", "--input-type=module", "-e", program, "serve-offline", ...flags];
  const child = spawn(process.execPath, argv, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  const line = new Promise<string>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("\n")) resolve(text);
    });
  });
  return { child, out: () => text, line };
}

const parsed = async (...flags: string[]) =>
  yargs(["serve-offline", ...flags])
    .command(serveOffline)
    .strict()
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      throw error ?? new UsageError(message ?? "");
    })
    .parseAsync();

describe("closed-book serve-offline", () => {
  it("serves until Ctrl-C, then ends well and prints its totals", async () => {
    const { child, out, line } = started("--port", "0", "--model", "yes");
    const [, baseUrl = ""] = /at (http:\/\/\S+)\/v1/.exec(await line) ?? [];
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Sum up." }] });
    expect((await fetch(`${baseUrl}/v1/chat/completions`, { method: "POST", body })).status).toBe(200);
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([0, null]);
    expect(out()).toMatch(
      /\nRequests: 1 \(1 answered, 0 refused, 0 broken off\)\.\nBilled tokens: [1-9]\d* fresh input/,
    );
  }, 30_000);

  it.each([
    [["--port", "70000"], /--port is "70000", but the largest port is 65535\./],
    [["--port", "x"], /--port is "x", but it has to be a whole number/],
    [["--window", "0"], /--window is "0"/],
    [["--cache-rules", "google"], /cache-rules/],
  ])("refuses %j", async (flags, message) => {
    await expect(parsed(...flags)).rejects.toThrow(message);
  });

  it("names what is wrong in a faults file before it serves anything", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "serve-")), "faults.json");
    writeFileSync(path, '[{"on": 1, "fault": "stal"}]');
    const starting = parsed("--port", "0", "--faults", path);
    await expect(starting).rejects.toBeInstanceOf(ArtifactError);
    await expect(starting).rejects.toThrow(`${path}: entry 1: No fault "stal". Did you mean "stall"?`);
  });
});
