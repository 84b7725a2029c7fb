import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../chain/message.ts";
import { renderHistory } from "../../chain/render.ts";
import { openSheetOpening, sheetOpening, sheetText } from "../../exam/prompt.ts";
import { standsInHistory } from "../../exam/stands.ts";
import { sheetIn, standing } from "./reader.ts";

const user = (text: string): Message => ({ id: "u", role: "user", blocks: [{ kind: "text", text }] });
const sheetOf = (...values: string[]): string =>
  sheetText({ questions: values.map((value) => ({ kind: "decoy", value, pattern: "test" })) });

const read = (messages: readonly Message[]): string[] | undefined => {
  const sheet = sheetIn(messages);
  return sheet && standing(sheet);
};

const history: Message[] = [
  user("Keep the cap at 96 MiB."),
  {
    id: "a",
    role: "assistant",
    blocks: [
      { kind: "text", text: "Reading `src/cap.ts`." },
      { kind: "call", call: "c", tool: "read", args: { path: "src/limits.ts", note: "ACK_1\nver_77" } },
    ],
  },
  { id: "r", role: "tool", blocks: [{ kind: "result", call: "c", text: "trace_0af3 ok", error: false }] },
];

describe("the reader", () => {
  it("confirms values of texts, arguments and results, in the order of the sheet", () => {
    const sheet = sheetOf("trace_0af3", "96 MiB", "ver_77", "src/limits.ts", "src/cap.ts", "read");
    expect(read([...history, user(sheet)])).toEqual([
      "trace_0af3",
      "96 MiB",
      "ver_77",
      "src/limits.ts",
      "src/cap.ts",
      "read",
    ]);
  });

  it("confirms no part of a longer word, and nothing that only the sheet holds", () => {
    expect(read([...history, user(sheetOf("trace_0af", "6 MiB", "appeared", "PR #4"))])).toEqual([]);
  });

  it("confirms nothing where nothing is left", () => {
    expect(read([user(sheetOf("96 MiB", "trace_0af3"))])).toEqual([]);
  });

  it("reads a flat record in front of the opening line of the same message", () => {
    const text = `${renderHistory(history)}\n\n${sheetOf("trace_0af3", "97 MiB", "src/limits.ts")}`;
    expect(read([user(text)])).toEqual(["trace_0af3", "src/limits.ts"]);
  });

  it("takes a sheet that the session itself quotes for history", () => {
    const quoted = sheetOf("quoted_1", "quoted_2");
    expect(read([user(quoted), ...history, user(sheetOf("quoted_2", "quoted_3"))])).toEqual(["quoted_2"]);
    expect(read([user(`${quoted}\n\n${sheetOf("quoted_1")}`)])).toEqual(["quoted_1"]);
  });

  it("reads a sheet of the open book, and what stands before it", () => {
    const open = sheetOf("trace_0af3", "ver_78").replace(sheetOpening, openSheetOpening);
    expect(read([...history, user(open)])).toEqual(["trace_0af3"]);
    expect(read([...history, user(`${open}\n\n${sheetOf("ver_77", "ver_78")}`)])).toEqual(["ver_77", "ver_78"]);
  });

  it("sees no sheet where the last user message only speaks of one", () => {
    expect(read([...history, user(`The line is ${sheetOpening}`)])).toBeUndefined();
    expect(read([...history, user(`${sheetOf("a_1")}\nWhat does this mean?`)])).toBeUndefined();
    expect(read([user(sheetOf("a_1")), user("Go on.")])).toBeUndefined();
  });

  it("confirms exactly what stands in the history, whatever it is made of", () => {
    const value = fc.constantFrom("a1", "a1b", "b-2", "PR #7", "缓存", "x.ts", "🧵", "9");
    const text = fc.array(fc.oneof(value, fc.constantFrom(" ", "\n", "-", "_", "\\n", "次")), { maxLength: 12 });
    const message = text.map((parts) => user(parts.join("")));
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.uniqueArray(value), (messages, values) => {
        const expected = values.filter((value) => standsInHistory(messages, value));
        expect(read([...messages, user(sheetOf(...values))])).toEqual(expected);
      }),
    );
  });
});
