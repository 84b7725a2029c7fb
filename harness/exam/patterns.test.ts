import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matches, type PatternName } from "./patterns.ts";
import { patternText } from "./testing.ts";

const all = (pattern: PatternName, text: string): string[] => matches(pattern, text, Infinity);

describe("patterns", () => {
  it.each<[PatternName, string, string[]]>([
    ["path", "see src/a/b.rs, (lib/x.test.ts) and `y.json`: no.exe", ["src/a/b.rs", "lib/x.test.ts", "y.json"]],
    ["path", " 源码/主.py -x/.env.toml a.rs2 ", ["源码/主.py", "-x/.env.toml"]],
    ["path", "starts/the/text.rs", []],
    ["hex", "a1b2c3d 1234567 abcdef abcdef0123456 DEADBEEF", ["a1b2c3d", "1234567"]],
    ["pr", "PR #12, PR#3 PR  #456, XPR #7 PR #123456", ["PR #12", "PR #3", "PR #456"]],
    ["pr", "https://host/o/r/pull/88/files", ["PR #88"]],
    ["tick", "`run_all` `a/b.c-d` `abcd` `9lives_` `中文字段名` `größe_x`", ["run_all", "a/b.c-d", "größe_x"]],
    ["tick", `\`a${"b".repeat(60)}\` \`a${"b".repeat(61)}\``, [`a${"b".repeat(60)}`]],
    ["cap", "128 MiB 64MB 512 GB 1 MiB 123456 MB", ["128 MiB", "64MB"]],
    ["project", "PROJECT=ATLAS PROJECT=AB PROJECT=Atlas XPROJECT=ATLAS", ["ATLAS"]],
    ["num", "12 123456 7 x99 中88 4.25", ["12", "25"]],
    ["count", "共 1,234 项测试,3.5 个;中12个 7 行 88套件", ["1,234", "3.5", "88"]],
    ["count", "中1,2个", ["2"]],
  ])("%s in %j", (pattern, text, values) => {
    expect(all(pattern, text)).toEqual(values);
  });

  it("counts are those of the plain expression, in any text", () => {
    const plain =
      /(?<![\p{L}\p{N}_])(\p{Nd}[\p{Nd},]*(?:\.\p{Nd}+)?)[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*(?:项|个|条|套件|次)/gu;
    fc.assert(
      fc.property(patternText(), (text) => {
        expect(all("count", text)).toEqual([...text.matchAll(plain)].map((match) => match[1]));
      }),
      { numRuns: 1500 },
    );
  });

  it("keeps the first matches up to the cap", () => {
    expect(matches("num", "11 22 33 44", 3)).toEqual(["11", "22", "33"]);
    expect(matches("count", "11个 22个 33个", 2)).toEqual(["11", "22"]);
  });

  it("reads a long list of numbers once", () => {
    expect(all("count", `${"1,".repeat(200_000)} x 17 次`)).toEqual(["17"]);
  });
});
