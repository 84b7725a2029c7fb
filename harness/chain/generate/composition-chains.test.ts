import { describe, expect, it } from "vitest";
import published from "../../../fixtures/published.json" with { type: "json" };
import profiles from "../../../fixtures/profiles.json" with { type: "json" };
import { compositionOf, compositionSum, toolShare } from "../../report/composition.ts";
import { pairFaults, paired, toMessages } from "../message.ts";
import { compositionChain, compositionChainNames } from "./composition-chains.ts";
import { generateChain } from "./index.ts";

const chains = compositionChainNames.map((name) => compositionChain(name, 1));
const tallies = chains.map(compositionOf);
const { composition } = published;

describe("the five session-shaped chains", () => {
  it("have the published records and characters within 0.5 %, in total and by kind", () => {
    const all = compositionSum("all", tallies);
    const near = (value: number, wanted: number): void => {
      expect(Math.abs(value / wanted - 1)).toBeLessThan(0.005);
    };
    near(all.records, composition.records);
    near(all.characters, composition.characters);
    for (const kind of ["toolResult", "assistantText", "userText"] as const) {
      near(all[kind].records, composition.kinds[kind].records);
      near(all[kind].characters, composition.kinds[kind].characters);
    }
    near(all.toolCall.records, composition.kinds.toolCall.records);
  });

  it("have the published shares of tool results within 0.1 point, largest first", () => {
    const shares = tallies.map(toolShare).sort((a, b) => b - a);
    shares.forEach((share, index) => {
      expect(Math.abs(share - (composition.toolShareByChain[index] ?? 0))).toBeLessThan(0.001);
    });
  });

  it("begin with the three of the exam", () => {
    for (const chain of chains.slice(0, 3)) expect(chain).toEqual(generateChain(chain.name, 1));
  });
});

describe.each(["sim-infra", "sim-docs"] as const)("%s", (name) => {
  const chain = chains[compositionChainNames.indexOf(name)];
  if (chain === undefined) throw new Error(`no chain ${name}`);

  it("has its profile's records and characters exactly", () => {
    const tally = compositionOf(chain);
    const profile = profiles[name];
    expect(tally).toMatchObject({
      toolResult: { records: profile.toolPairs, characters: profile.toolResultChars },
      toolCall: { records: profile.toolPairs },
      assistantText: { records: profile.assistantTexts, characters: profile.assistantChars },
      userText: { records: profile.userTexts, characters: profile.userChars },
    });
  });

  it("answers every call right after it, under ids that are used once", () => {
    const messages = toMessages(chain.records);
    expect(pairFaults(messages)).toEqual([]);
    expect(paired(messages)).toEqual(messages);
    expect(new Set(chain.records.map(({ id }) => id)).size).toBe(chain.records.length);
  });

  it("is the same for the same seed, and another for another", () => {
    expect(compositionChain(name, 1)).toEqual(chain);
    expect(compositionChain(name, 2).records).not.toEqual(chain.records);
    expect(compositionOf(compositionChain(name, 2))).toEqual(compositionOf(chain));
  });
});
