import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ownPrompts as codex } from "../../arms/codex/prompts.ts";
import { ownPrompts as opencode } from "../../arms/opencode/prompts.ts";
import { digestsOf, promptsJson, readUpstreamPrompts, upstreamPromptsFile, type UpstreamPrompts } from "./prompts.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "closed-book-test-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const some: UpstreamPrompts = {
  codex: {
    version: "1",
    prompts: codex,
    session: "a system text",
    digests: digestsOf({ ...codex, session: "a system text" }),
  },
  opencode: {
    version: "2",
    prompts: opencode,
    session: "another",
    digests: digestsOf({ ...opencode, session: "another" }),
  },
};

function written(text: string): string {
  const path = join(folder, "prompts.json");
  writeFileSync(path, text);
  return path;
}

describe("the file of the products' prompts", () => {
  it("gives back every text with its digest", () => {
    expect(readUpstreamPrompts(written(promptsJson(some)))).toEqual(some);
  });

  it("is asked for by the command's name where it is missing", () => {
    expect(() => readUpstreamPrompts(join(folder, "none.json"))).toThrow(
      /none\.json: the products' own prompts are not there\. Run "closed-book prompts fetch"/,
    );
  });

  it("is refused where a text is not what its digest says, is missing, or the file is something else", () => {
    expect(() => readUpstreamPrompts(written(promptsJson(some).replace("a system text", "another text")))).toThrow(
      /text "session" is missing or is not what its digest says/,
    );
    expect(() => readUpstreamPrompts(written(promptsJson(some).replaceAll('"rules"', '"rule"')))).toThrow(
      /text "rules" is missing/,
    );
    expect(() => readUpstreamPrompts(written("{}"))).toThrow(/is no file of prompts/);
    expect(() => readUpstreamPrompts(written("{"))).toThrow(/is no JSON/);
  });
});

it.runIf(existsSync(upstreamPromptsFile))("leaves no line of a product's text anywhere in the repository", () => {
  const { codex: one, opencode: other } = readUpstreamPrompts();
  const texts = Object.values<string>({ ...one.prompts, own: one.session, ...other.prompts, other: other.session });
  const lines = new Set(
    texts.flatMap((text) => text.split("\n").map((line) => line.trim())).filter((line) => line.length >= 30),
  );
  const root = new URL("../../", import.meta.url).pathname;
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  }).split("\0");
  const found = files.flatMap((file) => {
    const path = join(root, file);
    if (file === "" || !existsSync(path) || /\.(png|svg|ttf|otf|gz)$/.test(file)) return [];
    const text = readFileSync(path, "utf8");
    return [...lines]
      .filter((line) => text.includes(line))
      .map((line) => `${file}: a line of ${line.length} characters`);
  });
  expect(lines.size).toBeGreaterThan(50);
  expect(found).toEqual([]);
});
