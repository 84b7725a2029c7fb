import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineFinder, literalPattern, pathMatcher } from "./patterns.ts";

describe("a search pattern", () => {
  it.each([
    ["limit", "the limit is", 4],
    ["a.b", "axb a.b", 4],
    ["foo.*bar", "x foo and bar", 2],
    ["foo.*bar", "bar foo", -1],
    ["one|two", "two one", 0],
    [String.raw`a\|b`, "a b a|b", 4],
    [String.raw`a\.*b`, "a.*b", 0],
    ["(x)+[y]", "is (x)+[y]", 3],
    ["|", "anything", -1],
  ])("%s is found in %j at %d", (pattern, line, at) => {
    expect(lineFinder(pattern)(line)).toBe(at);
  });

  it("made from any text finds that text where it is", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (text, before) => {
        const line = `${before}${text}`;
        expect(lineFinder(literalPattern(text))(line)).toBe(line.indexOf(text));
      }),
    );
  });

  it("takes a line of a million characters and a pattern of many parts in one pass", () => {
    const pattern = Array.from({ length: 100 }, () => "a").join(".*");
    expect(lineFinder(`${pattern}b`)("a".repeat(1_000_000))).toBe(-1);
  });
});

describe("a path pattern", () => {
  it.each([
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/deep/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/very/deep/a.ts", true],
    ["**/*.{ts,py}", "lib/a.py", true],
    ["**/*.{ts,py}", "lib/a.rs", false],
    ["a?.ts", "deep/ab.ts", true],
    ["*.ts", "deep/a.ts", true],
    ["a.ts", "deep/axts", false],
    ["src/**", "src/x/y", true],
    ["a-b(c).ts", "a-b(c).ts", true],
    ["{a,b}/{c,d}", "b/c", true],
  ])("%s and %s: %s", (pattern, path, isMatch) => {
    expect(pathMatcher(pattern)(path)).toBe(isMatch);
  });

  it("never throws, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."*?{},/ab.[]()\\-+^$".split("")) }),
        fc.string(),
        (pattern, path) => {
          expect(typeof pathMatcher(pattern.replaceAll(/\*+/g, "*").slice(0, 12))(path)).toBe("boolean");
        },
      ),
    );
  });
});
