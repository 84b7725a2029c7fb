import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../harness/chain/message.ts";
import { messageTokens, textTokens } from "../../harness/chain/tokens.ts";
import { CompactionRefusedError } from "../../harness/errors.ts";
import { candidatesOf } from "./candidates.ts";
import { evidenceIndex, rowOf } from "./evidence.ts";
import { upstreamOptions } from "./options.ts";
import { assistant, call, pair, result, rowIds } from "./testing.ts";

const estimate = { text: textTokens, message: messageTokens };
const indexOf = (messages: readonly Message[], budgetTokens = 100_000, note?: string) =>
  evidenceIndex(messages, "end", note, budgetTokens, upstreamOptions, estimate);
const order = (messages: readonly Message[]): string[] => rowIds(indexOf(messages).text);
const only = (messages: readonly Message[]) => {
  const [candidate] = candidatesOf(messages, 256);
  if (candidate === undefined) throw new Error("no candidate");
  return candidate;
};

describe("a row", () => {
  it("shows a body of 480 characters whole, and of a longer one the first 380 and the last 100", () => {
    const body = `${"h".repeat(380)}${"t".repeat(100)}`;
    expect(rowOf(only(pair("x", "a.txt", body)), upstreamOptions.normalRow)).toBe(
      `{"entryId":"r-x","blockIndex":0,"sourceOrder":1,"toolCallId":"x","tool":"read","target":"a.txt","isError":false,"head":"${body}","tail":"","middleOmitted":false}`,
    );
    expect(rowOf(only(pair("x", "a.txt", `${body}!`, true)), upstreamOptions.normalRow)).toBe(
      `{"entryId":"r-x","blockIndex":0,"sourceOrder":1,"toolCallId":"x","tool":"read","target":"a.txt","isError":true,"head":"${"h".repeat(380)}","tail":"${"t".repeat(99)}!","middleOmitted":true}`,
    );
  });

  it("counts characters as code points", () => {
    const row = JSON.parse(rowOf(only(pair("x", "a.txt", "😀".repeat(97))), upstreamOptions.smallRow)) as object;
    expect(row).toMatchObject({ head: "😀".repeat(64), tail: "😀".repeat(32), middleOmitted: true });
    const whole = JSON.parse(rowOf(only(pair("x", "a.txt", "😀".repeat(96))), upstreamOptions.smallRow)) as object;
    expect(whole).toMatchObject({ head: "😀".repeat(96), tail: "", middleOmitted: false });
  });

  it("clips tool, target and call id, but not the entry id", () => {
    const long = "n".repeat(161);
    const messages = [assistant("c", "", call(long, { path: long }, long)), result("e".repeat(200), long, "body")];
    const clipped = `${"n".repeat(160)}… [metadata truncated]`;
    expect(JSON.parse(rowOf(only(messages), upstreamOptions.normalRow))).toMatchObject({
      entryId: "e".repeat(200),
      toolCallId: clipped,
      tool: clipped,
      target: clipped,
    });
  });

  it("is well-formed whatever the body holds", () => {
    const row = rowOf(only(pair("x", "a.txt", "\ud83d cut \ude00")), upstreamOptions.normalRow);
    expect(row.isWellFormed()).toBe(true);
  });
});

describe("attribution", () => {
  it("takes the first string among path, file_path, filePath, command and url", () => {
    const args = { url: "https://example.test", command: "ls -l", path: 7, filePath: "b.ts" };
    expect(only([assistant("c", "", call("x", args)), result("r", "x", "")])).toMatchObject({ target: "b.ts" });
    expect(only([assistant("c", "", call("x", { query: "q" })), result("r", "x", "")])).toMatchObject({ target: null });
  });

  it("is refused to a result whose call id was used twice before it, and given again after it", () => {
    const twice = [assistant("a", "", call("x", { path: "a" })), assistant("b", "", call("x", { path: "b" }))];
    const again = [assistant("c", "", call("x", { path: "c" })), result("r2", "x", "second")];
    expect(candidatesOf([...twice, result("r1", "x", "first"), ...again], 256)).toMatchObject([
      { entryId: "r1", tool: null, target: null },
      { entryId: "r2", tool: "read", target: "c" },
    ]);
  });

  it("is nobody's for a result without a call", () => {
    expect(only([result("r", "x", "body")])).toMatchObject({ tool: null, target: null, call: "x" });
  });

  it("gives no row to a result under an entry id of more than 256 characters", () => {
    expect(candidatesOf([result("😀".repeat(257), "x", ""), result("😀".repeat(256), "y", "")], 256)).toMatchObject([
      { call: "y" },
    ]);
  });
});

