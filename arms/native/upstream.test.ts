import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { availability, install } from "./upstream.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "closed-book-test-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A tarball that is no release of anything. */
function otherTarball(_name: string, into: string): string {
  const made = join(into, "made");
  mkdirSync(join(made, "package"), { recursive: true });
  writeFileSync(join(made, "package", "package.json"), "{}");
  const tarball = join(into, "other.tgz");
  execFileSync("tar", ["-czf", tarball, "-C", made, "package"]);
  return tarball;
}

describe("a release", () => {
  it("is pinned by version and integrity where it is pinned", () => {
    for (const [product, version] of [
      ["codex", "0.155.0"],
      ["opencode", "1.18.31"],
    ] as const)
      expect(availability(product, "linux-x64")).toMatchObject({
        kind: "pinned",
        version,
        pin: { integrity: expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/) as string },
      });
  });

  it("is missing on another platform, with a reason that names both", () => {
    expect(availability("codex", "win32-arm64")).toEqual({
      kind: "missing",
      reason: "codex 0.155.0 is not available here: it is pinned for linux-x64, and this is win32-arm64.",
    });
  });

  it.runIf(availability("codex").kind === "pinned")(
    "is not installed from a tarball of another integrity, and nothing is left behind",
    () => {
      expect(() => install("codex", { folder, fetch: otherTarball })).toThrow(
        /is not the pinned "@openai\/codex@0\.155\.0-linux-x64": its integrity is sha512-/,
      );
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});
