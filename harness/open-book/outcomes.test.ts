import { describe, expect, it } from "vitest";
import type { ModelCall } from "../models/model.ts";
import { journalInterface } from "./journal-tools.ts";
import { outcomeOf, type SheetOutcome } from "./outcomes.ts";
import { readingLimits } from "./serving.ts";
import { answer, openingOf, roundNamed, scripted, search, smallKept, smallSheet } from "./testing.ts";

async function outcome(
  script: readonly (string | readonly ModelCall[])[],
  name: Parameters<typeof roundNamed>[0] = 1,
): Promise<SheetOutcome> {
  const round = roundNamed(name);
  const { dialogue } = await scripted(openingOf(round), ...script);
  if (dialogue.kind !== "held") throw new Error("not held");
  return outcomeOf(smallSheet, smallKept, dialogue, { round, offer: journalInterface, limits: readingLimits });
}
const outcomes = ({ values }: SheetOutcome) => values.map((value) => value.outcome);

describe("what became of a value", () => {
  it("is told apart: kept or lost, searched or not, shown or not, confirmed or not", async () => {
    const all = await outcome([
      [search("ver_lost1", "a"), search("ver_lost2", "b")],
      answer("ver_kept1", "ver_lost1", "ver_lost3"),
    ]);
    expect(outcomes(all)).toEqual([
      "kept and confirmed",
      "recovered",
      "lost and searched in vain",
      "guessed",
      undefined,
    ]);
    expect(outcomes(await outcome([answer()]))).toEqual([
      "kept and missed",
      "lost and never searched",
      "lost and never searched",
      "lost and never searched",
      undefined,
    ]);
  });

  it("is searched where a query is a part of the value, and where a lookup showed it by the way", async () => {
    const { values } = await outcome([[search("_lost1", "a"), search("three", "b")], answer()]);
    expect(values.map(({ searched }) => searched)).toEqual([false, true, false, false, false]);
  });

  it("is not searched by a query that shares no more than a letter or two with it", async () => {
    const { values } = await outcome([[search("_n", "a"), search("never mind ver_lost22", "b")], answer()]);
    expect(values.map(({ shown }) => shown)).toEqual([false, false, false, false, false]);
    expect(values.map(({ searched }) => searched)).toEqual([false, false, false, false, false]);
  });

  it("does not take a query that found nothing for having shown the value: a confirmed decoy stays a false confirmation", async () => {
    const caught = await outcome([[search("ver_never")], answer("ver_never")]);
    expect(caught.values.at(-1)).toEqual({ searched: true, shown: false, confirmed: true, outcome: undefined });
    expect(caught.score.decoys).toEqual({ confirmed: 1, of: 1 });
  });

  it("counts calls, refused calls, replies and bytes", async () => {
    const counted = await outcome([[search("ver_lost1", "a"), { id: "b", tool: "grep", args: {} }], answer()]);
    expect(counted).toMatchObject({ toolCalls: 2, refusedCalls: 1, turns: 2 });
    expect(counted.bytesRead).toBe("[entry e3, tool result, at character 4]\none\nver_lost1 here\nthree".length);
  });
});

describe("a dialogue's label", () => {
  it.each<[string, (string | ModelCall[])[], string, string[]]>([
    ["a clean answer", [answer()], "clean", []],
    [
      "a tool that was not given",
      [[{ id: "a", tool: "x", args: {} }], answer()],
      "clean",
      ["called a tool that was not given"],
    ],
    ["a session tool", [[{ id: "a", tool: "shell", args: {} }], answer()], "clean", ["called a session tool"]],
    ["broken arguments", [[{ id: "a", tool: "history_get", args: "{" }], answer()], "clean", ["sent broken arguments"]],
    [
      "an unknown entry",
      [[{ id: "a", tool: "history_get", args: { entry: "?" } }], answer()],
      "clean",
      ["asked for what does not exist"],
    ],
    ["a model that never stops", [[search("ver_lost1")]], "never-stopped", ["was stopped at the limit of calls"]],
    ["prose instead of an answer", [[search("ver_lost1")], "I found it."], "prose-only", []],
  ])("names %s", async (_what, script, label, oddities) => {
    const labelled = await outcome(script);
    expect(labelled.label).toBe(label);
    expect(labelled.oddities).toEqual(oddities);
  });

  it("names a model that was stopped and then answered by its answer", async () => {
    const stopped = await outcome([...Array.from({ length: 60 }, () => [search("ver_lost1")]), answer("ver_lost1")]);
    expect(stopped.label).toBe("clean");
    expect(stopped.oddities).toEqual(["was stopped at the limit of calls"]);
    expect(stopped.score.recall.hits).toBe(1);
  });

  it("names a forced call that was ignored, in round 5 alone", async () => {
    expect((await outcome([answer()], 5)).oddities).toEqual(["ignored the forced call"]);
    expect((await outcome([answer()], 1)).oddities).toEqual([]);
  });

  it("names an allowance that was used up, also where the last lookup was only cut", async () => {
    const reads = Array.from({ length: 9 }, (_, at) => ({ id: `g${at}`, tool: "history_get", args: { entry: "e6" } }));
    expect((await outcome([reads, answer()])).oddities).toEqual(["used up the reading allowance"]);
  });

  it("names a request that grew too long, with nothing hit and every value in the denominator", async () => {
    const round = roundNamed(1);
    const { dialogue } = await scripted(openingOf(round, { limitTokens: 1500 }), [
      { id: "g", tool: "history_get", args: { entry: "e6" } },
    ]);
    if (dialogue.kind !== "held") throw new Error("not held");
    const grown = outcomeOf(smallSheet, smallKept, dialogue, { round, offer: journalInterface, limits: readingLimits });
    expect(grown.label).toBe("outgrew-window");
    expect(grown.score.recall).toEqual({ hits: 0, of: 4 });
  });
});
