import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ArtifactError } from "../errors.ts";
import { readGivenSheets } from "./given.ts";
import { decoysOf, targetsOf } from "./question.ts";
import { assistant, call, chainOf, result, user } from "./testing.ts";

const chain = chainOf(
  "mine",
  user("cap 64 MiB"),
  assistant("see /pull/12 and x482"),
  call("read", { path: "src/cap.rs" }),
  result("ver_0a1b"),
);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "given-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});
const put = (stage: number, text: string) => writeFileSync(join(folder, `mine-${stage}.json`), text);
const read = (cuts: readonly number[] = [4], seed = 1) => readGivenSheets(folder, chain, cuts, seed);

describe("sheets from files", () => {
  it("ask the given values, stage by stage, and place those that stand in the covered history", () => {
    put(0, '{"present":["64 MiB"],"decoys":["PR #100"],"note":"ignored"}');
    put(1, '{"present":["src/cap.rs","64 MiB"],"decoys":[]}');
    const [first, second] = read([2, 4]);
    expect(first).toMatchObject({ chain: "mine", stage: 0, end: 2, redrawn: 0 });
    expect(first && targetsOf(first)).toEqual([
      {
        kind: "target",
        value: "64 MiB",
        source: "given",
        pattern: "given",
        place: { record: "r-0", source: "user", kind: "text", age: 0.5, alsoIn: [] },
      },
    ]);
    expect(first && decoysOf(first)).toEqual([{ kind: "decoy", value: "PR #100", pattern: "given" }]);
    expect(
      second &&
        targetsOf(second)
          .map(({ value, place }) => `${value} in ${place?.record}`)
          .sort(),
    ).toEqual(["64 MiB in r-0", "src/cap.rs in r-2"]);
  });

  it("keep a target that stands nowhere, without a place", () => {
    put(0, '{"present":["PR #12","482","ver_0a1b"],"decoys":[]}');
    const [sheet] = read([3]);
    expect(sheet && targetsOf(sheet).map(({ place }) => place)).toEqual([undefined, undefined, undefined]);
  });

  it("ask in an order that only the seed decides", () => {
    const present = Array.from({ length: 12 }, (_, index) => `value-${index}`);
    put(0, JSON.stringify({ present, decoys: [] }));
    expect(read()).toEqual(read());
    expect(read([4], 2)).not.toEqual(read());
  });

  it("may start with a byte order mark", () => {
    put(0, '\ufeff{"present":["64 MiB"],"decoys":[]}');
    expect(read()).toHaveLength(1);
  });
});

describe("a file that is no sheet is refused in one line with its path", () => {
  it.each([
    ["is no JSON", "{present", /: is no JSON\.$/],
    ["is an array", "[]", /: is no sheet \{"present":\[…\],"decoys":\[…\]\}: .*\.$/],
    ["lacks its decoys", '{"present":["a"]}', /"decoys": /],
    ["holds a number", '{"present":["a",7],"decoys":[]}', /"present\.1": /],
    ["is empty", '{"present":[],"decoys":[]}', /: asks nothing\./],
    ["holds an empty value", '{"present":[""],"decoys":[]}', /"present" holds an empty value\./],
    ["holds a padded value", '{"present":[" a"],"decoys":[]}', /value " a" in "present" has white space around it\./],
    ["holds a line break", '{"present":["a\\nb"],"decoys":[]}', /value "a\\nb" in "present" has a line break/],
    ["repeats a target", '{"present":["a","a"],"decoys":[]}', /value "a" in "present" is given twice\./],
    ["repeats a decoy", '{"present":[],"decoys":["zz","zz"]}', /value "zz" in "decoys" is given twice\./],
    ["asks a target as a decoy", '{"present":["zz"],"decoys":["zz"]}', /value "zz" in "decoys" is also in "present"\./],
    ["has a decoy of the chain", '{"present":[],"decoys":["ok!","cap.r"]}', /decoy "cap\.r" occurs in chain "mine"\./],
    ["has a decoy inside a word", '{"present":[],"decoys":["er_0"]}', /decoy "er_0" occurs/],
  ])("if it %s", (_, text, message) => {
    put(0, text);
    expect(() => read()).toThrow(ArtifactError);
    expect(() => read()).toThrow(message);
    expect(() => read()).toThrow(join(folder, "mine-0.json"));
    expect(() => read()).not.toThrow(/\n/);
  });

  it("if it is missing", () => {
    put(0, '{"present":["64 MiB"],"decoys":[]}');
    expect(() => read([2, 4])).toThrow(/mine-1\.json: no such file, but the chain has a scored boundary for it\.$/);
  });

  it("also where the decoy occurs after the cut only", () => {
    put(0, '{"present":["64 MiB"],"decoys":["ver_0a1b"]}');
    expect(() => read([2])).toThrow(/decoy "ver_0a1b" occurs in chain "mine"/);
  });
});
