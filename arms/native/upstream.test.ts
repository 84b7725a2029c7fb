import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UsageError } from "../../harness/errors.ts";
import { availability, install, type Registry, UnreachableError } from "./upstream.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "closed-book-test-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A tarball with these files, which is no release of anything. */
function tarballOf(files: readonly string[], into: string): string {
  const made = join(into, "made");
  for (const file of files) {
    mkdirSync(join(made, "package", dirname(file)), { recursive: true });
    writeFileSync(join(made, "package", file), file);
  }
  const tarball = join(into, "other.tgz");
  execFileSync("tar", ["-czf", tarball, "-C", made, "package"]);
  return tarball;
}

/** A registry that has something else than it says. */
const other: Registry = {
  fetch: (_name, into) => tarballOf(["package.json"], into),
  integrityOf: () => `sha512-${"A".repeat(86)}==`,
};
const isPinned = availability("codex").kind === "pinned";

/** A registry whose every version holds Codex's program, and how often it was asked. */
function honest(): { readonly registry: Registry; readonly asked: string[] } {
  const tarball = tarballOf(["package.json", "vendor/x86_64-unknown-linux-musl/bin/codex"], folder);
  const asked: string[] = [];
  return {
    asked,
    registry: {
      fetch: (name, into) => {
        asked.push(name);
        cpSync(tarball, join(into, "some.tgz"));
        return join(into, "some.tgz");
      },
      integrityOf: () => `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`,
    },
  };
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

  it.runIf(isPinned)("is not installed from a tarball of another integrity, and nothing is left behind", () => {
    expect(() => install("codex", { folder, registry: other })).toThrow(
      /is not the pinned "@openai\/codex@0\.155\.0-linux-x64": its integrity is sha512-/,
    );
    expect(() => install("codex", { folder, version: "0.1.2", registry: other })).toThrow(
      /is not the registry's "@openai\/codex@0\.1\.2-linux-x64": its integrity is sha512-/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(isPinned)("of another version is installed once, with the integrity that the registry states", () => {
    const { registry, asked } = honest();
    const into = join(folder, "upstream");
    const first = install("codex", { folder: into, version: "0.1.2", registry });
    expect(readFileSync(first.binary, "utf8")).toBe("vendor/x86_64-unknown-linux-musl/bin/codex");
    expect(install("codex", { folder: into, version: "0.1.2", registry })).toEqual(first);
    expect(asked).toEqual(["@openai/codex@0.1.2-linux-x64"]);
    expect(readdirSync(into)).toEqual(["codex-0.1.2"]);
  });

  it.runIf(isPinned)("has a version that reads like one", () => {
    expect(() => install("codex", { folder, version: "latest", registry: other })).toThrow(
      '"latest" is no version of codex. Give one like 0.155.0.',
    );
  });

  it.runIf(isPinned)("says whether the registry could not be reached, which is the user's to mend", () => {
    const dead: Registry = {
      ...other,
      fetch: (name) => {
        throw new UnreachableError(`"${name}" cannot be fetched.`);
      },
    };
    expect(() => install("codex", { folder, registry: dead })).toThrow(UnreachableError);
    expect(new UnreachableError("")).toBeInstanceOf(UsageError);
    expect(readdirSync(folder)).toEqual([]);
  });
});
