import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateChain } from "../chain/generate/index.ts";
import type { Chain } from "../chain/record.ts";
import { type Random, randomStream } from "../random.ts";
import { fitDecoys } from "./decoys.ts";
import { extract, pool } from "./extract.ts";
import { occurrences } from "./occurrences.ts";
import { ownDecoyShapes } from "./own-decoys.ts";
import { matches, type PatternName } from "./patterns.ts";
import { type Decoy, targetSources } from "./question.ts";
import { assistant, chainOf, call, result, user } from "./testing.ts";

const mix = { assistant: 8, user: 1, tool: 1 };

const session = chainOf(
  "own",
  user("Keep src/parser/tokens.ts below 120 ms and 64 MiB, please"),
  assistant(
    "Changed `parse_line` in src/parser/reader.ts, see PR #482 and 3f9c01ab. `retryPolicy` stays in lib/cache/stores.ts",
  ),
  call("bash", { command: "pytest" }),
  result("trace_9f3c01aa55d0 built a0b1c2d in 12.5 MiB, ver_1234abcd"),
  assistant("`drain_rows` and `makeIndex` moved to lib/index/merger.ts, PR #517, now 7e21d0c4"),
);

/** Decoys of as many sheets as it takes, 50 of each. */
function draw(chain = session, count = 300, seed = 1): Decoy[] {
  const random = randomStream(seed, "own");
  return Array.from({ length: Math.ceil(count / 50) }, () => drawSheet(chain, Math.min(count, 50), random)).flat();
}

function drawSheet(chain: Chain, count: number, random: Random): Decoy[] {
  const drawer = ownDecoyShapes(extract(chain.records), { end: chain.records.length, mix });
  return Array.from({ length: count }, () => drawer?.(random) ?? { kind: "decoy", pattern: "none", value: "" });
}

/** Letters as `a` and `A`, digits as `0`, everything else as it is: what an eye sees first. */
const look = (value: string): string =>
  value.replaceAll(/[a-z]/g, "a").replaceAll(/[A-Z]/g, "A").replaceAll(/[0-9]/g, "0");

const valuesOf = (chain: typeof session) => {
  const extraction = extract(chain.records);
  return targetSources.flatMap((source) => pool(extraction, source, chain.records.length));
};

describe("a decoy shaped like a session's own values", () => {
  it("has the kind, the length and the look of one of them, and is none of them", () => {
    const own = valuesOf(session);
    const looks = new Set(own.map(({ pattern, value }) => `${pattern} ${look(value)}`));
    for (const { pattern, value } of draw()) {
      expect(looks).toContain(`${pattern} ${look(value)}`);
      expect(own.map((one) => one.value)).not.toContain(value);
    }
  });

  it("uses no character that the session's values of that kind do not have", () => {
    const characters = new Map<string, Set<string>>();
    for (const { pattern, value } of valuesOf(session))
      characters.set(pattern, new Set([...(characters.get(pattern) ?? []), ...value.split("")]));
    for (const { pattern, value } of draw()) for (const char of value) expect(characters.get(pattern)).toContain(char);
  });

  it("is found by the pattern that finds its models", () => {
    for (const { pattern, value } of draw()) {
      const text = pattern === "tick" ? ` \`${value}\` ` : ` ${value} `;
      expect(matches(pattern as PatternName, text, 1)).toEqual([value]);
    }
  });

  it("comes from the sources in the shares of the sheet", () => {
    const patterns = draw(session, 1000).map(({ pattern }) => pattern);
    const fromTools = patterns.filter((pattern) => pattern === "prefixed").length;
    expect(fromTools).toBeGreaterThan(20);
    expect(fromTools).toBeLessThan(150);
  });

  it("is the same for the same seed and another for another", () => {
    expect(draw(session, 20, 7)).toEqual(draw(session, 20, 7));
    expect(draw(session, 20, 7)).not.toEqual(draw(session, 20, 8));
  });

  it("is there in plenty for a real sheet, absent from the whole chain", () => {
    const chain = generateChain("sim-yt", 1);
    const draws = draw(chain, 50);
    const found = occurrences(
      chain.records,
      draws.map(({ value }) => value),
    );
    const rules = { count: 8, occurs: (value: string) => found.get(value)?.occurs ?? false, targets: [], avoid: [] };
    const { decoys } = fitDecoys(draws, rules);
    expect(decoys).toHaveLength(8);
    for (const { value } of decoys) expect(found.get(value)?.occurs).toBe(false);
  });

  it("gives way to a general shape where the session's own are used up, so that every sheet gets its decoys", () => {
    const tiny = chainOf("tiny", user("12 MB or 21 MB or 11 MB or 22 MB"));
    const draws = drawSheet(tiny, 150, randomStream(1, "tiny"));
    const found = occurrences(
      tiny.records,
      draws.map(({ value }) => value),
    );
    const rules = { count: 8, occurs: (value: string) => found.get(value)?.occurs ?? false, targets: [], avoid: [] };
    expect(fitDecoys(draws, rules).decoys).toHaveLength(8);
  });

  it("is not to be had from a session without values", () => {
    const empty = chainOf("empty", user("hello"), assistant("good day"));
    expect(ownDecoyShapes(extract(empty.records), { end: 2, mix })).toBeUndefined();
  });

  it("can be drawn from whatever texts a session has", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 60 }), { minLength: 1, maxLength: 5 }), (texts) => {
        const chain = chainOf("any", ...texts.map(assistant));
        for (const { value } of draw(chain, 20))
          expect(value.isWellFormed() || !texts.join("").isWellFormed()).toBe(true);
      }),
    );
  });
});
