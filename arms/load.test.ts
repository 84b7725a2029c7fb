import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../harness/errors.ts";
import { loadArm } from "./load.ts";
import { recordingContext } from "./testing.ts";

const contract = JSON.stringify(fileURLToPath(new URL("../harness/arm.ts", import.meta.url)));
const arm = (fields: string): string =>
  `{ title: "Mine", source: { kind: "control" }, options: {}, compact: async () => ({ kind: "compacted", projection: [], state: null }), ${fields} }`;

const files = {
  "default.ts": `import { defineArm } from ${contract};\nexport default defineArm(${arm(`id: "by-default"`)});`,
  "named.ts": `export const limit: number = 3;\nexport const mine = ${arm(`id: "by-name"`)};`,
  "both.ts": `export const mine = ${arm(`id: "by-both"`)};\nexport default mine;\nexport const other = ${arm(`id: "helper"`)};`,
  "twice.ts": `export const mine = ${arm(`id: "one-arm"`)};\nexport { mine as again };`,
  "several.ts": `export const one = ${arm(`id: "one"`)};\nexport const two = ${arm(`id: "two"`)};`,
  "none.ts": `export const limit = 3;\nexport default { limit };`,
  "empty.ts": "",
  "taken.ts": `export default ${arm(`id: "codex"`)};`,
  "shouting.ts": `export default ${arm(`id: "My Arm"`)};`,
  "untitled.ts": `export default ${arm(`id: "untitled", title: undefined`)};`,
  "changeless.ts": `export default ${arm(`id: "changeless", source: { kind: "variant", of: "codex" }`)};`,
  "rootless.ts": `export default ${arm(`id: "rootless", source: { kind: "fork" }`)};`,
  "optionless.ts": `export default ${arm(`id: "optionless", options: { pick: () => 1 }`)};`,
  "idle.ts": `export default ${arm(`id: "idle", compact: undefined`)};`,
  "broken.ts": `export const limit = 3;\nexport default {{ id: "broken" };`,
  "throwing.ts": `throw new Error("the model\\nis missing");`,
  "lost.ts": `import "./nowhere.ts";\nexport default ${arm(`id: "lost"`)};`,
};

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "arms-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: keyof typeof files): string => join(folder, name);

async function refusal(path: string): Promise<string> {
  const error: unknown = await loadArm(path).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(UsageError);
  return (error as UsageError).message.replace(folder, "");
}

describe("an arm file", () => {
  it.each([
    ["default.ts", "by-default"],
    ["named.ts", "by-name"],
    ["both.ts", "by-both"],
    ["twice.ts", "one-arm"],
  ] as const)("gives its default arm, or its only one: %s", async (name, id) => {
    expect((await loadArm(at(name))).id).toBe(id);
  });

  it("can be a complete arm in under 30 lines, as the README shows", async () => {
    const path = fileURLToPath(new URL("../fixtures/arms/last-words.ts", import.meta.url));
    expect(readFileSync(path, "utf8").trimEnd().split("\n").length).toBeLessThan(30);
    expect((await loadArm(path)).title).toBe("User texts and the last answer");
  });

  it("gives an arm that runs", async () => {
    const loaded = await loadArm(at("default.ts"));
    const { context } = recordingContext(loaded);
    const outcome = await loaded.compact({ journal: [], fresh: [], previous: undefined, trigger: "forced" }, context);
    expect(outcome).toEqual({ kind: "compacted", projection: [], state: null });
  });

  it.each([
    ["several.ts", "/several.ts: exports 2 arms. Make one of them the default export."],
    ["none.ts", "/none.ts: exports no arm. Write `export default defineArm({ … })`, as the README shows."],
    ["empty.ts", "/empty.ts: exports no arm. Write `export default defineArm({ … })`, as the README shows."],
    ["taken.ts", `/taken.ts: an arm "codex" exists already. Give this one another id.`],
    ["shouting.ts", `/shouting.ts: the arm's id "My Arm" is not kebab-case.`],
    ["untitled.ts", "/untitled.ts: the arm's title is missing."],
    ["rootless.ts", "/rootless.ts: the arm's source.kind is not mirror, variant, native or control."],
    ["changeless.ts", "/changeless.ts: the arm's source.change is missing."],
    ["optionless.ts", "/optionless.ts: the arm's options are not JSON."],
    ["idle.ts", "/idle.ts: the arm's compact is not a function."],
    ["throwing.ts", "/throwing.ts: does not load: the model"],
  ] as const)("is refused in one line that names the fault: %s", async (name, message) => {
    expect(await refusal(at(name))).toBe(message);
  });

  it("is refused in one line where its syntax is broken", async () => {
    expect(await refusal(at("broken.ts"))).toMatch(/^\/broken\.ts: does not load: [^\n]+$/);
  });

  it("is refused with the name of a file that it imports in vain", async () => {
    expect(await refusal(at("lost.ts"))).toMatch(/^\/lost\.ts: does not load: [^\n]*nowhere\.ts[^\n]*$/);
  });

  it("is refused where it does not exist", async () => {
    expect(await refusal(join(folder, "gone.ts"))).toBe(`No file "/gone.ts". --arm takes a file that exports an arm.`);
  });

  it("is refused where another file has given the same id", async () => {
    await expect(loadArm(at("named.ts"), ["by-name"])).rejects.toThrow(`an arm "by-name" exists already`);
  });

  it("loads under tsx, outside any package, and names the position of a syntax error", { timeout: 60_000 }, () => {
    const script = `
      const { loadArm } = await import(${JSON.stringify(new URL("load.ts", import.meta.url).href)});
      const load = (name) => loadArm(${JSON.stringify(`${folder}/`)} + name).then(({ id }) => id, ({ name, message }) => name + " " + message);
      const names = ${JSON.stringify(["default.ts", "named.ts", "both.ts", "twice.ts", "several.ts", "none.ts", "broken.ts", "lost.ts"])};
      console.log(JSON.stringify(await Promise.all(names.map(load))));
    `;
    const output = execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      encoding: "utf8",
    });
    const [byDefault, byName, byBoth, twice, several, none, broken, lost] = JSON.parse(output) as string[];
    expect([byDefault, byName, byBoth, twice]).toEqual(["by-default", "by-name", "by-both", "one-arm"]);
    expect(several).toContain("exports 2 arms");
    expect(none).toContain("exports no arm");
    expect(broken).toBe(`UsageError ${at("broken.ts")}: does not load: at 2:16: Expected identifier but found "{"`);
    expect(lost).toMatch(/^UsageError [^\n]*does not load: [^\n]*nowhere\.ts[^\n]*$/);
  });
});
