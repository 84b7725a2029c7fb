/** Whether conformance notices a changed rule, against outcomes that were recorded from the program or from its stand-in. */
import { compareOutcomes } from "./compare.ts";
import { type ArmMaker, withMutant } from "./mutant.ts";
import type { Mutation } from "./mutations.ts";
import type { Product, RoundOutcome, Scenario } from "./scenario.ts";

/** A scenario and what the program did in it. */
export interface Recorded {
  readonly scenario: Scenario;
  readonly outcomes: readonly RoundOutcome[];
}

/** What scenarios to try first: small ones notice most, and known differences nothing. */
export function inOrderOfSize(recorded: readonly Recorded[]): Recorded[] {
  const sized = recorded.map((one) => ({ one, chars: JSON.stringify(one.outcomes).length }));
  return sized.sort((a, b) => a.chars - b.chars).flatMap(({ one }) => (one.scenario.known === undefined ? [one] : []));
}

/** The name of the first scenario in which a mutated arm differs; undefined where none does. An arm that throws differs. */
export async function noticedBy(
  mutation: Mutation,
  recorded: readonly Recorded[],
  productOf: (make: ArmMaker) => Product,
): Promise<string | undefined> {
  return await withMutant(mutation, async (make) => {
    const mutant = productOf(make);
    for (const { scenario, outcomes } of recorded) {
      const mirrored = await mutant.run(scenario).catch(() => undefined);
      if (mirrored === undefined || compareOutcomes(outcomes, mirrored).differences.length > 0) return scenario.name;
    }
    return undefined;
  });
}
