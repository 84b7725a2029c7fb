/** Where the real programs run: in a network namespace that has loopback only, where the system allows one, with nothing of the user's environment. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";

const marker = "CLOSED_BOOK_NAMESPACE";

/** What stands between the programs and the network. */
export type Isolation = "network namespace" | "configuration only";

/** How this process is isolated. */
export const isolation = (): Isolation => (process.env[marker] === "1" ? "network namespace" : "configuration only");

/**
 * Runs this very command again inside a network namespace and resolves with its exit code; undefined where this process is
 * already inside or the system has no namespaces for it.
 */
export async function enterNamespace(): Promise<number | undefined> {
  if (isolation() === "network namespace" || process.platform !== "linux") return undefined;
  const wrap = ["-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
  if (spawnSync("unshare", [...wrap, "true"], { stdio: "ignore" }).status !== 0) return undefined;
  const child = spawn("unshare", [...wrap, process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    stdio: "inherit",
    env: { ...process.env, [marker]: "1" },
  });
  return await exitCode(child);
}

function exitCode(child: ChildProcess): Promise<number> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (signal !== null) process.stderr.write(`Stopped from outside by ${signal} before the end.\n`);
      resolve(code ?? 1);
    });
  });
}
