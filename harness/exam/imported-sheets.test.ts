import { describe, expect, it } from "vitest";
import { generateChain } from "../chain/generate/index.ts";
import type { Chain } from "../chain/record.ts";
import { UsageError } from "../errors.ts";
import { examPreset, examPresetNames, quotasOf } from "./presets.ts";
import { decoysOf, type Question, targetsOf } from "./question.ts";
import { buildSheets } from "./sheet.ts";
import { assistant, call, chainOf, result, user } from "./testing.ts";

const imported = (chain: Chain): Chain => ({ ...chain, group: "imported" });
const sheetsOf = (chain: Chain, cuts: readonly number[], exam = "reference") =>
  buildSheets({ chain, cuts, quotas: quotasOf(examPreset(exam), chain.name, cuts.length), seed: 1, avoid: [] });

const short = imported(
  chainOf(
    "short",
    user("Hello, what does this project do?"),
    assistant("Let me look."),
    user("Keep src/parser/tokens.ts below 120 ms"),
    assistant("Changed `parse_line` in src/parser/reader.ts, see 3f9c01ab7"),
    call("bash", { command: "make" }),
    result("built a0b1c2d in 12.5 MiB"),
  ),
);

describe("the sheets of an imported session", () => {
  it.each(examPresetNames())("ask what the session has where exam %s wants more, and say what was wanted", (exam) => {
    const row = examPreset(exam).otherChains;
    const [first, last] = sheetsOf(short, [2, 6], exam).map((sheet) => ({
      targets: targetsOf(sheet),
      decoys: decoysOf(sheet),
      supply: sheet.supply,
    }));
    expect(first?.targets).toEqual([]);
    expect(first?.decoys).toHaveLength(row.decoys);
    expect(last?.supply).toEqual({
      assistant: { wanted: row.targets.assistant, found: 3 },
      user: { wanted: row.targets.user, found: 1 },
      tool: { wanted: row.targets.tool, found: 2 },
    });
    for (const source of ["assistant", "user", "tool"] as const) {
      const asked = last?.targets.filter((target) => target.source === source).length;
      expect(asked).toBe(Math.min(row.targets[source], last?.supply?.[source].found ?? 0));
    }
  });

  it("are refused for a session without any value, in one line, and for a chain file or a generated chain with too few", () => {
    const empty = imported(chainOf("empty", user("hello"), assistant("good day")));
    expect(() => sheetsOf(empty, [1, 2])).toThrow(
      new UsageError(
        'Chain "empty": no exact value (a path, a hash, a size, an identifier) in 2 records that could be asked for. Import a longer session, or ask questions of your own with --sheets DIR.',
      ),
    );
    for (const group of ["file", "structured", "session-shaped"] as const)
      expect(() => sheetsOf({ ...short, group }, [6])).toThrow(/distinct assistant values found, 20 needed/);
  });

  it("ask for no value that stands in a result of no call alone, because no request carries it", () => {
    const chain = imported(
      chainOf(
        "orphan",
        user("Keep src/parser/tokens.ts"),
        result("lost1a2b3c4 aa11bb22 12.5 MiB"),
        assistant("12.5 MiB it is"),
      ),
    );
    const [sheet] = sheetsOf(chain, [3]);
    expect(sheet?.questions.filter(({ kind }) => kind === "target").map(({ value }) => value)).toEqual(
      expect.arrayContaining(["src/parser/tokens.ts", "12.5 MiB"]),
    );
    expect(sheet?.questions.map(({ value }) => value)).not.toContain("aa11bb22");
  });

  it("have as many targets as a generated chain where the session has as many values", () => {
    const chain = generateChain("sim-yt", 1);
    const cuts = [400, 800];
    const counts = (group: Chain["group"]) =>
      sheetsOf({ ...chain, group }, cuts).map((sheet) => [targetsOf(sheet).length, decoysOf(sheet).length]);
    expect(counts("imported")).toEqual(counts("session-shaped"));
  });

  it("have decoys that occur nowhere in the whole session", () => {
    const chain = imported(generateChain("sim-visual", 1));
    const everything = chain.records
      .map((record) => (record.kind === "tool_call" ? JSON.stringify(record.args) : record.text))
      .join("\n");
    for (const { value } of sheetsOf(chain, [100, 400]).flatMap(decoysOf)) expect(everything).not.toContain(value);
  });
});

/** What can be seen of a value without knowing the session. */
const looks: { readonly [name: string]: (question: Question) => string } = {
  length: ({ value }) => `${value.length}`,
  kind: ({ pattern }) => pattern,
  "classes of characters": ({ value }) => [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].map((c) => c.test(value)).join(),
  shape: ({ value }) =>
    value
      .replaceAll(/[a-z]+/g, ({ length }) => `a${length}`)
      .replaceAll(/[A-Z]+/g, ({ length }) => `A${length}`)
      .replaceAll(/\d/g, "0"),
  "number of digits": ({ value }) => `${value.replaceAll(/\D/g, "").length}`,
  punctuation: ({ value }) => value.replaceAll(/[A-Za-z\d]/g, ""),
  ending: ({ value }) => /\W\w*$/.exec(value)?.[0] ?? "",
  beginning: ({ value }) => value.slice(0, 3),
};

/** How often a classifier is right on questions it has not seen, after learning how often each look is a target's or a decoy's; 0.5 by chance. */
function accuracy(look: (question: Question) => string, questions: readonly Question[]): number {
  const seen = new Map<string, number>();
  const half = { target: 0, decoy: 0 };
  const right: Record<Question["kind"], number[]> = { target: [], decoy: [] };
  const total = { target: 0, decoy: 0 };
  for (const { kind } of questions) total[kind]++;
  const rest = questions.filter((question) => {
    const learns = half[question.kind]++ < total[question.kind] / 2;
    const vote = question.kind === "target" ? 1 / total.target : -1 / total.decoy;
    if (learns) seen.set(look(question), (seen.get(look(question)) ?? 0) + vote);
    return !learns;
  });
  for (const question of rest) {
    const vote = seen.get(look(question)) ?? 0;
    right[question.kind].push(vote === 0 ? 0.5 : vote > 0 === (question.kind === "target") ? 1 : 0);
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  return (mean(right.target) + mean(right.decoy)) / 2;
}

/** The distinct questions of a dozen large sheets of one session, so that nothing is learnt by heart. */
function manyQuestions(group: Chain["group"]): Question[] {
  const chain = { ...generateChain("sim-yt", 1), group };
  const quota = { targets: { assistant: 24, user: 3, tool: 3 }, decoys: 30 };
  const questions = Array.from({ length: 12 }, (_, seed) =>
    buildSheets({ chain, cuts: [chain.records.length], quotas: { sheets: [quota], poolFactor: 1 }, seed, avoid: [] }),
  ).flatMap((sheets) => sheets.flatMap((sheet) => sheet.questions));
  return [...new Map(questions.map((question) => [question.value, question])).values()];
}

describe("the look of a question", () => {
  it("does not tell the decoys of an imported session from its targets", () => {
    const questions = manyQuestions("imported");
    for (const [name, look] of Object.entries(looks)) expect(accuracy(look, questions), name).toBeLessThan(0.62);
  });

  it("would tell them if they were of the general shapes", () => {
    const questions = manyQuestions("file");
    for (const name of ["kind", "shape", "beginning"])
      expect(accuracy(looks[name] ?? String, questions), name).toBeGreaterThan(0.65);
  });
});
