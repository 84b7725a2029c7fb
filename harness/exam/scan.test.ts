import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matches } from "./patterns.ts";
import { scanResult } from "./scan.ts";
import { patternText } from "./testing.ts";

const expressions = (text: string, caps: { hex: number; prefixed: number; size: number }) => ({
  hex: matches("hex", text, caps.hex),
  prefixed: matches("prefixed", text, caps.prefixed),
  size: matches("size", text, caps.size),
});
const all = { hex: 1e9, prefixed: 1e9, size: 1e9 };

describe("the scan of a tool result", () => {
  it("finds what the expressions find, in any text", () => {
    fc.assert(
      fc.property(patternText(), (text) => {
        expect(scanResult(text, all)).toEqual(expressions(text, all));
      }),
      { numRuns: 1500 },
    );
  });

  it("stops at each pattern's cap, as the expressions do", () => {
    const cap = fc.integer({ min: 0, max: 2 });
    fc.assert(
      fc.property(patternText(), fc.record({ hex: cap, prefixed: cap, size: cap }), (text, caps) => {
        expect(scanResult(text, caps)).toEqual(expressions(text, caps));
      }),
      { numRuns: 500 },
    );
  });

  it("takes no hex digits or prefix out of a longer word of any script", () => {
    const text = "中deadbeef12 deadbeef12中 deadbeef12_ ver_1234é xver_12345 ver_123 deadbeef12 ver_1234";
    expect(scanResult(text, all)).toEqual({ hex: ["deadbeef12"], prefixed: ["ver_1234"], size: [] });
  });

  it("reads sizes of every spelling, the fraction with them", () => {
    expect(scanResult("12MiB 1.5 GB 2.75.3 MB 64\u00a0KB ٣ MB 9MiBs 7  MB", all).size).toEqual([
      "12MiB",
      "1.5 GB",
      "75.3 MB",
      "64\u00a0KB",
      "٣ MB",
    ]);
  });
});
