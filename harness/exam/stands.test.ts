import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMessages } from "../chain/message.ts";
import { stands, standsAt, standsInHistory } from "./stands.ts";
import { assistant, call, chainOf, result, user } from "./testing.ts";

const text = fc.string({ unit: fc.constantFrom(...'ab1_ .-\\nu0中é😀"'.split("")), maxLength: 20 });
const value = fc.string({ unit: fc.constantFrom(..."ab1_.-\\n中".split("")), minLength: 1, maxLength: 3 });

/** The rule in other words: put a mark for every JSON escape that separates, then look for the value between non-words. */
function standsPlainly(text: string, value: string): boolean {
  for (let at = 0; at + value.length <= text.length; at++) {
    if (text.slice(at, at + value.length) !== value) continue;
    const before = text.slice(0, at).replace(/\\(?:[nrtbf]|u[0-9a-fA-F]{4})$/, " ");
    const after = text.slice(at + value.length);
    const opens = !/^\w/.test(value) || !/\w$/.test(before);
    const closes = !/\w$/.test(value) || !/^\w/.test(after);
    if (opens && closes) return true;
  }
  return false;
}

describe("a value stands in a text", () => {
  it.each([
    ["cap is 64 MiB.", "64 MiB"],
    ["路径src/a.ts在这里", "src/a.ts"],
    ['{"text":"one\\nver_12ab\\tdone"}', "ver_12ab"],
    ['{"text":"\\u001bver_12ab"}', "ver_12ab"],
    ["x.482.y", "482"],
    ["aver_1 ver_1", "ver_1"],
    ["(-diag)", "-diag"],
    ["a-diag", "-diag"],
  ])("%j has %j", (text, value) => {
    expect(stands(text, value)).toBe(true);
  });

  it.each([
    ["cap is 164 MiB.", "64 MiB"],
    ["64 MiBs", "64 MiB"],
    ["aver_12ab", "ver_12ab"],
    ["nver_12ab", "ver_12ab"],
    ["\\xver_12ab", "ver_12ab"],
    ["1482 4820 _482", "482"],
    ["Ver_1", "ver_1"],
  ])("%j does not have %j", (text, value) => {
    expect(stands(text, value)).toBe(false);
  });

  it("exactly where some occurrence of it is no part of a longer word", () => {
    fc.assert(
      fc.property(text, value, (text, value) => {
        expect(stands(text, value)).toBe(standsPlainly(text, value));
      }),
      { numRuns: 2000 },
    );
  });

  it("at an index where it is read", () => {
    fc.assert(
      fc.property(text, value, text, (before, value, after) => {
        const whole = `${before} ${value} ${after}`;
        const at = standsAt(whole, value);
        expect(at).toBeGreaterThanOrEqual(0);
        expect(whole.startsWith(value, at)).toBe(true);
      }),
    );
  });
});

describe("a value stands in a history", () => {
  const { records } = chainOf(
    "c",
    user("keep it under 64 MiB"),
    assistant("reading"),
    call("read", { path: "src/cap.rs", note: "line\nACK_77aa" }),
    result("ver_0a1b"),
  );
  const history = toMessages(records);

  it.each(["64 MiB", "src/cap.rs", "ACK_77aa", "read", "ver_0a1b"])("%j, whichever block it is in", (value) => {
    expect(standsInHistory(history, value)).toBe(true);
  });

  it.each(["reading\nread", "c-2", "r-3"])("not %j, which no one block has", (value) => {
    expect(standsInHistory(history, value)).toBe(false);
  });
});
