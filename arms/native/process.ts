/** Starting and ending the real programs. None outlives this process, however this process ends. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) killGroup(child);
});

/**
 * Starts a program with this environment and no other, in a process group of its own: Ctrl-C reaches this process alone, which
 * decides what is still to be finished. The group ends with this process at the latest, and `folder` goes with it when this
 * process is killed.
 */
export function startProgram(
  binary: string,
  args: readonly string[],
  {
    folder,
    work,
    env,
  }: { readonly folder: string; readonly work: string; readonly env: Readonly<Record<string, string>> },
): ChildProcess {
  const child = spawn(binary, [...args], {
    cwd: work,
    env: { ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  running.add(child);
  const guard = child.pid === undefined ? undefined : startGuard(child.pid, folder);
  letGo(child);
  child.once("exit", () => {
    running.delete(child);
    guard?.kill("SIGKILL");
  });
  return child;
}

/** What waits for an answer keeps this process alive; a program that nobody asks anything does not. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket | null)?.unref();
}

export const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** Ends a program: asks, and kills it and what it started after four seconds. */
export async function stopProgram(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.stdin?.end();
  child.kill("SIGTERM");
  const last = setTimeout(() => killGroup(child), 4_000);
  await ended;
  clearTimeout(last);
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended by itself.
  }
}

/** A shell that reads from this process until that is gone, and then ends the group and removes its folder. */
function startGuard(group: number, folder: string): ChildProcess {
  const script = 'read -r _; kill -s KILL -- "-$1"; rm -rf -- "$2"';
  const guard = spawn("/bin/sh", ["-c", script, "guard", String(group), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  letGo(guard);
  return guard;
}

/** The last line that a program printed, as the end of a sentence about it; "" where it printed nothing. */
export function lastLine(printed: string): string {
  const line = printed.trim().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "" : ` It said: ${line.slice(0, 300)}`;
}
