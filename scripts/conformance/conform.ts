/** Lives every scenario in the program and in the arm, and counts what is equal. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pairFaults } from "../../harness/chain/message.ts";
import { compareOutcomes, describeDifference, type Difference } from "./compare.ts";
import type { Product, RoundOutcome, Scenario } from "./scenario.ts";

/** What a set of scenarios came to. */
export interface Conformance {
  readonly histories: number;
  readonly compactions: number;
  readonly items: number;
  readonly equal: number;
  readonly different: number;
  /** Reasons of known differences that showed, in order. */
  readonly known: readonly string[];
  /** Scenarios that differ and should not, or should and do not, by name. */
  readonly failures: readonly string[];
}

/** A scenario that failed. `outcomes` are the program's and the arm's. */
export interface Failure {
  readonly scenario: Scenario;
  readonly differences: readonly Difference[];
  readonly product: readonly RoundOutcome[];
  readonly arm: readonly RoundOutcome[];
}

/**
 * Compares a program with an arm on every scenario. A known difference is left out of the counts of items; one that does
 * not show any more is a failure. `onScenario` is told of each as it is done.
 */
export async function conform(
  scenarios: readonly Scenario[],
  program: Product,
  arm: Product,
  {
    onScenario,
    onFailure,
  }: {
    readonly onScenario?: (done: number, outcomes: readonly RoundOutcome[]) => void;
    readonly onFailure?: (failure: Failure) => void;
  } = {},
): Promise<Conformance> {
  const known: string[] = [];
  const failures: string[] = [];
  let [compactions, items, equal] = [0, 0, 0];
  for (const [index, scenario] of scenarios.entries()) {
    const product = await program.run(scenario);
    const mirrored = await arm.run(scenario);
    const comparison = compareOutcomes(product, mirrored);
    const differs = comparison.differences.length > 0;
    compactions += product.filter(({ result }) => result === "compacted").length;
    if (scenario.known === undefined) {
      items += comparison.items;
      equal += comparison.equal;
    } else if (differs) known.push(scenario.known);
    if (differs === (scenario.known === undefined)) {
      failures.push(scenario.name);
      onFailure?.({ scenario, differences: comparison.differences, product, arm: mirrored });
    }
    onScenario?.(index + 1, product);
  }
  return { histories: scenarios.length, compactions, items, equal, different: items - equal, known, failures };
}

/** The scenario with as few rounds and messages as still differ, found by leaving out one after the other. */
export async function smallest(scenario: Scenario, program: Product, arm: Product, tries = 60): Promise<Scenario> {
  let left = tries;
  const faults = brokenPairs(scenario);
  const differs = async (candidate: Scenario): Promise<boolean> => {
    if (brokenPairs(candidate) > faults || left-- <= 0) return false;
    try {
      return compareOutcomes(await program.run(candidate), await arm.run(candidate)).differences.length > 0;
    } catch {
      return false;
    }
  };
  let found = scenario;
  while (found.rounds.length > 1) {
    const shorter = { ...found, rounds: found.rounds.slice(0, -1) };
    if (!(await differs(shorter))) break;
    found = shorter;
  }
  for (let size = longest(found); size >= 1; size = Math.floor(size / 2))
    for (let round = 0; round < found.rounds.length; round++)
      for (let from = 0; from < (found.rounds[round]?.messages.length ?? 0);) {
        const candidate = without(found, round, from, size);
        if (await differs(candidate)) found = candidate;
        else from += size;
      }
  return found;
}

/** Calls and results that lost their other half would show known differences instead of the one that is looked for. */
const brokenPairs = ({ rounds }: Scenario): number => pairFaults(rounds.flatMap(({ messages }) => messages)).length;

const longest = ({ rounds }: Scenario): number =>
  Math.ceil(Math.max(0, ...rounds.map(({ messages }) => messages.length)) / 2);

const without = (scenario: Scenario, round: number, from: number, size: number): Scenario => ({
  ...scenario,
  rounds: scenario.rounds.map((one, index) =>
    index === round ? { ...one, messages: one.messages.filter((_, at) => at < from || at >= from + size) } : one,
  ),
});

/** Writes what a failure needs to be looked at into a folder: the scenario, both outcomes, and the differences for people. */
export function writeFailure(
  folder: string,
  product: string,
  { scenario, differences, product: theirs, arm }: Failure,
): string {
  const name = `${product}-${scenario.name.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase()}`;
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;
  writeFileSync(join(place, "scenario.json"), json(scenario));
  writeFileSync(join(place, "product.json"), json(theirs));
  writeFileSync(join(place, "arm.json"), json(arm));
  const text =
    differences.length > 0
      ? differences.map(describeDifference).join("\n\n")
      : `no difference any more, though one is known: ${scenario.known}`;
  writeFileSync(join(place, "differences.txt"), `${scenario.name}\n\n${text}\n`);
  return place;
}

/** Empties the folder of failures. */
export const clearFailures = (folder: string): void => rmSync(folder, { recursive: true, force: true });
