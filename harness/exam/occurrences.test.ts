import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valueFinder } from "./finder.ts";
import { lastPlace, occurrences, standing } from "./occurrences.ts";
import { stands } from "./stands.ts";
import { assistant, call, chainOf, result, user } from "./testing.ts";

const unit = fc.constantFrom(..."aab12_ .\\n中é😀".split(""), "\ud83d");
const texts = fc.array(fc.string({ unit, maxLength: 40 }), { maxLength: 5 });
const values = fc.uniqueArray(fc.string({ unit, minLength: 1, maxLength: 6 }), { maxLength: 8 });

describe("a finder", () => {
  it("finds in each text the values that are part of it, each once, overlapping ones too", () => {
    fc.assert(
      fc.property(texts, values, (texts, values) => {
        const find = valueFinder(values);
        for (const text of texts)
          expect(find(text).sort((a, b) => a - b)).toEqual(
            values.flatMap((value, index) => (text.includes(value) ? [index] : [])),
          );
      }),
      { numRuns: 1000 },
    );
  });

  it("tells apart values that share their first three units, or only their key", () => {
    const sameKey = [String.fromCharCode(0x8000 + 97), "a"].map((first) => `${first}bc`);
    expect(valueFinder(["abcd", "abce", "abc"])("xabce")).toEqual([1, 2]);
    expect(valueFinder(sameKey)("abc")).toEqual([1]);
  });

  it("names a value once where it occurs twice, in every text anew", () => {
    const find = valueFinder(["ver_1", "x"]);
    expect([find("ver_1 ver_1 x x").sort((a, b) => a - b), find("ver_1"), find("")]).toEqual([[0, 1], [0], []]);
  });
});

describe("standing in texts", () => {
  it("is the rule of matching, for many values at once", () => {
    fc.assert(
      fc.property(texts, values, (texts, values) => {
        expect(standing([...values, ""], texts)).toEqual([
          ...values.map((value) => texts.some((text) => stands(text, value))),
          false,
        ]);
      }),
      { numRuns: 1000 },
    );
  });

  it("reads no further than it has to", () => {
    const read: string[] = [];
    function* newestFirst() {
      for (const text of ["has 482", "has 77", "never"]) {
        read.push(text);
        yield text;
      }
    }
    expect(standing(["482", "77"], newestFirst())).toEqual([true, true]);
    expect(read).toEqual(["has 482", "has 77"]);
  });
});

describe("occurrences in a chain", () => {
  const { records } = chainOf(
    "c",
    user("cap 64 MiB"),
    assistant("the cap of 64 MiB is in src/cap.rs"),
    call("read", { path: "src/cap.rs" }),
    result("limit_64 MiB; x64 MiB"),
    assistant("done"),
  );
  const found = occurrences(records, ["64 MiB", "src/cap.rs", "limit", "read", "nowhere"]);

  it("names the records in which a value stands, and says where it only occurs", () => {
    expect(found.get("64 MiB")).toEqual({ occurs: true, standsIn: [0, 1] });
    expect(found.get("limit")).toEqual({ occurs: true, standsIn: [] });
    expect(found.get("read")).toEqual({ occurs: true, standsIn: [2] });
    expect(found.get("nowhere")).toEqual({ occurs: false, standsIn: [] });
  });

  it("places a value at its last standing in the covered records", () => {
    expect(lastPlace(found.get("src/cap.rs"), records, 5)).toEqual({
      record: "r-2",
      source: "assistant",
      kind: "tool_call",
      age: 2 / 5,
      alsoIn: [],
    });
    expect(lastPlace(found.get("64 MiB"), records, 5)).toMatchObject({ record: "r-1", age: 3 / 5, alsoIn: ["user"] });
    expect(lastPlace(found.get("64 MiB"), records, 1)).toMatchObject({ record: "r-0", age: 0, alsoIn: [] });
    expect(lastPlace(found.get("src/cap.rs"), records, 1)).toBeUndefined();
    expect(lastPlace(found.get("limit"), records, 5)).toBeUndefined();
  });
});
