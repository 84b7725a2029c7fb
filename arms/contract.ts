/**
 * What every arm promises, as clauses that find faults. `contract.test.ts` holds the listed arms to them; the author of an
 * arm outside this repository can do the same with `contractFaults(arm, { asksModel: … })`.
 */
import { isDeepStrictEqual } from "node:util";
import type { Arm, Compaction, ProjectedMessage } from "../harness/arm.ts";
import { pairFaults, paired } from "../harness/chain/message.ts";
import { messagesTokens } from "../harness/chain/tokens.ts";
import { BudgetError, CompactionRefusedError, InterruptedError, ProviderError } from "../harness/errors.ts";
import { labelFaults, sourceFaults } from "./contract-labels.ts";
import { type Step, stepAgain, stepOf, walk } from "./contract-walk.ts";
import { aboveTrigger, type SmallChain, smallChains } from "./small-chains.ts";
import { messagesOf } from "./testing.ts";

/** What an arm says about itself. */
export interface Expectations {
  /** Whether it ever calls `complete`. */
  readonly asksModel: boolean;
  /** Why its projection may hold texts of no length: the product that it mirrors keeps them. */
  readonly keepsBlank?: string;
}

export interface Clause {
  /** In the present tense, the arm being its subject. */
  readonly claim: string;
  /** What is wrong with an arm on one chain; empty for an arm that keeps the clause. */
  readonly faults: (arm: Arm, chain: SmallChain, expectations: Expectations) => Promise<string[]>;
}

/** Every fault of an arm over small chains, by default all of them, each naming clause, chain and step. */
export async function contractFaults(
  arm: Arm,
  expectations: Expectations,
  chains: readonly SmallChain[] = smallChains,
): Promise<string[]> {
  const faults: string[] = [];
  for (const clause of clauses)
    for (const chain of chains)
      for (const fault of await clause.faults(arm, chain, expectations)) faults.push(`${clause.claim}: ${fault}`);
  return faults;
}

/** A clause about single steps, checked at every step of a walk. */
const ofSteps = (
  claim: string,
  faultsOf: (step: Step, expectations: Expectations) => Iterable<string> | Promise<Iterable<string>>,
  which: (step: Step) => boolean = () => true,
): Clause => ({
  claim,
  faults: async (arm, chain, expectations) => {
    const faults: string[] = [];
    for (const step of (await walk(arm, chain)).filter(which))
      for (const fault of await faultsOf(step, expectations)) faults.push(`${step.name}: ${fault}`);
    return faults;
  },
});

/** A clause about what steps return, checked where one returned. */
const ofOutcomes = (
  claim: string,
  faultsOf: (outcome: Compaction, step: Step, expectations: Expectations) => Iterable<string>,
): Clause =>
  ofSteps(claim, (step, expectations) =>
    step.result.kind === "returned" ? faultsOf(step.result.outcome, step, expectations) : [],
  );

const isFreezeError = (error: unknown): boolean =>
  error instanceof TypeError && /read only|not extensible|Cannot (?:delete|redefine|define)/.test(error.message);

function* failures({ result }: Step): Iterable<string> {
  if (result.kind === "returned" || isFreezeError(result.error)) return;
  const { error } = result;
  if (!(error instanceof CompactionRefusedError)) yield `throws ${String(error)}`;
  else if (error.message.trim() === "" || error.message.includes("\n"))
    yield `refuses with ${JSON.stringify(error.message)}, which is not one line`;
}

function* requestFaults({ requests }: Step): Iterable<string> {
  for (const [index, { messages, maxOutputTokens }] of requests.entries()) {
    if (messages.length === 0) yield `request ${index} has no messages`;
    if (!Number.isInteger(maxOutputTokens) || maxOutputTokens < 1)
      yield `request ${index} asks for ${maxOutputTokens} tokens`;
    for (const fault of pairFaults(messages)) yield `request ${index}: ${fault}`;
  }
}

function* emptyContent(projection: readonly ProjectedMessage[]): Iterable<string> {
  for (const { message } of projection) {
    if (message.blocks.length === 0) yield `message "${message.id}" has no blocks`;
    for (const block of message.blocks)
      if ((block.kind === "text" || block.kind === "reasoning") && block.text === "")
        yield `message "${message.id}" holds an empty ${block.kind}`;
  }
}

