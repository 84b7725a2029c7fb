import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "./message.ts";
import { paired, toMessages } from "./message.ts";
import { argsOf, type ChainRecord, toolOf } from "./record.ts";
import { plainTokens, pythonJson, renderedTokens, renderHistory, renderMessage } from "./render.ts";
import { anyRecords } from "./testing.ts";
import { textTokens } from "./tokens.ts";

describe("JSON as Python prints it", () => {
  it.each([
    [{ path: null }, '{"path": null}'],
    [{ a: [1, 2.5, true], b: { c: "d" } }, '{"a": [1, 2.5, true], "b": {"c": "d"}}'],
    [[], "[]"],
    [{}, "{}"],
    ["é中\u007f", String.raw`"\u00e9\u4e2d\u007f"`],
    ["😀", String.raw`"\ud83d\ude00"`],
    ["\ud800", String.raw`"\ud800"`],
    ['\n\t"\\/\b\f\u0001', String.raw`"\n\t\"\\/\b\f\u0001"`],
    [{ né: 1 }, String.raw`{"n\u00e9": 1}`],
  ])("of %j is %s", (value, text) => {
    expect(pythonJson(value)).toBe(text);
  });

  it("is printable ASCII and the same value for any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = pythonJson(JSON.parse(JSON.stringify(value)));
        expect(text).toMatch(/^[ -~]*$/);
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value));
      }),
    );
  });
});

/** The plain rendering of one record, built as a text. */
function plain(record: ChainRecord): string {
  if (record.kind === "tool_call")
    return `[Assistant tool call ${record.call}]: ${toolOf(record)}(${pythonJson(argsOf(record))})`;
  if (record.kind === "tool_result")
    return `[Tool ${record.error ? "error" : "result"} ${record.call}]: ${record.text}`;
  return `[${record.role === "user" ? "User" : "Assistant"}]: ${record.text}`;
}

describe("the plain rendering of a record", () => {
  it("costs what its text costs", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        for (const record of records) expect(plainTokens(record)).toBe(textTokens(plain(record)));
      }),
    );
  });
});

describe("the flat rendering of a history", () => {
  const history: Message[] = [
    { id: "u", role: "user", blocks: [{ kind: "text", text: "Look." }] },
    {
      id: "a",
      role: "assistant",
      blocks: [
        { kind: "text", text: "Reading." },
        { kind: "call", call: "k1", tool: "read", args: { path: "x", lines: [1, 2], note: "é" } },
      ],
    },
    { id: "r", role: "tool", blocks: [{ kind: "result", call: "k1", text: "one\ntwo", error: false }] },
    { id: "e", role: "tool", blocks: [{ kind: "result", call: "k2", text: "no", error: true }] },
  ];

  it("labels calls with compact JSON, results and errors, and joins messages by a blank line", () => {
    expect(renderHistory(history)).toBe(
      [
        "Look.",
        'Reading.\n[Assistant tool call k1]: read({"path":"x","lines":[1,2],"note":"é"})',
        "[Tool result k1]: one\ntwo",
        "[Tool error k2]: no",
      ].join("\n\n"),
    );
    expect(history.map(renderMessage).join("\n\n")).toBe(renderHistory(history));
  });

  it("costs what its text costs, without being built, for any history and again from the cache", () => {
    expect(renderedTokens(history)).toBe(textTokens(renderHistory(history)));
    fc.assert(
      fc.property(anyRecords, (records) => {
        for (const messages of [toMessages(records), paired(toMessages(records))]) {
          const expected = textTokens(renderHistory(messages));
          expect(renderedTokens(messages)).toBe(expected);
          expect(renderedTokens(messages)).toBe(expected);
        }
      }),
    );
  });

  it("of nothing costs nothing", () => {
    expect(renderedTokens([])).toBe(0);
    expect(renderHistory([])).toBe("");
  });
});
