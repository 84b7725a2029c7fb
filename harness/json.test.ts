import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, digest, firstDifference, type JsonObject, type JsonValue, sha256 } from "./json.ts";

const anyJson = fc
  .jsonValue({ stringUnit: "binary", depthSize: "small" })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

/** The same value with the keys of every object put in the other order. */
const reversed = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
};

describe("SHA-256", () => {
  it("is that of the UTF-8 bytes, as lower-case hex", () => {
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256("中")).toBe(createHash("sha256").update(Buffer.from("中")).digest("hex"));
    expect(sha256(Uint8Array.of(0x61))).toBe(sha256("a"));
  });
});

describe("canonical JSON", () => {
  it("has its keys in code-unit order at every depth, and no spaces", () => {
    expect(canonicalJson({ b: [{ d: 1, c: "x y" }], a: null, B: 2, "\u00e9": 3 })).toBe(
      '{"B":2,"a":null,"b":[{"c":"x y","d":1}],"\u00e9":3}',
    );
  });

  it("is the same value, and does not depend on the order in which keys were added", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
        expect(digest(reversed(value))).toBe(digest(value));
      }),
    );
  });

  it("tells lists of another order apart", () => {
    expect(digest([1, 2])).not.toBe(digest([2, 1]));
    expect(digest("1")).not.toBe(digest(1));
  });
});

describe("the first difference of two values", () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ seed: 7 }, { seed: 1 }, "seed is 7 there, 1 here"],
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, "a.b.1 is 2 there, 3 here"],
    [{ a: "x" }, {}, 'a is "x" there, nothing here'],
    [{}, { a: { b: 1 } }, 'a is nothing there, {"b":1} here'],
  ])("of %j and %j is named by its field", (there, here, message) => {
    expect(firstDifference(there, here)).toBe(message);
  });

  it("does not exist between equal values, whatever the order of their keys", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(firstDifference(value, reversed(value))).toBeUndefined();
      }),
    );
  });
});
