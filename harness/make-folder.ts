/** Making a folder at a path that a user gave. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and the missing ones above it; one that is there is left as it is. Throws the system's error.
 *
 * Node's own recursive form never returns where the system denies that a path exists below a folder that does, as `/proc`
 * and some network mounts do (node 20.20, `mkdirSync("/proc/x", { recursive: true })`).
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (code !== "ENOENT" || parent === path || existsSync(parent)) throw error;
    makeFolder(parent, mode);
    makeFolder(path, mode);
  }
}
