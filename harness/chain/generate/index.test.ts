import { describe, expect, it } from "vitest";
import { UsageError } from "../../errors.ts";
import { schedule, scheduleChunkTokens } from "../boundaries.ts";
import { chainDigest } from "../digest.ts";
import { chainNames, defaultSeed, describeChain, generateChain } from "./index.ts";

const chains = chainNames.map((name) => generateChain(name, defaultSeed));

describe("the generated chains", () => {
  /** To write the fixture anew: `npx vitest run harness/chain/generate/index.test.ts -u`, and say in the commit why chains changed. */
  it("of the default seed are the ones on record", async () => {
    const described = chains.map((chain) => JSON.stringify(describeChain(chain)));
    await expect(`[\n  ${described.join(",\n  ")}\n]\n`).toMatchFileSnapshot("../../../fixtures/chains.json");
  });

  it("come in the order of the reports, each under its name", () => {
    expect(chainNames).toEqual(["export", "analysis", "pipeline", "sim-yt", "sim-visual", "sim-stream"]);
    expect(chains.map(({ name }) => name)).toEqual(chainNames);
  });

  it("have 24 boundaries with the default call shape, 18 of them scored", () => {
    const chunkTokens = scheduleChunkTokens({ windowTokens: 1_000_000, outputReserveTokens: 384_000 });
    const boundaries = chains.map((chain) => schedule(chain, chunkTokens));
    expect(boundaries.map((list) => list.length)).toEqual([5, 5, 5, 3, 3, 3]);
    expect(boundaries.flat().filter(({ stage }) => stage !== undefined)).toHaveLength(18);
  });

  it("have ids that are theirs alone, also across chains", () => {
    const ids = chains.flatMap(({ records }) => records.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("are others for another seed", () => {
    for (const [index, name] of chainNames.entries())
      expect(chainDigest(generateChain(name, 2))).not.toBe(chainDigest(chains[index] ?? generateChain(name, 2)));
  });

  it("are named in the error for a name that none has", () => {
    expect(() => generateChain("exprt", 1)).toThrow(
      new UsageError(`No chain "exprt". Did you mean "export"? Chains: ${chainNames.join(", ")}.`),
    );
  });
});
