import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Message, pairFaults } from "../../harness/chain/message.ts";
import { asked, called, histories, result, said, step, texts, told } from "../testing-histories.ts";
import { newestAssistantText, normalise, withoutOldest } from "./items.ts";
import { isBlank } from "./markers.ts";
import { asTail, fold } from "./messages.ts";

const folded = (...history: Message[]): string[] => texts(fold(normalise(history).items, "p"));

describe("the history of a request", () => {
  it("is the stored messages themselves where every call is answered at once", () => {
    const history = [
      asked("u", "x"),
      called("a", ["1", "2"], "text"),
      result("r2", "2", "b"),
      result("r1", "1", "a"),
      told("b", ""),
    ];
    const messages = fold(normalise(history).items, "p").map(({ message }) => message);
    expect(messages).toEqual(history);
    expect(messages.every((message, index) => message === history[index])).toBe(true);
  });

  it("gives a call without output the output aborted, right after it", () => {
    expect(folded(called("a", ["1"], "text"), asked("u", "x"))).toEqual([
      "assistant: text + call 1",
      "tool: aborted",
      "user: x",
    ]);
    expect(folded(called("a", ["1", "2"]), result("r", "1", "out"))).toEqual([
      "assistant: call 1 + call 2",
      "tool: aborted",
      "tool: out",
    ]);
    expect(folded(called("a", ["1", "2"]), result("r", "2", "out"))).toEqual([
      "assistant: call 1",
      "tool: aborted",
      "assistant: call 2",
      "tool: out",
    ]);
    expect(normalise([called("a", ["1", "2"])])).toMatchObject({ abortedCalls: 2, orphanOutputs: 0 });
  });

  it("leaves out an output without call, and a second output of a call", () => {
    const history = [result("r0", "9", "stray"), ...step("s", "out"), result("r2", "s-call", "again")];
    expect(folded(...history)).toEqual(["assistant: call s-call", "tool: out"]);
    expect(normalise(history)).toMatchObject({ abortedCalls: 0, orphanOutputs: 2 });
  });

  it("brings an output forward that stands after another message, and back one that stands before its call", () => {
    expect(folded(called("a", ["1"]), asked("u", "x"), result("r", "1", "late"))).toEqual([
      "assistant: call 1",
      "tool: late",
      "user: x",
    ]);
    expect(folded(result("r", "1", "early"), told("b", "y"), called("a", ["1"]))).toEqual([
      "assistant: y",
      "assistant: call 1",
      "tool: early",
    ]);
  });

  it("joins calls that were stored apart before their outputs, and nothing else", () => {
    const history = [
      told("a", "text"),
      called("b", ["1"]),
      called("c", ["2"]),
      result("r1", "1", "x"),
      result("r2", "2", "y"),
    ];
    expect(folded(...history)).toEqual(["assistant: text", "assistant: call 1 + call 2", "tool: x", "tool: y"]);
  });

  it("gives each use of a call id its own output, the later one under a new id", () => {
    const twice = [called("a", ["1"]), result("r1", "1", "x"), called("b", ["1"]), result("r2", "1", "y")];
    expect(folded(...twice)).toEqual(["assistant: call 1", "tool: x", "assistant: call 1~2", "tool: y"]);
    expect(folded(called("a", ["1"]), ...twice.slice(2))).toEqual([
      "assistant: call 1",
      "tool: aborted",
      "assistant: call 1~2",
      "tool: y",
    ]);
  });

  it("is valid for any history, loses no text and makes no message twice", () => {
    fc.assert(
      fc.property(histories(20), (history) => {
        const { items, abortedCalls, orphanOutputs } = normalise(history);
        const messages = fold(items, "p").map(({ message }) => message);
        expect(pairFaults(messages)).toEqual([]);
        const count = (all: readonly Message[], kind: string): number =>
          all.reduce((sum, { blocks }) => sum + blocks.filter((block) => block.kind === kind).length, 0);
        for (const kind of ["text", "call"]) expect(count(messages, kind)).toBe(count(history, kind));
        expect(count(messages, "result")).toBe(count(history, "result") - orphanOutputs + abortedCalls);
        expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
      }),
      { numRuns: 300 },
    );
  });
});

describe("an overflow", () => {
  const dropped = (...history: Message[]): string[] => texts(fold(withoutOldest(normalise(history).items), "p"));

  it("drops the oldest item, which may be a part of a message", () => {
    expect(dropped(called("a", ["1"], "text"), result("r", "1", "x"))).toEqual(["assistant: call 1", "tool: x"]);
    expect(dropped(said("u", "user", "one", "two"), told("a", "y"))).toEqual(["assistant: y"]);
  });

  it("takes a call's output along, wherever it stands, and with an output its call", () => {
    expect(dropped(called("a", ["1", "2"]), result("r2", "2", "y"), asked("u", "z"), result("r1", "1", "x"))).toEqual([
      "assistant: call 2",
      "tool: y",
      "user: z",
    ]);
    expect(dropped(called("a", ["1"]), told("b", "y"))).toEqual(["assistant: y"]);
    expect(dropped(result("r", "1", "early"), told("b", "y"), called("a", ["1"]))).toEqual(["assistant: y"]);
  });
});

it("labels a tail by the stored message of every block, and an output put in by none", () => {
  const history = [called("a", ["1"], "text"), called("b", ["2"]), result("r", "2", "out")];
  const tail = asTail(fold(normalise(history).items, "p"), new Map());
  expect(tail.map(({ message, spans }) => [message.id, spans.map(({ sources }) => sources)])).toEqual([
    ["a", [["a"], ["a"]]],
    ["p/aborted/1", [[]]],
    ["b", [["b"]]],
    ["r", [["r"]]],
  ]);
});

it("finds the newest assistant text that is not blank", () => {
  const history = [
    told("a", "old"),
    called("b", ["1"], "newer"),
    result("r", "1", "x"),
    told("c", " \n"),
    asked("u", "y"),
  ];
  expect(newestAssistantText(history, isBlank)).toBe("newer");
  expect(newestAssistantText([asked("u", "y"), told("c", "")], isBlank)).toBe("");
  expect(newestAssistantText([said("a", "assistant", "joined ", "parts")], isBlank)).toBe("joined parts");
});
