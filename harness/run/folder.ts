/** A run's folder: artifacts are written once, whole or not at all, and never over something else. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ArtifactError, UsageError } from "../errors.ts";
import { firstDifference, type JsonObject, type JsonValue } from "../json.ts";
import { takeLock } from "./lock.ts";
import { makeFolder } from "../make-folder.ts";

export interface RunFolder {
  readonly path: string;
  /** Absolute or relative path of a file in it. */
  at(name: string): string;
  /** Text of a file, or undefined where there is none. */
  read(name: string): string | undefined;
  /** Writes an artifact; one that exists must be equal. Throws ArtifactError otherwise. */
  write(name: string, text: string): void;
  /** Writes something derived from the artifacts, over an older version of it. */
  derive(name: string, text: string): void;
  /** Removes something derived. */
  forget(name: string): void;
  /** Gives the lock back. */
  close(): void;
}

const files = (path: string, close: () => void): RunFolder => {
  const at = (name: string): string => join(path, name);
  const read = (name: string): string | undefined =>
    existsSync(at(name)) ? readFileSync(at(name), "utf8") : undefined;
  const derive = (name: string, text: string): void => {
    makeFolder(dirname(at(name)));
    // The folder's lock is held, so the name is ours; a partial file of a killed run is written over.
    const partial = `${at(name)}.partial`;
    writeFileSync(partial, text);
    renameSync(partial, at(name));
  };
  const write = (name: string, text: string): void => {
    const known = read(name);
    if (known === undefined) return derive(name, text);
    if (known !== text)
      throw new ArtifactError(
        at(name),
        "holds something else than this run would write. Artifacts are never overwritten; move the folder away.",
      );
  };
  const forget = (name: string): void => rmSync(at(name), { force: true });
  return { path, at, read, write, derive, forget, close };
};

/** A run folder to look at; nothing is locked. Throws UsageError where there is none. */
export function openToRead(path: string): RunFolder {
  if (!existsSync(join(path, "manifest.json")))
    throw new UsageError(
      `${path}: no run there (no manifest.json). Runs are folders under the results folder; see --results.`,
    );
  return files(path, () => undefined);
}

/** Creates or reopens a run's folder under its lock. Throws UsageError where it cannot be written, ArtifactError where it belongs to another configuration. */
export function openToRun(path: string, manifest: JsonObject): RunFolder {
  let unlock: () => void;
  try {
    makeFolder(path);
    unlock = takeLock(path);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(
      `${path}: cannot be written (${(cause as NodeJS.ErrnoException).code ?? "unknown reason"}). Choose another folder with --results.`,
      { cause },
    );
  }
  const folder = files(path, unlock);
  try {
    const known = folder.read("manifest.json");
    if (known === undefined) folder.write("manifest.json", manifestText(manifest));
    else assertSame(folder.at("manifest.json"), known, manifest);
    return folder;
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Names of a run's inputs in its folder: chains that came from a file, all sheets, and the session shape. */
export const chainFile = (name: string): string => `chains/${name}.jsonl`;
export const shapeFile = "shape.json";
export const sheetFile = (chain: string, stage: number): string => `sheets/${chain}-${stage}.json`;

const manifestText = (manifest: JsonObject): string => `${JSON.stringify(manifest, null, 2)}\n`;

function assertSame(path: string, text: string, mine: JsonObject): void {
  let known: JsonValue;
  try {
    known = JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new ArtifactError(path, "is not JSON. Move the folder away and run again.", { cause });
  }
  const identity = (manifest: JsonValue): JsonValue => (isObject(manifest) ? (manifest["identity"] ?? null) : null);
  const difference = firstDifference(identity(known), identity(mine), "");
  if (difference !== undefined)
    throw new ArtifactError(
      path,
      `belongs to another configuration (${difference}). Results are never overwritten; move the folder away.`,
    );
}

const isObject = (value: JsonValue): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);
