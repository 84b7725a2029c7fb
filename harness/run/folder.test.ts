import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ArtifactError, UsageError } from "../errors.ts";
import { openToRead, openToRun } from "./folder.ts";

const place = (): string => join(mkdtempSync(join(tmpdir(), "run-")), "demo-1");
const manifest = { identity: { seed: 1, arms: [{ id: "codex" }] } };

describe("run folder", () => {
  it("refuses a second living process and lets the next one in after it", () => {
    const path = place();
    const first = openToRun(path, manifest);
    expect(() => openToRun(path, manifest)).toThrow(`process ${process.pid}`);
    first.close();
    openToRun(path, manifest).close();
    expect(readdirSync(path)).toEqual(["manifest.json"]);
  });

  it("takes over the lock of a dead process", () => {
    const path = place();
    mkdirSync(path, { recursive: true });
    const dead = spawnSync(process.execPath, ["-e", "process.stdout.write(String(process.pid))"]).stdout.toString();
    writeFileSync(join(path, "lock"), JSON.stringify({ host: hostname(), pid: Number(dead), started: "1" }));
    openToRun(path, manifest).close();
    expect(existsSync(join(path, "lock"))).toBe(false);
  });

  it.runIf(existsSync("/proc/self/stat"))("takes over the lock of a process whose id was given to another", () => {
    const path = place();
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "lock"), JSON.stringify({ host: hostname(), pid: process.pid, started: "1" }));
    expect(() => openToRun(path, manifest).close()).not.toThrow();
  });

  it("refuses a lock of another host, naming the file to delete", () => {
    const path = place();
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "lock"), JSON.stringify({ host: "elsewhere.invalid", pid: 1, started: "1" }));
    expect(() => openToRun(path, manifest)).toThrow(join(path, "lock"));
  });

  it("refuses a folder of another configuration, naming the field", () => {
    const path = place();
    openToRun(path, manifest).close();
    const other = { identity: { seed: 7, arms: [{ id: "codex" }] } };
    expect(() => openToRun(path, other)).toThrow(ArtifactError);
    expect(() => openToRun(path, other)).toThrow("seed is 1 there, 7 here");
    expect(existsSync(join(path, "lock"))).toBe(false);
  });

  it("accepts a folder that differs only in what is recorded", () => {
    const path = place();
    openToRun(path, { ...manifest, recorded: { harnessVersion: "1" } }).close();
    const later = { ...manifest, recorded: { harnessVersion: "2" } };
    expect(() => openToRun(path, later).close()).not.toThrow();
  });

  it("writes an artifact once: equal text again is nothing, other text an error", () => {
    const path = place();
    const folder = openToRun(path, manifest);
    folder.write("answers/a.json", "one");
    folder.write("answers/a.json", "one");
    expect(() => folder.write("answers/a.json", "two")).toThrow(ArtifactError);
    expect(readFileSync(join(path, "answers/a.json"), "utf8")).toBe("one");
  });

  it("refuses a place that cannot be written with one line that names it", () => {
    const parent = mkdtempSync(join(tmpdir(), "run-"));
    writeFileSync(join(parent, "file"), "");
    expect(() => openToRun(join(parent, "file", "demo"), manifest)).toThrow(UsageError);
    expect(() => openToRun(join(parent, "file", "demo"), manifest)).toThrow("--results");
  });

  it("says where runs are when there is none", () => {
    expect(() => openToRead(place())).toThrow("--results");
  });
});
