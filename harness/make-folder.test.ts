import { existsSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

const place = (): string => mkdtempSync(join(tmpdir(), "folder-"));

describe("makeFolder", () => {
  it("makes what is missing above too, and leaves what is there", () => {
    const path = join(place(), "a", "b", "c");
    makeFolder(path, 0o700);
    makeFolder(path);
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
  });

  it("refuses a path with a file in it", () => {
    const file = join(place(), "file");
    writeFileSync(file, "");
    expect(() => makeFolder(file)).toThrow("EEXIST");
    expect(() => makeFolder(join(file, "a"))).toThrow("ENOTDIR");
  });

  it.skipIf(!existsSync("/proc/self"))("ends where the system denies what lies below a folder that exists", () => {
    expect(() => makeFolder("/proc/closed-book/a")).toThrow("ENOENT");
  });
});
