import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extract, pool } from "./extract.ts";
import { stands } from "./stands.ts";
import { assistant, call, chainOf, patternText, result, user } from "./testing.ts";

const found = (...parts: Parameters<typeof chainOf>[1][]) => extract(chainOf("c", ...parts).records);
const values = (candidates: readonly { value: string }[]): string[] => candidates.map(({ value }) => value);

describe("extraction", () => {
  it("goes through an assistant's patterns in their order", () => {
    const text =
      "PROJECT=ATLAS 64 MiB ver_12ab `flush_all` 1,234 项 PR #12 in src/a.rs at deadbeef1 PROJECT=MERIDIAN PROJECT=THIRD";
    expect(found(assistant(text)).assistant.map(({ pattern, value }) => `${pattern} ${value}`)).toEqual([
      "path src/a.rs",
      "hex deadbeef1",
      "pr PR #12",
      "size 64 MiB",
      "count 1,234",
      "tick flush_all",
      "prefixed ver_12ab",
      "cap 64 MiB",
      "project ATLAS",
      "project MERIDIAN",
    ]);
  });

  it("goes through a user's patterns in their order, two to three matches each", () => {
    const text = "1 MiB 2 GB 3 KB then 11 22 33 44, files a.rs b.rs c.rs";
    expect(values(found(user(text)).user)).toEqual(["1 MiB", "2 GB", "11", "22", "33", "a.rs", "b.rs"]);
  });

  it("takes six hex words, six prefixed words and two sizes of a result, and nothing of a call", () => {
    const hex = Array.from({ length: 8 }, (_, index) => `abcdef${index}`);
    const prefixed = Array.from({ length: 8 }, (_, index) => `ver_000${index}`);
    const text = ["1 MB 2 MB 3 MB", ...hex, ...prefixed, "src/a.rs"].join(" ");
    const { assistant, tool, user } = found(call("read", { path: "src/a.rs", id: "deadbeef1" }), result(text));
    expect(values(tool)).toEqual([...hex.slice(0, 6), ...prefixed.slice(0, 6), "1 MB", "2 MB"]);
    expect([...assistant, ...user]).toEqual([]);
  });

  it("drops a pull request that is only a link, and keeps one that is written out too", () => {
    expect(found(assistant("see /pull/12")).assistant).toEqual([]);
    expect(values(found(assistant("see /pull/12, PR #12")).assistant)).toEqual(["PR #12", "PR #12"]);
  });

  it("drops a value with a line break, which a sheet cannot show", () => {
    expect(values(found(user("64\nMiB and 32\u2028GB"), user("48\tMiB")).user)).toEqual([
      "64",
      "32",
      "48\tMiB",
      "48",
      "48\tMiB",
    ]);
  });

  it("finds only values that stand in the record they were found in", () => {
    fc.assert(
      fc.property(patternText(), (text) => {
        const { records } = chainOf("c", user(text), assistant(text), result(text));
        const { assistant: a, user: u, tool: t } = extract(records);
        for (const { value } of [...a, ...u, ...t]) expect(stands(text, value)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("of a prefix is the prefix of the extraction", () => {
    const { records } = chainOf("c", user("cap 100"), assistant("in a.rs"), result("ver_1234"), user("cap 200"));
    const whole = extract(records);
    for (let end = 0; end <= records.length; end++)
      for (const source of ["assistant", "user", "tool"] as const)
        expect(extract(records.slice(0, end))[source]).toEqual(whole[source].filter(({ record }) => record < end));
  });
});

describe("a pool", () => {
  const extraction = found(user("100 MiB"), assistant("none"), user("100 MiB or 42"), user("200"));

  it("holds each distinct value of three characters or more once, as found first", () => {
    expect(pool(extraction, "user", 4)).toEqual([
      { value: "100 MiB", pattern: "size", record: 0 },
      { value: "100", pattern: "num", record: 0 },
      { value: "200", pattern: "num", record: 3 },
    ]);
  });

  it("holds nothing of the records that its sheet does not cover", () => {
    expect(values(pool(extraction, "user", 3))).toEqual(["100 MiB", "100"]);
    expect(pool(extraction, "user", 0)).toEqual([]);
  });
});