describe("the order of rows", () => {
  it("puts errors first, newest first, then the last and first of each group", () => {
    const messages = [
      ...pair("1", "src/app.ts"),
      ...pair("2", "build.log", "fail", true),
      ...pair("3", "src/app.ts"),
      ...pair("4", "build.log"),
      ...pair("5", "build.log", "fail", true),
      ...pair("6", "src/app.ts"),
    ];
    expect(order(messages)).toEqual(["r-5", "r-2", "r-6", "r-1", "r-4", "r-3"]);
  });

  it("puts groups with an error before important ones, and those before others in byte order", () => {
    const messages = [
      ...pair("a", "metrics-3.log"),
      ...pair("b", "metrics-10.log"),
      ...pair("c", "deep\\Config.JSON"),
      ...pair("d", "zeta.log"),
      ...pair("e", "config/zeta.log", "fail", true),
      ...pair("f", "config/zeta.log"),
      assistant("c-g", "", call("g", { path: "z" }, "bash")),
      result("r-g", "g", "body"),
    ];
    expect(order(messages)).toEqual(["r-e", "r-f", "r-c", "r-g", "r-b", "r-a", "r-d"]);
  });

  it("takes only the last component of a target for important", () => {
    expect(order([...pair("a", "tests/a.ts"), ...pair("b", "src/schema.ts"), ...pair("c", "a/latest.md")])).toEqual([
      "r-c",
      "r-b",
      "r-a",
    ]);
  });

  it("groups results of unknown calls by call id", () => {
    expect(
      order([result("r1", "x", "1"), result("r2", "y", "2"), result("r3", "x", "3"), result("r4", "x", "4")]),
    ).toEqual(["r4", "r1", "r2", "r3"]);
  });
});

describe("the budget of an index", () => {
  it("names the cutoff as JSON in the first line, and the user's note in the second", () => {
    const { text } = evidenceIndex([], 'a"b', undefined, 100, upstreamOptions, estimate);
    expect(text).toBe('Coverage cutoff: "a\\"b"');
    const lines = indexOf(pair("x", "a.txt"), 1_000, 'keep\n"this"').text.split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(JSON.stringify('keep\n"this"'));
  });

  it("refuses a budget that the first lines exceed", () => {
    expect(() => indexOf([], 4)).toThrow(CompactionRefusedError);
    expect(indexOf([], textTokens('Coverage cutoff: "end"')).rows).toBe(0);
  });

  it("tries a small row where a normal one does not fit, and goes on after one that does not fit at all", () => {
    const long = "b".repeat(400);
    const wide = assistant("c-w", "", call("w", { path: "p".repeat(400) }, "t".repeat(400)));
    const messages = [
      ...pair("x", "short.txt", "tiny"),
      wide,
      result("r-w", "w", "\n".repeat(400), true),
      ...pair("y", "b", long, true),
    ];
    const { text, rows, smallRows } = indexOf(messages, 140);
    expect(rowIds(text)).toEqual(["r-y", "r-x"]);
    expect({ rows, smallRows }).toEqual({ rows: 2, smallRows: 1 });
  });

  it("adds no row when fewer than 64 tokens are left", () => {
    const first = textTokens('Coverage cutoff: "end"');
    const messages = pair("x", "a", "");
    expect(indexOf(messages, first + 63).rows).toBe(0);
    expect(indexOf(messages, first + 64).rows).toBe(1);
  });

  it("is never exceeded, and every row is there once", () => {
    const results = fc.array(fc.tuple(fc.nat(5), fc.string({ unit: "binary", maxLength: 700 }), fc.boolean()), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(results, fc.integer({ min: 20, max: 1_500 }), (bodies, budgetTokens) => {
        const messages = bodies.flatMap(([file, body, error], at) => pair(String(at), `f${file}`, body, error));
        const { text, rows } = indexOf(messages, budgetTokens);
        expect(textTokens(text)).toBeLessThanOrEqual(budgetTokens);
        const ids = rowIds(text);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toHaveLength(rows);
      }),
      { numRuns: 60 },
    );
  });
});