function* lostWhenUnchanged(outcome: Compaction, { input }: Step): Iterable<string> {
  if (outcome.kind !== "unchanged") return;
  const kept = new Set(
    outcome.projection.flatMap(({ message, spans }) => [message.id, ...spans.flatMap((span) => span.sources)]),
  );
  for (const { id, role } of paired(input.fresh))
    if (role !== "tool" && !kept.has(id)) yield `is unchanged, yet message "${id}" is gone`;
}

/** State and projection as a run reads them back from its folder, and the step that they lead to. */
async function stateFaults({ arm, chain, input, result, end }: Step): Promise<string[]> {
  if (result.kind !== "returned" || result.outcome.kind !== "compacted" || input.trigger !== "forced") return [];
  const { state, projection } = result.outcome;
  const stored = JSON.parse(JSON.stringify({ state, projection })) as Pick<
    typeof result.outcome,
    "state" | "projection"
  >;
  if (!isDeepStrictEqual(stored.state, state)) return ["keeps a state that JSON does not give back"];
  const [live, resumed] = await Promise.all([
    stepOf(arm, chain, { start: end, previous: { state, projection } }),
    stepOf(arm, chain, { start: end, previous: stored, journal: "rebuilt" }),
  ]);
  return sameResult(live, resumed) ? [] : ["goes on differently from a state that was stored"];
}

const sameResult = (one: Step, other: Step): boolean =>
  isDeepStrictEqual([one.result, one.requests], [other.result, other.requests]);

/** Errors that no arm may turn into a compaction without a summary. */
const passedOn = (): readonly Error[] => [
  new BudgetError("The next call may cost 2 but 1 is left.", 2n, 1n),
  new InterruptedError("Interrupted."),
  new ProviderError("test: no such key.", { provider: "test", status: 401, charge: "none", decision: "stop" }),
];

export const clauses: readonly Clause[] = [
  ofSteps("leaves its input untouched", ({ result }) =>
    result.kind === "threw" && isFreezeError(result.error) ? [String(result.error)] : [],
  ),
  ofSteps("compacts every prefix, or refuses in one line", failures, ({ start }) => start === 0),
  ofSteps("compacts its own output again, or refuses in one line", failures, ({ start }) => start > 0),
  ofSteps("gives equal output for equal input and replies", async (step) =>
    sameResult(step, await stepAgain(step)) ? [] : ["a second time it gives another result"],
  ),
  ofOutcomes("leaves no call or result without its partner", ({ projection }) => pairFaults(messagesOf(projection))),
  ofSteps("asks only what a provider accepts", requestFaults),
  ofOutcomes("keeps no content of no length", ({ projection }, _step, { keepsBlank }) =>
    keepsBlank === undefined ? emptyContent(projection) : [],
  ),
  ofOutcomes("labels every character of its projection", ({ projection }) => labelFaults(projection)),
  ofOutcomes("names true sources", ({ projection }, { input }) => sourceFaults(projection, input.journal)),
  ofSteps("asks the model only if it says so", ({ requests }, { asksModel }) =>
    !asksModel && requests.length > 0 ? [`makes ${requests.length} requests`] : [],
  ),
  ofSteps("keeps its state as JSON", stateFaults),
  ofOutcomes("loses no new message in a step that it leaves unchanged", lostWhenUnchanged),
  {
    claim: "passes on a refused budget, an interruption and a provider that stops",
    faults: async (arm, chain) => {
      const faults: string[] = [];
      for (const error of passedOn()) {
        const { name, requests, result } = await stepOf(arm, chain, {
          answer: () => {
            throw error;
          },
        });
        if (requests.length === 0 || (result.kind === "threw" && result.error === error)) continue;
        faults.push(
          `${name}: ${error.name} becomes ${result.kind === "threw" ? String(result.error) : result.outcome.kind}`,
        );
      }
      return faults;
    },
  },
];

/** What is wrong with an arm in a session above every product's own trigger; a control is free not to shrink. */
export async function shrinkFaults(arm: Arm): Promise<string[]> {
  if (arm.source.kind === "control") return [];
  const { input, result } = await stepOf(arm, aboveTrigger, {
    trigger: "automatic",
    window: { windowTokens: 128_000, outputReserveTokens: 32_000 },
  });
  if (result.kind === "threw") return [`throws ${String(result.error)}`];
  const { kind, projection } = result.outcome;
  if (kind === "unchanged") return ["leaves the step unchanged"];
  const [before, after] = [messagesTokens(input.journal), messagesTokens(messagesOf(projection))];
  return after < before ? [] : [`turns ${before} tokens into ${after}`];
}
