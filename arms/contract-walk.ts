/** Runs an arm over a small chain: every prefix from scratch, then on from its own output between safe endpoints. */
import type { Arm, Compaction, CompactionInput } from "../harness/arm.ts";
import { safeAfter } from "../harness/chain/boundaries.ts";
import { type Message, toMessages } from "../harness/chain/message.ts";
import type { ModelReply } from "../harness/models/model.ts";
import type { SmallChain } from "./small-chains.ts";
import { type ArmRequest, recordingContext, reply } from "./testing.ts";

/** One compaction and what came of it. */
export interface Step {
  readonly name: string;
  readonly arm: Arm;
  readonly chain: SmallChain;
  /** Records before the fresh ones; 0 from scratch. */
  readonly start: number;
  readonly end: number;
  readonly input: CompactionInput;
  readonly requests: readonly ArmRequest[];
  readonly result:
    | { readonly kind: "returned"; readonly outcome: Compaction }
    | { readonly kind: "threw"; readonly error: unknown };
}

export interface StepOptions {
  readonly start?: number;
  /** @default the whole chain */
  readonly end?: number;
  readonly previous?: CompactionInput["previous"];
  readonly trigger?: CompactionInput["trigger"];
  readonly answer?: (request: ArmRequest) => ModelReply;
  readonly window?: { readonly windowTokens: number; readonly outputReserveTokens: number };
  /** `rebuilt`: message objects that no other step has seen, as after a run was resumed. @default "shared" */
  readonly journal?: "shared" | "rebuilt";
}

/** What the model says to every request of the suite. */
const summary = "## Objective\n- go on with stage 4, PR #482\n\n## Relevant Files\n- src/upload/limits.ts";

/** Runs one compaction over a frozen journal. */
export async function stepOf(arm: Arm, chain: SmallChain, options: StepOptions = {}): Promise<Step> {
  const {
    start = 0,
    end = chain.records.length,
    previous,
    trigger = "forced",
    answer = () => reply(summary),
  } = options;
  const journal = options.journal === "rebuilt" ? toMessages(chain.records.slice(0, end)) : journalOf(chain, end);
  const fresh = journal.slice(journalOf(chain, start).length);
  const input = deepFreeze<CompactionInput>({ journal, fresh, previous, trigger });
  const { context, requests } = recordingContext(arm, answer, {
    ...options.window,
    boundary: { chain: chain.name, end },
  });
  const name = `${chain.name}, records ${start} to ${end}, ${trigger}`;
  const step = { name, arm, chain, start, end, input, requests };
  try {
    return { ...step, result: { kind: "returned", outcome: await arm.compact(input, Object.freeze(context)) } };
  } catch (error) {
    return { ...step, result: { kind: "threw", error } };
  }
}

/** The same compaction over equal messages that are other objects. */
export const stepAgain = ({ arm, chain, start, end, input }: Step): Promise<Step> =>
  stepOf(arm, chain, {
    start,
    end,
    trigger: input.trigger,
    previous: structuredClone(input.previous),
    journal: "rebuilt",
  });

const journals = new WeakMap<SmallChain, Map<number, readonly Message[]>>();

/** The messages before a record. Those of safe endpoints share their objects, as in a run; kept, so that steps do too. */
function journalOf(chain: SmallChain, end: number): readonly Message[] {
  const known = journals.get(chain) ?? new Map<number, readonly Message[]>();
  journals.set(chain, known);
  const journal = known.get(end) ?? prefixOf(chain, end, known.get(chain.records.length));
  known.set(end, journal);
  return journal;
}

function prefixOf({ records }: SmallChain, end: number, whole: readonly Message[] | undefined): readonly Message[] {
  const own = toMessages(records.slice(0, end));
  return safeAfter(records)[end - 1] === true && whole ? whole.slice(0, own.length) : own;
}

const walks = new WeakMap<Arm, Map<SmallChain, Promise<Step[]>>>();

/** All steps of an arm on a chain. Kept, so that clauses share them. */
export function walk(arm: Arm, chain: SmallChain): Promise<Step[]> {
  const known = walks.get(arm) ?? new Map<SmallChain, Promise<Step[]>>();
  walks.set(arm, known);
  const steps = known.get(chain) ?? walked(arm, chain);
  known.set(chain, steps);
  return steps;
}

async function walked(arm: Arm, chain: SmallChain): Promise<Step[]> {
  const steps: Step[] = [];
  journalOf(chain, chain.records.length);
  const safe = safeAfter(chain.records).flatMap((isSafe, index) => (isSafe ? [index + 1] : []));
  for (let end = 1; end <= chain.records.length; end++) {
    const first = await stepOf(arm, chain, { end });
    steps.push(first);
    if (!safe.includes(end)) continue;
    steps.push(await stepOf(arm, chain, { end, trigger: "automatic" }));
    for (const second of safe.filter((later) => later > end)) {
      const again = await stepAfter(first, second);
      if (again === undefined) break;
      const third = second < chain.records.length ? await stepAfter(again, chain.records.length) : undefined;
      steps.push(again, ...(third ? [third] : []));
    }
  }
  return steps;
}

/** The next compaction after a step that compacted; an unchanged or refused one leaves nothing to go on from. */
async function stepAfter({ arm, chain, end: start, result }: Step, end: number): Promise<Step | undefined> {
  if (result.kind === "threw" || result.outcome.kind === "unchanged") return undefined;
  const { state, projection } = result.outcome;
  return stepOf(arm, chain, { start, end, previous: { state, projection } });
}

function deepFreeze<Value>(value: Value): Value {
  if (value === null || typeof value !== "object" || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
