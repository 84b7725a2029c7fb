/** One process a run folder. A lock left by a dead process is taken over; one of a living process is never claimed. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { UsageError } from "../errors.ts";

interface Owner {
  readonly host: string;
  readonly pid: number;
  /** What tells this process from a later one with the same id, where the system has it. */
  readonly started: string | null;
}

/** Start of a process in clock ticks since boot (Linux), null where the system does not tell, undefined for a process that is gone. */
function startOf(pid: number): string | null | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    try {
      process.kill(pid, 0);
      return null;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM" ? null : undefined;
    }
  }
}

function isAlive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true;
  const started = startOf(owner.pid);
  return started !== undefined && (started === null || owner.started === null || started === owner.started);
}

function readOwner(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Owner;
  } catch {
    return undefined;
  }
}

/** Takes the folder's lock and returns the function that gives it back. Throws UsageError while another living process holds it. */
export function takeLock(folder: string): () => void {
  const path = join(folder, "lock");
  const mine: Owner = { host: hostname(), pid: process.pid, started: startOf(process.pid) ?? null };
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(mine));
  try {
    for (;;) {
      try {
        // A link appears whole or not at all, and fails where a lock exists.
        linkSync(draft, path);
        return () => rmSync(path, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const owner = readOwner(path);
      if (owner !== undefined && isAlive(owner))
        throw new UsageError(
          `${folder}: process ${owner.pid} on ${owner.host} is running it. Wait for it; if it is gone for good, delete ${path}.`,
        );
      setAside(path, owner);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Moves a dead owner's lock away; one that changed hands meanwhile is put back. */
function setAside(path: string, dead: Owner | undefined): void {
  const stale = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, stale);
  } catch {
    return;
  }
  const moved = readOwner(stale);
  if (moved !== undefined && JSON.stringify(moved) !== JSON.stringify(dead)) linkSync(stale, path);
  rmSync(stale, { force: true });
}
