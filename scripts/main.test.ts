import { existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chainToJsonl } from "../harness/chain/file.ts";
import type { Report } from "../harness/report/report.ts";
import { smallChain } from "./testing.ts";
import { closedBook as command } from "./testing-command.ts";

const folder = mkdtempSync(join(tmpdir(), "cli-"));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const records = smallChain("cedar", 30).records;
const cedar = file("cedar.jsonl", chainToJsonl(smallChain("cedar", 30)));
const cuts = "48,84,120";

const results = (): string => join(mkdtempSync(join(tmpdir(), "cli-")), "results");
const run = (into: string, ...flags: string[]) =>
  command("run", "--results", into, "--chain", cedar, "--cuts", cuts, ...flags);

describe("closed-book", () => {
  it("runs a chain from a file, prints the tables and says where things are", async () => {
    const into = results();
    const { code, out } = await run(into, "--arms", "codex,recent");
    expect(code).toBe(0);
    expect(out).toContain("not an LLM");
    expect(out).toMatch(/Codex +\d+\/36/);
    expect(readdirSync(into)).toHaveLength(1);
    expect(out).toContain(join(into, readdirSync(into)[0] ?? "", "report.md"));
  });

  it("shows an offline model's costs at the prices of --prices, and at the article's without", async () => {
    const rates = { input: 2, output: 8, cacheRead: "0.5", cacheWrite: 2 };
    const prices = file("own.json", JSON.stringify({ own: { currency: "EUR", perMillionTokens: rates } }));
    const shown = await run(results(), "--arms", "recent", "--prices", prices);
    expect(shown.out).toContain("What it costs in EUR at own prices");
    expect((await run(results(), "--arms", "recent")).out).toContain("What it costs in CNY at article-flash prices");
    const estimate = ["estimate", "--chain", cedar, "--cuts", cuts, "--arms", "recent", "--prices", prices];
    expect((await command(...estimate)).out).toContain("Price own.");
  });

  it("takes no flag twice that is a number or a sum", async () => {
    for (const [flag, ...values] of [
      ["--budget", "5", "50"],
      ["--window", "5000", "6000"],
      ["--prices", "a", "b"],
    ] as const)
      expect(await command("run", ...values.flatMap((value) => [flag, value]))).toEqual({
        code: 2,
        out: "",
        err: `${flag} is given twice. Give it once.\n`,
      });
  });

  it("prints only the report on stdout with --json, and the same for report --run", async () => {
    const into = results();
    const { out, err } = await run(into, "--arms", "codex", "--json");
    const report = JSON.parse(out) as Report;
    expect(report.arms.map(({ id }) => id)).toEqual(["codex"]);
    expect(err).toContain("report.md");
    expect((await command("report", "--run", report.runId.slice(0, 9), "--results", into, "--json")).out).toBe(out);
  });

  it("finds in the journal what every projection left out", async () => {
    const into = results();
    await run(into, "--arms", "empty");
    const id = readdirSync(into)[0] ?? "";
    const place = ["--run", id, "--chain", "cedar", "--results", into];
    const search = await command("history", "search", "PART7.TS", ...place);
    expect(search.out).toContain("cedar-7-u  user text at 15: Keep src/cedar/part7.ts");
    expect((await command("history", "search", "part20", ...place, "--end", "48")).out).toBe("");
    expect((await command("history", "get", "cedar-7-c", ...place)).out).toBe('shell {"command":"make part7"}\n');
    expect((await command("history", "get", "cedar-7-x", ...place)).code).toBe(2);
  });

  it("runs an arm from a file beside the others", async () => {
    const { code, out } = await run(results(), "--arms", "last-words,empty", "--arm", "fixtures/arms/last-words.ts");
    expect(code).toBe(0);
    expect(out.indexOf("Last words")).toBeLessThan(out.indexOf("Nothing kept"));
  });

  it("asks ready sheets unchanged", async () => {
    const sheets = mkdtempSync(join(tmpdir(), "sheets-"));
    for (const stage of [0, 1, 2])
      writeFileSync(
        join(sheets, `cedar-${stage}.json`),
        JSON.stringify({ present: ["PR #701", "11 MiB"], decoys: ["PR #999"] }),
      );
    const { out } = await run(results(), "--arms", "full", "--sheets", sheets, "--json");
    const report = JSON.parse(out) as Report;
    expect(report.exam).toEqual({ preset: "given", targets: 6, decoys: 3, sheets: 3 });
    expect(report.arms[0]?.recall).toEqual({ hits: 6, of: 6 });
  });

  const jsonl = (change: (lines: object[]) => void): string => {
    const lines = structuredClone(records) as object[];
    change(lines);
    return lines.map((line) => JSON.stringify(line)).join("\n");
  };
  const badSheets = (): string => {
    const sheets = mkdtempSync(join(tmpdir(), "sheets-"));
    for (const stage of [0, 1, 2])
      writeFileSync(join(sheets, `cedar-${stage}.json`), JSON.stringify({ present: ["PR #701"], decoys: ["PR #702"] }));
    return sheets;
  };
  const wrong: [string, () => string[], RegExp][] = [
    ["a list with an empty place", () => ["run", "--chains", ""], /--chains is "", which leaves a place empty/],
    ["a flag without its value", () => ["run", "--arm"], /Not enough arguments following: arm/],
    ["a window that is full before any message", () => ["run", "--window", "4000"], /leaves 3000, but system prompt/],
    ["an output reservation above the window", () => ["run", "--output-reserve", "2000000"], /leaves 0, but system/],
    ["an unknown command", () => ["rnu"], /Did you mean run/],
    ["an unknown flag", () => ["run", "--sede", "1"], /sede/],
    ["an unknown arm", () => ["run", "--arms", "codx"], /No arm "codx"\. Did you mean "codex"\? Arms: /],
    [
      "a release of a program that does not run",
      () => ["run", "--arms", "codex", "--codex-version", "0.154.0"],
      /--codex-version belongs to the arm "codex-native", which is not in this run\. Add it with --arms\./,
    ],
    [
      "a real program's own trigger",
      () => ["run", "--arms", "opencode-native", "--trigger", "automatic"],
      /"opencode-native" has no --trigger automatic: /,
    ],
    [
      "upstream's words without an arm for them",
      () => ["run", "--arms", "recent", "--prompts", "upstream"],
      /--prompts upstream is for the arms "codex" and "opencode"/,
    ],
    ["an unknown chain", () => ["run", "--chains", "exprt"], /No chain "exprt"\. Did you mean "export"\?/],
    ["an unknown exam", () => ["run", "--exam", "refrence"], /No exam "refrence"\. Did you mean "reference"\?/],
    ["an unknown model", () => ["run", "--model", "ofline"], /No model "ofline"\. Did you mean "offline"\?/],
    ["a seed that is no number", () => ["run", "--seed", "one"], /--seed is "one"/],
    ["a window of nothing", () => ["run", "--window", "0"], /--window is "0"/],
    ["cuts without a chain file", () => ["run", "--cuts", "1,2"], /--cuts belongs to --chain/],
    ["a name that is a path", () => ["run", "--name", "../x"], /--name is/],
    ["an arm named twice", () => ["run", "--arms", "codex,codex"], /"codex" is named twice/],
    ["a missing chain file", () => ["run", "--chain", join(folder, "none.jsonl"), "--cuts", "4"], /none\.jsonl/],
    [
      "a record without an id",
      () => [
        "run",
        "--cuts",
        "4",
        "--chain",
        file(
          "no-id.jsonl",
          jsonl((lines) => void (lines[2] = { role: "user", kind: "text", text: "" })),
        ),
      ],
      /no-id\.jsonl.*line 3.*id/,
    ],
    [
      "an unknown kind",
      () => [
        "run",
        "--cuts",
        "4",
        "--chain",
        file(
          "kind.jsonl",
          jsonl((lines) => Object.assign(lines[1] ?? {}, { kind: "txet" })),
        ),
      ],
      /kind\.jsonl.*line 2.*kind/,
    ],
    [
      "an unsafe cut",
      () => ["run", "--chain", cedar, "--cuts", "47,84,120"],
      /cut 47 .*nearest safe cut before it is 46/,
    ],
    ["cuts that do not increase", () => ["run", "--chain", cedar, "--cuts", "84,48"], /increas/],
    [
      "a chain with too few values",
      () => [
        "run",
        "--cuts",
        "4",
        "--chain",
        file(
          "poor.jsonl",
          jsonl((lines) => lines.splice(4)),
        ),
      ],
      /poor.*stage 0/,
    ],
    [
      "a sheet whose decoy occurs",
      () => ["run", "--chain", cedar, "--cuts", cuts, "--sheets", badSheets()],
      /cedar-0\.json: decoy "PR #702" occurs/,
    ],
    [
      "a file that exports no arm",
      () => ["run", "--arm", file("no-arm.ts", "export const nothing = 1;\n")],
      /no-arm\.ts: exports no arm/,
    ],
    ["an unknown run", () => ["report", "--run", "none-such"], /No run "none-such"/],
  ];
  it.each(wrong)("answers %s with one line, exit code 2 and nothing written", async (_what, argv, message) => {
    const into = results();
    const all = argv();
    const { code, out, err } = await command(...all, ...(all[0] === "run" ? ["--results", into] : []));
    expect(err).toMatch(message);
    expect(err.trimEnd()).not.toContain("\n");
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(existsSync(into)).toBe(false);
  });

  it("refuses a results folder that cannot be made", async () => {
    const { code, err } = await run(join(cedar, "inside"), "--arms", "empty");
    expect(code).toBe(2);
    expect(err).toContain("--results");
  });

  it("refuses a folder whose manifest is another configuration's, naming the field", async () => {
    const into = results();
    await run(into, "--arms", "empty");
    const manifest = join(into, readdirSync(into)[0] ?? "", "manifest.json");
    writeFileSync(manifest, JSON.stringify({ identity: { options: { seed: 7 } } }));
    const { code, err } = await run(into, "--arms", "empty");
    expect(code).toBe(2);
    expect(err).toMatch(/manifest\.json: belongs to another configuration \(.*\)/);
  });
});
