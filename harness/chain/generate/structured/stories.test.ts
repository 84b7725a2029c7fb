import { describe, expect, it } from "vitest";
import type { ChainRecord } from "../../record.ts";
import { structured, structuredChainNames } from "../structured.ts";

const chains = [1, 2, 77].flatMap((seed) =>
  structuredChainNames.map((name) => ({ seed, name, chain: structured(name, seed) })),
);
const firstSeed = chains.filter(({ seed }) => seed === 1);

const textOf = (record: ChainRecord): string => (record.kind === "tool_call" ? "" : record.text);
function text(records: readonly ChainRecord[], id: string): string {
  const record = records.find((one) => one.id === id);
  if (record === undefined) throw new Error(`no record ${id}`);
  return textOf(record);
}

describe("the stories", () => {
  const caps = { export: [128, 64, 96], analysis: [256, 192, 320], pipeline: [512, 384, 768] };
  const formats = { export: ["CSV", "JSONL"], analysis: ["JSON", "PARQUET"], pipeline: ["AVRO", "PARQUET"] };

  it.each(firstSeed)(
    "of $name states a cap first, replaces it in stages 2 and 5, and changes the format in stage 4",
    ({ name, chain }) => {
      const requirement = (stage: number): string => text(chain.records, `${name}-0${stage}-u`);
      const unit = name === "pipeline" ? "seconds" : "MiB";
      [0, 2, 5].forEach((stage, index) => expect(requirement(stage)).toContain(`${caps[name][index] ?? ""} ${unit}`));
      const [first = "", second = ""] = formats[name];
      expect(requirement(0)).toMatch(new RegExp(`\\b${first}\\b`));
      expect(requirement(4)).toMatch(new RegExp(`\\b${second}\\b`));
      for (const stage of [0, 1, 2, 3]) expect(requirement(stage)).not.toMatch(new RegExp(`\\b${second}\\b`));
    },
  );

  it.each(firstSeed)("of $name acknowledges the first requirement with a code of its own", ({ name, chain }) => {
    const report = text(chain.records, `${name}-00-a`);
    expect(report).toMatch(/^ACK_[0-9a-f]{16}\b/);
    const project = { export: "PROJECT=ATLAS", analysis: "PROJECT=MERIDIAN", pipeline: "DEC_" }[name];
    expect(report).toContain(project);
    const codes = chains.map((one) => text(one.chain.records, `${one.name}-00-a`).slice(0, 20));
    expect(new Set(codes).size).toBe(chains.length);
  });

  it("of pipeline has decisions with reasons, and takes the retry budget back from 9 to 4 in stage 3", () => {
    const { records } = structured("pipeline", 1);
    expect(text(records, "pipeline-00-a")).toMatch(/DEC_[0-9a-f]{8}.*RSN_[A-Z_]+.*Retry budget 9/s);
    expect(text(records, "pipeline-03-a")).toMatch(/Correction: the retry budget is 4, not 9/);
    const reports = records.filter(({ id }) => /-\d\d-a$/.test(id)).map(textOf);
    expect(reports.filter((report) => report.includes("Reason")).length).toBeGreaterThanOrEqual(4);
    expect(reports.filter((report) => /\bwrong\b|Correction/.test(report)).length).toBeGreaterThanOrEqual(3);
  });

  it("tell three different stories: no report or requirement of one chain stands in another", () => {
    const prose = (chain: (typeof chains)[number]["chain"]): string[] =>
      chain.records.filter(({ kind }) => kind === "text").map((record) => textOf(record).slice(0, 60));
    const all = firstSeed.flatMap(({ chain }) => [...new Set(prose(chain))]);
    expect(new Set(all).size).toBe(all.length);
  });
});
