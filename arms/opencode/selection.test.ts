import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../harness/chain/message.ts";
import { asked, histories, step, told } from "../testing-histories.ts";
import { type Sized, tailStart } from "./selection.ts";
import { storedSize } from "./size.ts";
import { spokenJournal, type StoredMessage, storedMessages } from "./stored.ts";
import { modelMessages, plainTailStart } from "./testing.ts";

const note = "n".repeat(32);
const stored = (journal: readonly Message[]): StoredMessage[] =>
  storedMessages(spokenJournal(journal), 0, journal.length);
const sized = (messages: readonly StoredMessage[]): Sized[] =>
  messages.map((message) => ({ opensTurn: message.kind === "user", size: () => storedSize(message, note) }));
const start = (journal: readonly Message[], budget: number, maxTurns: number | null = null) =>
  tailStart(sized(stored(journal)), budget, maxTurns);
/** What a history costs as one slice. */
const cost = (journal: readonly Message[]): number =>
  Math.round(JSON.stringify(stored(journal).flatMap((message) => modelMessages(message, note))).length / 4);

const old = [asked("u0", "an old wish"), told("a0", "x".repeat(3_000))];
const turn = [asked("u1", "next"), ...step("s1", "y".repeat(900)), ...step("s2", "z".repeat(500)), told("a1", "done")];

describe("the tail", () => {
  it("is the newest turns that fit, each rounded on its own", () => {
    const first = [asked("u1", "ab"), told("a1", "cd")];
    const second = [asked("u2", "abcd"), told("a2", "ef")];
    const budget = cost(first) + cost(second);
    const history = [...old, ...first, ...second];
    expect(start(history, budget)).toBe(2);
    expect(start(history, budget - 1)).toBe(3);
  });

  it("takes of the first turn that does not fit the longest end without its user message, to the token", () => {
    const history = [...old, ...turn];
    expect(start(history, cost(turn))).toBe(2);
    expect(start(history, cost(turn) - 1)).toBe(3);
    expect(start(history, cost(turn.slice(1)))).toBe(3);
    expect(start(history, cost(turn.slice(1)) - 1)).toBe(4);
    expect(start(history, cost(turn.slice(5)))).toBe(5);
  });

  it("is empty where nothing fits, where everything does, and where no user message stands", () => {
    expect(start([...old, ...turn], cost(turn.slice(5)) - 1)).toBeUndefined();
    expect(start([...old, ...turn], 1e6)).toBeUndefined();
    expect(start([told("a", "x"), ...step("s", "y")], 1e6)).toBeUndefined();
  });

  it("stops at the first turn that does not fit, though an older one would", () => {
    const history = [...old, asked("u1", "small"), asked("u2", "w".repeat(4_000)), asked("u3", "newest")];
    expect(start(history, 500)).toBe(4);
  });

  it("never takes what stands before the first user message", () => {
    expect(start([told("left", "over"), ...turn], 1e6)).toBe(1);
  });

  it("ends at the last N turns where tail_turns says so, and is empty at 0", () => {
    const history = [...old, asked("u1", "one"), asked("u2", "two"), asked("u3", "three")];
    expect(start(history, 500, 2)).toBe(3);
    expect(start(history, 500, 0)).toBeUndefined();
    expect(start(history, 500, null)).toBe(2);
  });
});

it("selects what the plain quadratic rule selects, for any history and budget", () => {
  fc.assert(
    fc.property(
      histories(24),
      fc.oneof(fc.nat(120), fc.nat(3_000)),
      fc.option(fc.nat(4)),
      (journal, budget, maxTurns) => {
        const messages = stored(journal);
        const plain = messages.map((message) => ({
          opensTurn: message.kind === "user",
          json: modelMessages(message, note),
        }));
        expect(tailStart(sized(messages), budget, maxTurns)).toBe(plainTailStart(plain, budget, maxTurns));
      },
    ),
    { numRuns: 400 },
  );
});

it("measures no message twice, and none before the first that does not fit", () => {
  const measured: number[] = [];
  const history = Array.from({ length: 1_000 }, (_, index): Sized => ({
    opensTurn: index % 10 === 0,
    size: () => {
      measured.push(index);
      return { chars: 400, messages: 1 };
    },
  }));
  expect(tailStart(history, 15_000, null)).toBe(851);
  expect(measured).toEqual(Array.from({ length: 150 }, (_, n) => 999 - n));
});
