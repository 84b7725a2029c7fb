import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entries } from "../../arms/index.ts";
import { styles } from "../../harness/shape/styles.ts";
import { smallPlan } from "../testing.ts";
import { checkGoldens, type Golden, goldensOf, goldenText, updateGoldens } from "./goldens.ts";

const committed = fileURLToPath(new URL("../../fixtures/requests/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "goldens-"));
let goldens: readonly Golden[];
beforeAll(async () => (goldens = await goldensOf(smallPlan(), styles)));
afterAll(() => rmSync(folder, { recursive: true }));

const failed = (isAll = true): string[] =>
  checkGoldens(goldens, folder, isAll).flatMap(({ passed, detail }) => (passed ? [] : [detail]));

describe("golden requests", () => {
  it("are committed for every listed arm in every style, and are what is sent", () => {
    const expected = entries.flatMap(({ arm }) => styles.map(({ id }) => `${arm.id}.${id}.json`));
    expect(goldens.map(({ file }) => file)).toEqual(expected);
    expect(checkGoldens(goldens, committed, true).filter(({ passed }) => !passed)).toEqual([]);
  });

  it("can be read: JSON of less than 200 lines, a message a line", () => {
    for (const { file, text } of goldens) {
      const requests = JSON.parse(readFileSync(join(committed, file), "utf8")) as {
        [name: string]: { messages: unknown[] };
      };
      expect(Object.keys(requests)).toContain("answer at 9");
      expect(text.split("\n").length).toBeLessThan(200);
      for (const { messages } of Object.values(requests))
        for (const message of messages) expect(text).toContain(`\n   ${JSON.stringify(message)}`);
    }
  });

  it("hold a compaction with an earlier one before it, parallel calls, a failed result and other scripts", () => {
    const text = readFileSync(join(committed, "futureos-summarized.anthropic.json"), "utf8");
    for (const part of [
      "compaction at 9",
      "compaction at 12",
      '"is_error":true',
      "👍🏽",
      "请保持格式不变",
      "prior-summary",
    ])
      expect(text).toContain(part);
  });

  it("fail while they are missing, and are written by an update", () => {
    expect(failed()).toHaveLength(goldens.length);
    expect(failed()[0]).toMatch(/is missing\. If that is meant, run with --update/);
    expect(updateGoldens(goldens, folder, true)).toEqual(goldens.map(({ file }) => file));
    expect(failed()).toEqual([]);
    expect(updateGoldens(goldens, folder, true)).toEqual([]);
  });

  it("fail where another request is sent, and name the line", () => {
    const path = join(folder, "codex.openai.json");
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, lines.with(6, `${lines[6]} `).join("\n"));
    expect(failed()).toEqual([expect.stringMatching(/codex\.openai\.json: another request is sent from line 7 on/)]);
    expect(updateGoldens(goldens, folder, true)).toEqual(["codex.openai.json"]);
    writeFileSync(path, `${readFileSync(path, "utf8")}\n`);
    expect(failed()).toHaveLength(1);
    updateGoldens(goldens, folder, true);
  });

  it("fail where a file is left of an arm that is gone, unless only some arms are looked at", () => {
    writeFileSync(join(folder, "gone.openai.json"), "{}\n");
    expect(failed(false)).toEqual([]);
    expect(failed()).toEqual([expect.stringMatching(/^gone\.openai\.json is sent by no arm/)]);
    expect(updateGoldens(goldens, folder, false)).toEqual([]);
    expect(updateGoldens(goldens, folder, true)).toEqual(["gone.openai.json"]);
    expect(readdirSync(folder)).not.toContain("gone.openai.json");
  });
});

describe("goldenText", () => {
  it("is the bodies as JSON, empty lists included", () => {
    const bodies = [["one", { model: "m", messages: [{ role: "user" }], tools: [], n: 1 }]] as const;
    expect(JSON.parse(goldenText(bodies))).toEqual(Object.fromEntries(bodies));
    expect(goldenText(bodies)).toBe(
      '{\n "one": {\n  "model": "m",\n  "messages": [\n   {"role":"user"}\n  ],\n  "tools": [],\n  "n": 1\n }\n}\n',
    );
  });
});
