import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { lastLine } from "./process.ts";

const processModule = new URL("process.ts", import.meta.url).href;
const root = fileURLToPath(new URL("../..", import.meta.url));

/** A process that starts a program and then does `before`; it prints the program's id. */
async function starts(before: string): Promise<{ readonly parent: ChildProcess; pid: number; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "closed-book-test-"));
  const script = `
    import { startProgram } from ${JSON.stringify(processModule)};
    const child = startProgram("/bin/sh", ["-c", "sleep 1000 & wait"], { folder: ${JSON.stringify(folder)}, work: "/", env: { PATH: "/usr/bin:/bin" } });
    setInterval(() => undefined, 1_000);
    ${before}
    process.stdout.write(child.pid + "\\n");`;
  const parent = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  return { parent, pid: Number(await printed(parent)), folder };
}

/** The next that a process prints. */
const printed = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => child.stdout?.once("data", (data: Buffer) => resolve(data.toString())));

/** Whether a process lives; one that nobody has waited for yet does not. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "");
  } catch {
    return false;
  }
}

const ended = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once("exit", resolve));
const patience = { timeout: 20_000 };

describe.runIf(process.platform !== "win32")("a real program", () => {
  it.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
    "ends, and its folder goes, where %s ends the process that started it",
    async (signal) => {
      const { parent, pid, folder } = await starts("");
      expect(lives(pid)).toBe(true);
      parent.kill(signal);
      await ended(parent);
      await vi.waitFor(
        () => expect({ lives: lives(pid), folder: existsSync(folder) }).toEqual({ lives: false, folder: false }),
        patience,
      );
    },
  );

  it.each(["process.exit(0)", 'throw new Error("a bug")'])("ends with a process that ends by %s", async (end) => {
    const { pid } = await starts(`setImmediate(() => { ${end}; });`);
    await vi.waitFor(() => expect(lives(pid)).toBe(false), patience);
  });

  it("does not hear of a Ctrl-C that its process takes as a wish to finish", async () => {
    const { parent, pid } = await starts('process.on("SIGINT", () => process.stdout.write("heard\\n"));');
    const heard = printed(parent);
    process.kill(-(parent.pid ?? 0), "SIGINT");
    expect(await heard).toBe("heard\n");
    expect(lives(pid)).toBe(true);
  });
});

it("is quoted by the last line that it printed", () => {
  expect(lastLine("one\n two \n\n")).toBe(" It said: two");
  expect(lastLine(" \n")).toBe("");
});
