import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { chainToJsonl } from "../harness/chain/file.ts";
import { smallChain } from "./testing.ts";

const here = fileURLToPath(new URL("..", import.meta.url));
const root = mkdtempSync(join(realpathSync(tmpdir()), "bundle-"));
afterAll(() => rmSync(root, { recursive: true }));
for (const name of ["arms", "fixtures", "harness", "scripts", "package.json", "package-lock.json"])
  cpSync(join(here, name), join(root, name), { recursive: true });
const modules = join(root, "node_modules");
mkdirSync(modules);
for (const name of readdirSync(join(here, "node_modules")).filter((one) => !one.startsWith(".")))
  symlinkSync(join(here, "node_modules", name), join(modules, name));

const cache = join(modules, ".cache", "closed-book");
const closedBook = (...argv: string[]): string =>
  execFileSync(process.execPath, ["scripts/closed-book.mjs", ...argv], { cwd: root, encoding: "utf8" });
const bySource = (...argv: string[]): string =>
  execFileSync(process.execPath, ["--import", "tsx", "scripts/cli.ts", ...argv], { cwd: root, encoding: "utf8" });

describe("the command", () => {
  it("prints what the sources print, from one bundle for all its calls", { timeout: 60_000 }, () => {
    expect(closedBook("arms", "--json")).toBe(bySource("arms", "--json"));
    expect(closedBook("--help")).toBe(bySource("--help"));
    expect(readdirSync(cache)).toHaveLength(1);
  });

  it("makes a damaged bundle anew", { timeout: 60_000 }, () => {
    const [bundle = ""] = readdirSync(cache);
    writeFileSync(join(cache, bundle, "cli.mjs"), "");
    expect(closedBook("arms")).toContain("Nothing kept");
  });

  it("says when an arm's promise never comes, instead of ending as if all was done", { timeout: 60_000 }, () => {
    writeFileSync(
      join(root, "waiting.ts"),
      `import { defineArm } from "./harness/arm.ts";
       export default defineArm({
         id: "waiting", title: "Waiting", options: {},
         source: { kind: "variant", of: "empty", change: "never ends" },
         compact: () => new Promise(() => undefined),
       });`,
    );
    const argv = ["scripts/closed-book.mjs", "run", "--arm", "waiting.ts", "--arms", "waiting", "--chains", "sim-yt"];
    const { status, stderr } = spawnSync(process.execPath, [...argv, "--results", join(root, "results")], {
      cwd: root,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining("Ended before it was done")]);
  });

  it("follows a source that changes", { timeout: 60_000 }, () => {
    const path = join(root, "arms", "controls.ts");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("Nothing kept", "Nothing at all"));
    expect(closedBook("arms")).toContain("Nothing at all");
    expect(readdirSync(cache)).toHaveLength(2);
  });

  it("runs an arm from a file, whose refusal it knows for what it is", { timeout: 60_000 }, () => {
    writeFileSync(join(root, "cedar.jsonl"), chainToJsonl(smallChain("cedar", 30)));
    writeFileSync(
      join(root, "refusing.ts"),
      `import { defineArm } from "./harness/arm.ts";
       import { CompactionRefusedError } from "./harness/errors.ts";
       export default defineArm({
         id: "refusing", title: "Refusing", options: {},
         source: { kind: "variant", of: "empty", change: "refuses" },
         compact: async () => { throw new CompactionRefusedError("not today"); },
       });`,
    );
    const flags = ["--chain", "cedar.jsonl", "--cuts", "48,84,120", "--results", join(root, "results")];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["scripts/closed-book.mjs", "run", "--arm", "refusing.ts", "--arms", "refusing", ...flags],
      { cwd: root, encoding: "utf8" },
    );
    expect([status, stdout + stderr]).toEqual([1, expect.stringContaining("not today")]);
  });

  it("runs the sources as they are where no bundle can be kept", { timeout: 60_000 }, () => {
    rmSync(join(modules, ".cache"), { recursive: true });
    writeFileSync(join(modules, ".cache"), "");
    expect(closedBook("arms")).toContain("Nothing at all");
  });
});
