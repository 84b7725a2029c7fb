import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { flags } from "./commands/run.ts";
import type { Report } from "../harness/report/report.ts";
import { openToRead } from "../harness/run/folder.ts";
import { pageData } from "./page/build.ts";
import { pageHtml } from "./page/html.ts";
import { readmeTable, referenceFolder, runPreset } from "./reference.ts";

const text = (...path: string[]): string => readFileSync(join(referenceFolder, ...path), "utf8");
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

beforeEach(() => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

describe("the README", () => {
  it("shows an arm that is a file of its own, word for word", () => {
    expect(readme).toContain(readFileSync(new URL("../fixtures/arms/last-words.ts", import.meta.url), "utf8"));
  });

  it("names every command and every flag of run", () => {
    for (const flag of Object.keys(flags)) expect(readme, flag).toContain(`--${flag}`);
    for (const file of readdirSync(new URL("commands", import.meta.url)).filter((name) => !name.includes(".test.")))
      expect(readme, file).toContain(`\`${file.replace(".ts", "")}`);
  });
});

describe("the committed reference run", () => {
  /** Made anew by the first test, and looked at by the next. */
  let run = "";
  it.each([
    ["reference", []],
    ["tool-heavy", ["tool-heavy"]],
  ])("is what this code makes of the %s exam, byte for byte", { timeout: 60_000 }, async (exam, folder) => {
    const made = await runPreset(exam);
    expect(readFileSync(join(made, "report.json"), "utf8")).toBe(text(...folder, "report.json"));
    if (exam === "reference") run = made;
  });

  it(
    "has a page of less than 15 MB, with every question, and the projection of every cell",
    { timeout: 120_000 },
    async () => {
      const data = await pageData(openToRead(run), () => undefined);
      expect(data.questions).toHaveLength(178 + 144);
      expect(data.cells).toHaveLength(7 * 24);
      for (const { arm, projectionTokens, messages } of data.cells)
        expect(messages.length > 0, arm).toBe(projectionTokens !== 0);
      expect(Buffer.byteLength(await pageHtml(data))).toBeLessThan(15_000_000);
    },
  );

  it("has 24 boundaries, 18 of them scored, and 178 targets", () => {
    const report = JSON.parse(text("report.json")) as Report;
    expect(report.exam).toEqual({ preset: "reference", targets: 178, decoys: 144, sheets: 18 });
    for (const arm of report.arms) expect(arm.boundaries).toMatchObject({ total: 24, scored: 18 });
  });

  it("is the table in the README, under both mixes", () => {
    for (const folder of [[], ["tool-heavy"]])
      expect(readme).toContain(readmeTable(JSON.parse(text(...folder, "report.json")) as Report));
  });
});
