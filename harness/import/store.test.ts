import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chainDigest } from "../chain/digest.ts";
import { readSession } from "./import.ts";
import {
  dataFolder,
  importsFolder,
  insideGitWorkTree,
  privateFolder,
  refuseUnsafeRun,
  refuseWorkTree,
} from "./privacy.ts";
import { importFolder, readImport, type StorableChain, storeImport } from "./store.ts";
import { fixture, importFixture } from "./testing.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "import-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

function storable(name: string): StorableChain {
  const reading = readSession(fixture(name));
  return {
    format: reading.format,
    records: reading.records(),
    end: () => ({ ...reading.end(), redaction: undefined }),
  };
}

describe("a stored import", () => {
  it("is read back as the chain that was imported, with its report", () => {
    const { chain, report } = importFixture("codex.jsonl");
    const stored = storeImport(join(folder, "data"), storable("codex.jsonl"));
    const { chain: read, file } = readImport(stored.path);
    expect(read).toEqual({ ...chain, name: stored.name });
    expect(file.report).toEqual(report);
    expect(file.sha256).toBe(chainDigest(chain));
    for (const path of [stored.path, `${stored.path}/`, join(stored.path, "records.jsonl")])
      expect(importFolder(path)?.replace(/\/$/, "")).toBe(stored.path);
    expect(importFolder(join(stored.path, "import.json"))).toBeUndefined();
  });

  it("has a name that tells nothing but its format, always the same", () => {
    const first = storeImport(folder, storable("claude.jsonl"));
    expect(first).toMatchObject({ name: `claude-${first.sha256.slice(0, 8)}`, existed: false });
    expect(storeImport(folder, storable("claude.jsonl"))).toEqual({ ...first, existed: true });
    expect(readdirSync(folder)).toEqual([first.name]);
  });

  it("can be read by its owner alone", () => {
    const { path } = storeImport(join(folder, "a/b"), storable("pi-id.jsonl"));
    expect([join(folder, "a"), join(folder, "a/b"), path].map(mode)).toEqual(["700", "700", "700"]);
    expect(readdirSync(path).map((name) => mode(join(path, name)))).toEqual(["600", "600"]);
  });

  it("never takes another import's place", () => {
    storeImport(folder, storable("pi-id.jsonl"), "mine");
    expect(() => storeImport(folder, storable("codex.jsonl"), "mine")).toThrow(
      `${join(folder, "mine")}: holds another import. Choose another --name, or remove the folder.`,
    );
    expect(() => storeImport(folder, storable("codex.jsonl"), "../x")).toThrow(
      '--name is "../x", but it becomes a folder\'s name',
    );
  });

  it("leaves nothing behind where the session turns out to be broken", () => {
    const file = join(folder, "cut.json");
    writeFileSync(
      file,
      '{"info":{"id":"ses_1"},"messages":[{"info":{"id":"m","role":"user"},"parts":[{"type":"text","text":"a"}]},',
    );
    const reading = readSession(file);
    const chain = {
      format: "opencode",
      records: reading.records(),
      end: () => ({ ...reading.end(), redaction: undefined }),
    };
    expect(() => storeImport(join(folder, "data"), chain)).toThrow("cut short");
    expect(readdirSync(join(folder, "data"))).toEqual([]);
  });
});

describe("the data folder", () => {
  it("is closed-book in the XDG data home, which counts only as an absolute path, or what was given", () => {
    expect(dataFolder(undefined, { XDG_DATA_HOME: "/data" })).toBe("/data/closed-book");
    for (const home of ["", "relative"])
      expect(dataFolder(undefined, { XDG_DATA_HOME: home })).toBe(join(homedir(), ".local/share/closed-book"));
    expect(importsFolder(dataFolder("/given", {}))).toBe("/given/imports");
  });

  it("is refused, not changed, where others can read it", () => {
    const open = join(folder, "open");
    mkdirSync(open, { mode: 0o755 });
    expect(() => privateFolder(open)).toThrow(`${open}: others can read this folder (mode 755)`);
    expect(mode(open)).toBe("755");
  });
});

describe("a git work tree", () => {
  it("is found from any folder in it, also through a link and before the folder exists", () => {
    const tree = join(folder, "repo");
    mkdirSync(join(tree, ".git"), { recursive: true });
    mkdirSync(join(tree, "a"));
    symlinkSync(join(tree, "a"), join(folder, "link"));
    for (const inside of [
      tree,
      join(tree, "a"),
      join(tree, "new/deep"),
      join(folder, "link"),
      join(folder, "link/new"),
    ])
      expect(insideGitWorkTree(inside)).toBe(tree);
    expect(insideGitWorkTree(join(folder, "other"))).toBeUndefined();
  });

  it("is found where .git is a file, as in a linked work tree", () => {
    writeFileSync(join(folder, ".git"), "gitdir: elsewhere\n");
    expect(insideGitWorkTree(join(folder, "a"))).toBe(folder);
  });

  it("takes no private files unless the user says so", () => {
    mkdirSync(join(folder, ".git"));
    expect(() => refuseWorkTree(folder, "an imported session", false)).toThrow(
      /lies in the git work tree .* --allow-repo/,
    );
    expect(() => refuseWorkTree(folder, "an imported session", true)).not.toThrow();
  });
});

describe("a run", () => {
  const run = {
    imported: ["mine"],
    resultsFolder: "/nowhere",
    remoteModel: undefined,
    allowRepo: false,
    yesSend: false,
  };

  it("with an imported chain calls a remote model only with --yes-send", () => {
    const remote = { ...run, remoteModel: "gpt-5" };
    expect(() => refuseUnsafeRun(remote)).toThrow(
      'Chain "mine" is your own session, and the model "gpt-5" is asked over a network. Give --yes-send',
    );
    expect(() => refuseUnsafeRun({ ...remote, imported: ["mine", "b"] })).toThrow('Chain "mine" and 1 more');
    expect(() => refuseUnsafeRun({ ...remote, yesSend: true })).not.toThrow();
    expect(() => refuseUnsafeRun(run)).not.toThrow();
  });

  it("with an imported chain writes into a git work tree only with --allow-repo", () => {
    mkdirSync(join(folder, ".git"));
    const inRepo = { ...run, resultsFolder: join(folder, "results") };
    expect(() => refuseUnsafeRun(inRepo)).toThrow("lies in the git work tree");
    expect(() => refuseUnsafeRun({ ...inRepo, allowRepo: true })).not.toThrow();
  });

  it("without one may do both", () => {
    mkdirSync(join(folder, ".git"));
    expect(() => refuseUnsafeRun({ ...run, imported: [], resultsFolder: folder, remoteModel: "gpt-5" })).not.toThrow();
  });
});
