import { describe, expect, it } from "vitest";
import { smallChains } from "../../arms/small-chains.ts";
import { type Arrival, encodedOnly } from "../../harness/shape/arrival.ts";
import { eachStep, offlineReplies } from "../../harness/shape/sessions.ts";
import { styles } from "../../harness/shape/styles.ts";
import { watchAnswers } from "../../harness/shape/watch-answers.ts";
import { watchShape } from "../../harness/shape/watch-shape.ts";
import { watchValidity } from "../../harness/shape/watch-wire.ts";
import { smallPlan } from "../testing.ts";
import { awkwardPlan, goldenPlan, goldenShape } from "./plans.ts";

describe("awkward chains", () => {
  const plan = awkwardPlan(smallPlan());

  it("are all small chains of the arms' contract, each compacted at its end, and some of them twice", () => {
    expect(plan.chains.map(({ chain }) => chain.name)).toEqual(smallChains.map(({ name }) => name));
    for (const { chain, boundaries } of plan.chains) expect(boundaries.at(-1)?.end).toBe(chain.records.length);
    expect(plan.chains.filter(({ boundaries }) => boundaries.length === 2).length).toBe(3);
  });

  it("make every arm send nothing that a provider refuses, and nothing but its projection", async () => {
    const { windowTokens } = plan.options;
    const { system, tools } = plan.shape;
    const watchers = [watchValidity(windowTokens), watchAnswers(), watchShape({ system, tools }, {})];
    let requests = 0;
    const stopped = await eachStep(plan, offlineReplies(plan), async ({ chain, end, arm, calls }) => {
      for (const style of styles)
        for (const { request } of calls) {
          requests++;
          const arrival: Arrival = encodedOnly({ style, chain, end, arm: arm.id, request }, style);
          for (const watcher of watchers) watcher.see(arrival);
        }
    });
    expect(stopped).toEqual([]);
    // Nineteen boundaries: seven arms answer, three ask a model; what does not fit is not asked.
    expect(requests).toBeGreaterThan(3 * 19 * 9);
    const checks = watchers.flatMap((watcher) => watcher.checks());
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(checks.length).toBeGreaterThan(3 * 7 * 3);
  });
});

describe("the golden plan", () => {
  it("has a short shape of its own, two boundaries, and the plan's arms", () => {
    const plan = goldenPlan(smallPlan());
    expect(plan.shape).toBe(goldenShape);
    expect(plan.chains.flatMap(({ boundaries }) => boundaries.map(({ end }) => end))).toEqual([9, 12]);
    expect(plan.arms.map(({ arm }) => arm.id)).toEqual(smallPlan().arms.map(({ arm }) => arm.id));
  });
});
