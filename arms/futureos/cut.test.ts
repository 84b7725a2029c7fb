import { describe, expect, it } from "vitest";
import { messageTokens } from "../../harness/chain/tokens.ts";
import type { Message } from "../../harness/chain/message.ts";
import { fallbackCut, turnAwareCut } from "./cut.ts";
import type { MarkedMessage } from "./marked.ts";
import { assistant, call, pair, result, user } from "./testing.ts";

const journal = (messages: readonly Message[]): MarkedMessage[] =>
  messages.map((message) => ({ mark: "journal", message }));
const costsOf = (messages: readonly MarkedMessage[]): number[] => messages.map(({ message }) => messageTokens(message));
const cut = (messages: readonly MarkedMessage[], keepTokens: number, manual = true) =>
  turnAwareCut(messages, costsOf(messages), keepTokens, manual);

/** Three turns of 20 + 20 tokens each, from the start. */
const text = "x".repeat(56);
const turns = journal([1, 2, 3].flatMap((turn) => [user(`u${turn}`, text), assistant(`a${turn}`, text)]));

describe("the turn-aware cut", () => {
  it("keeps as many whole turns as fit", () => {
    expect(cut(turns, 40)).toBe(4);
    expect(cut(turns, 79)).toBe(4);
    expect(cut(turns, 80)).toBe(2);
  });

  it("covers everything when every turn fits and the compaction was asked for", () => {
    expect(cut(turns, 120)).toBe(6);
  });

  it("cuts by messages when every turn fits and the trigger was automatic", () => {
    expect(cut(turns, 120, false)).toBe(fallbackCut(turns, costsOf(turns), 120));
    expect(cut(turns, 120, false)).toBe(1);
  });

  it("cuts by messages when not even the last turn fits", () => {
    expect(cut(turns, 39)).toBe(5);
  });

  it("keeps the turns from a first one that has something in front of it, when the trigger was automatic", () => {
    const messages = [...journal([assistant("a0", text)]), ...turns.slice(4)];
    expect(cut(messages, 1_000, false)).toBe(1);
    expect(cut(messages, 1_000, true)).toBe(messages.length);
  });

  it("does not take an anchor or a checkpoint for the start of a turn", () => {
    const checkpoint: MarkedMessage = { mark: "checkpoint", message: user("cp", "[Context compaction: index]") };
    const anchor: MarkedMessage = { mark: "anchor", message: user("u1", text) };
    const messages = [anchor, checkpoint, ...turns.slice(2)];
    expect(cut(messages, 80)).toBe(messages.length);
    expect(cut(messages, 40)).toBe(4);
    expect(cut([anchor, checkpoint], 1_000)).toBe(2);
  });

  it("without a user covers everything that fits, and cuts the rest by messages", () => {
    const messages = journal([assistant("a1", text), assistant("a2", text), assistant("a3", text)]);
    expect(cut(messages, 60)).toBe(3);
    expect(cut(messages, 59)).toBe(1);
    expect(cut(messages, 60, false)).toBe(1);
  });
});

describe("the cut by messages", () => {
  const fallback = (messages: readonly MarkedMessage[], keepTokens: number) =>
    fallbackCut(messages, costsOf(messages), keepTokens);

  it("keeps the last message whatever it costs", () => {
    expect(fallback(turns, 0)).toBe(5);
  });

  it("keeps the newest messages of exactly as many tokens as it may", () => {
    expect(fallback(turns, 60)).toBe(3);
    expect(fallback(turns, 59)).toBe(4);
  });

  it("keeps a call with its results, parallel ones too", () => {
    const parallel = journal([
      user("u", text),
      assistant("a", "", call("x"), call("y")),
      result("rx", "x", text),
      result("ry", "y", text),
    ]);
    expect(fallback(parallel, 25)).toBe(1);
    expect(fallback(parallel, 45)).toBe(1);
  });

  it("finds no place in one message, or where only a first message and its results stand", () => {
    expect(fallback(turns.slice(0, 1), 100)).toBeUndefined();
    expect(fallback(journal(pair("x", "a.txt")), 5)).toBeUndefined();
  });
});
