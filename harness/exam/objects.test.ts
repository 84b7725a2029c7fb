import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanObjects } from "./objects.ts";

/** What JSON.parse makes of the text from `start` on: the first end at which it is an object, and whether it has the list. */
function decoded(text: string, start: number): { readonly end: number; readonly listsAppeared: boolean } | undefined {
  for (let end = text.indexOf("}", start) + 1; end > 0; end = text.indexOf("}", end) + 1)
    try {
      const value = JSON.parse(text.slice(start, end)) as object;
      return { end, listsAppeared: "appeared" in value && Array.isArray(value.appeared) };
    } catch {
      continue;
    }
  return undefined;
}

const piece = fc.constantFrom(
  ...'{ } [ ] : , " \\ \\" \\u00e9 \\x 1 -0.5e3 01 true nul null "appeared": "a" "a": \n'.split(" "),
  " ",
  "\u0001",
  "é",
);
const brokenText = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(""));
const jsonInProse = fc
  .tuple(brokenText, fc.json({ maxDepth: 2 }), brokenText)
  .map(([before, json, after]) => `${before}{"appeared":${json}}${after}`);

describe("objects in prose", () => {
  it("are those that a JSON decoder finds at each brace, with their ends and their lists", () => {
    fc.assert(
      fc.property(fc.oneof(brokenText, jsonInProse), (text) => {
        const scanned = [...scanObjects(text)].map(([start, object]) => [
          start,
          object.kind === "object" ? { end: object.end, listsAppeared: object.listsAppeared } : undefined,
        ]);
        const braces = text.split("").flatMap((char, index) => (char === "{" ? [index] : []));
        expect(scanned).toEqual(braces.map((start) => [start, decoded(text, start)]));
      }),
      { numRuns: 800 },
    );
  });

  it("cut anywhere are cut, not broken otherwise", () => {
    const whole = '{"a":[1,-2.5e3,{"b":"x\\u00e9\\n"}],"c":{"d":[]},"e":true,"f":null}';
    for (let end = 1; end < whole.length; end++)
      expect(scanObjects(whole.slice(0, end)).get(0)).toMatchObject({
        kind: "broken",
        fault: "cut",
      });
  });

  it("count the key that matters at their own level only", () => {
    const text = '{"appeared":1,"x":{"appeared":[]},"appeared":[{"appeared":2}]}';
    expect(scanObjects(text).get(0)).toEqual({
      kind: "object",
      end: text.length,
      appearedKeys: 2,
      listsAppeared: true,
    });
  });
});
