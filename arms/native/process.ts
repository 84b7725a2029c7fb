/** Starting and ending the real programs. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a program with this environment and no other; it ends with this process at the latest. */
export function startProgram(
  binary: string,
  args: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): ChildProcess {
  const child = spawn(binary, [...args], { cwd: folder, env: { ...env }, stdio: ["pipe", "pipe", "pipe"] });
  running.add(child);
  // What waits for an answer keeps this process alive; a program that nobody asks anything does not.
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket | null)?.unref();
  child.once("exit", () => running.delete(child));
  return child;
}

/** Ends a program: asks, and kills it after four seconds. */
export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.stdin?.end();
  child.kill("SIGTERM");
  const last = setTimeout(() => child.kill("SIGKILL"), 4_000);
  await ended;
  clearTimeout(last);
}
