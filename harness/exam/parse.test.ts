import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelReply } from "../models/model.ts";
import { parseAnswer, unusableLabels, unwrapped, usableLabels } from "./parse.ts";

const reply = (text: string, more: Partial<ModelReply> = {}): ModelReply => ({
  text,
  calls: [],
  finish: "stop",
  ...more,
});
const parse = (text: string) => parseAnswer(reply(text));
const calls = [{ id: "c", tool: "read", args: { path: "a" } }];

const usable: readonly [string, string, string[]][] = [
  ["clean", ' {"appeared":["a","b"],"note":1}\n', ["a", "b"]],
  ["clean", '{"appeared":[]}', []],
  ["fenced", '```json\n{"appeared":["a"]}\n```', ["a"]],
  ["fenced", 'Here:\n```\n{"appeared":["a"]}\n```\nDone.', ["a"]],
  ["prose-around", 'I can confirm {"appeared":["a"]} only.', ["a"]],
  ["prose-around", 'Not {this}, {"a":{}}: {"result":{"appeared":["a"]}}', ["a"]],
  ["prose-around", '[{"appeared":["a"]}]', ["a"]],
  ["two-fences", '```json\n{"appeared":["a"]}\n```\nor\n```json\n{"appeared":["b"]}\n```', ["a"]],
  ["two-fences", '```json\n{"appeared":["a"]}\n```\n```', ["a"]],
  ["two-fences", '```\n{"seen":["x"]}\n```\n```\n{"appeared":["b"]}\n```', ["b"]],
  ["fence-in-string", '{"appeared":["```js","b"]}', ["```js", "b"]],
  ["duplicate-keys", '{"appeared":["a"],"appeared":["b"]}', ["b"]],
  ["duplicate-keys", '{"\\u0061ppeared":1,"appeared":["b"]}', ["b"]],
  ["padded", '{"appeared":[" a","b\\n"]}', ["a", "b"]],
  ["wrapped", '{"appeared":["`a`","b"]}', ["`a`", "b"]],
  ["wrapped", '```\n{"appeared":["\\"a\\""]}\n```', ['"a"']],
];
const unusable: readonly [string, ModelReply][] = [
  ["cut-empty", reply("", { finish: "length" })],
  ["cut-empty", reply("", { finish: "length", reasoningChars: 900 })],
  ["reasoning-only", reply("", { reasoningChars: 900 })],
  ["call-only", reply("", { finish: "tool", calls })],
  ["empty", reply("")],
  ["empty", reply(" \n")],
  ["refusal", reply("I cannot help with that.", { finish: "refusal" })],
  ["refusal", reply('{"appeared":["a"]}', { finish: "refusal" })],
  ["array", reply('["a","b"]')],
  ["array", reply('```json\n["a"]\n```')],
  ["array", reply('These: ["a", "b"]')],
  ["array", reply('["{a}"]')],
  ["array", reply('[{"value":"a"}]')],
  ["truncated", reply('{"appeared":["a","b', { finish: "length" })],
  ["truncated", reply('```json\n{"appeared":["a",')],
  ["truncated", reply('{"appeared":["a"]')],
  ["truncated", reply('["a","b"')],
  ["truncated", reply('{"note":{"x":1},"appeared":["\\u00')],
  ["truncated", reply('Of {these}: {"appeared":[tru')],
  ["raw-newline", reply('{"appeared":["a\nb"]}')],
  ["raw-newline", reply('{"appeared":["a\tb"]}')],
  ["other-object", reply('{"seen":["a"]}')],
  ["other-object", reply('{"appeared":"a"}')],
  ["other-object", reply('{"appeared":["a"],"appeared":null}')],
  ["malformed", reply("{'appeared':['a']}")],
  ["malformed", reply('{"appeared":["a",]}')],
  ["malformed", reply("[a]")],
  ["prose-only", reply("None of these appeared [1].")],
  ["prose-only", reply("appeared: a, b")],
];

describe("a reply that holds an answer", () => {
  it.each(usable)("is %s: %j", (label, text, reported) => {
    expect(parse(text)).toEqual({ label, reported });
  });

  it("counts though it came with calls, with reasoning or was cut later", () => {
    for (const more of [{ calls }, { reasoningChars: 9 }, { finish: "length" as const }])
      expect(parseAnswer(reply('{"appeared":["a"]}', more))).toEqual({ label: "clean", reported: ["a"] });
  });

  it("reports each value once, and items that are no strings as text", () => {
    expect(parse('{"appeared":["a"," a","b",42,1.50,true,null,["a"],{"a":1}]}')).toMatchObject({
      reported: ["a", "b", "42", "1.5", "true", "null", "[…]", "{…}"],
    });
  });
});

describe("a reply without an answer", () => {
  it.each(unusable)("is %s: %j", (label, reply) => {
    expect(parseAnswer(reply)).toEqual({ label });
  });
});

describe("parsing", () => {
  it("has a row in these tables for every label", () => {
    expect(new Set(usable.map(([label]) => label))).toEqual(new Set(usableLabels));
    expect(new Set(unusable.map(([label]) => label))).toEqual(new Set(unusableLabels));
  });

  it("never throws, and reports trimmed values once each", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc
        .array(
          fc.constantFrom('{"appeared":[', '"a"', ",", "]", "}", "{", "[", ":", '"', "\\", "```", "\n", "1", "nul"),
          { maxLength: 30 },
        )
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, fc.constantFrom("stop", "length", "tool", "refusal"), (text, finish) => {
        const answer = parseAnswer(reply(text, { finish }));
        if (!("reported" in answer)) return;
        expect(new Set(answer.reported).size).toBe(answer.reported.length);
        for (const value of answer.reported) expect(value).toBe(value.trim());
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["braces", "{".repeat(100_000)],
    ["closed braces", "{".repeat(100_000) + "}".repeat(100_000)],
    ["nested objects", '{"a":'.repeat(60_000)],
    ["complete nested objects", '{"a":'.repeat(60_000) + "1" + "}".repeat(60_000)],
    ["nested lists", `{"appeared":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["open strings", '{"a'.repeat(100_000)],
    ["keys with braces", '{":'.repeat(100_000)],
    ["braces in one string", `{"a":"${"{".repeat(100_000)}`],
    ["spaces", `{ ${" ".repeat(100_000)}`.repeat(3)],
    ["back-ticks", "`".repeat(100_000)],
    ["brackets", "[".repeat(100_000)],
    ["quotes around a value", JSON.stringify({ appeared: ['"'.repeat(100_000)] })],
  ])("reads a long reply of %s at once", (_, text) => {
    expect([...usableLabels, ...unusableLabels]).toContain(parse(text).label);
  });
});

describe("back-ticks and quotes around a reported value", () => {
  it.each([
    ["`a`", "a"],
    ["```a```", "a"],
    ['"64 MiB"', "64 MiB"],
    ["“a”", "a"],
    ["` a `", "a"],
  ])("%s holds %s", (reported, value) => {
    expect(unwrapped(reported)).toBe(value);
  });

  it.each(["a", "`a", 'a"', '"a`', "''", "", "it's"])("are not around %j", (reported) => {
    expect(unwrapped(reported)).toBeUndefined();
  });
});
