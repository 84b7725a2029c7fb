import { describe, expect, it } from "vitest";
import { randomStream } from "./random.ts";

const draws = (seed: number | string, name: string): number[] => {
  const random = randomStream(seed, name);
  return Array.from({ length: 8 }, () => random.int32());
};

describe("a random stream", () => {
  it("gives the same draws on every machine", () => {
    const random = randomStream(1, "golden");
    expect([random.int32(), random.below(1000), random.range(10, 20), random.hex(8)]).toEqual([
      792819090,
      93,
      15,
      "d2782494",
    ]);
  });

  it("depends on its seed and on its name, and not on how they are joined", () => {
    expect(draws(1, "a")).toEqual(draws(1, "a"));
    expect(draws("1", "a")).toEqual(draws(1, "a"));
    const others = [draws(2, "a"), draws(1, "b"), draws(11, "a"), draws(1, "1\na")];
    for (const other of others) expect(other).not.toEqual(draws(1, "a"));
  });

  it("is not disturbed by the draws of another", () => {
    const [one, other] = [randomStream(1, "a"), randomStream(1, "b")];
    const mixed = Array.from({ length: 8 }, () => {
      other.below(10);
      return one.int32();
    });
    expect(mixed).toEqual(draws(1, "a"));
  });

  it("draws whole numbers below a limit and in a range, all of them", () => {
    const random = randomStream(1, "numbers");
    const below = new Set(Array.from({ length: 300 }, () => random.below(6)));
    const range = new Set(Array.from({ length: 300 }, () => random.range(-2, 3)));
    expect([...below].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...range].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2]);
  });

  it("draws hex digits, so many as asked for, all sixteen", () => {
    const text = randomStream(1, "hex").hex(400);
    expect(text).toMatch(/^[0-9a-f]{400}$/);
    expect(new Set(text).size).toBe(16);
    expect(randomStream(1, "hex").hex(0)).toBe("");
  });

  it("shuffles a copy: the same items, every place reachable", () => {
    const random = randomStream(1, "shuffle");
    const items = Object.freeze([1, 2, 3, 4]);
    const firsts = new Set<number | undefined>();
    for (let round = 0; round < 100; round++) {
      const shuffled = random.shuffle(items);
      expect([...shuffled].sort((a, b) => a - b)).toEqual(items);
      firsts.add(shuffled[0]);
    }
    expect(firsts.size).toBe(4);
    expect(random.shuffle([])).toEqual([]);
  });

  it("picks from a list, and refuses an empty one", () => {
    const random = randomStream(1, "pick");
    expect(new Set(Array.from({ length: 60 }, () => random.pick(["a", "b", "c"])))).toEqual(new Set(["a", "b", "c"]));
    expect(() => random.pick([])).toThrow(RangeError);
  });

  it("lets an event of probability 0 never happen, of 1 always, and of 0.25 about every fourth time", () => {
    const random = randomStream(1, "chance");
    const share = (probability: number): number =>
      Array.from({ length: 2000 }, () => random.chance(probability)).filter(Boolean).length / 2000;
    expect([share(0), share(1)]).toEqual([0, 1]);
    expect(Math.abs(share(0.25) - 0.25)).toBeLessThan(0.05);
  });
});
