/** What a run is going to do: chains with their boundaries and sheets, arms, model; and the identity that follows from it. */
import type { Arm } from "../arm.ts";
import { type Boundary, schedule, scheduleChunkTokens } from "../chain/boundaries.ts";
import { chainDigest } from "../chain/digest.ts";
import { type Message, toMessages } from "../chain/message.ts";
import type { Chain } from "../chain/record.ts";
import type { Sheet } from "../exam/question.ts";
import type { RedactionCounts } from "../import/redact/redact.ts";
import type { Provider, SessionShape } from "../models/model.ts";

export interface RunOptions {
  readonly seed: number;
  /** Name of an exam preset, or `given` where the sheets came from files. */
  readonly exam: string;
  readonly trigger: "forced" | "automatic";
  readonly windowTokens: number;
  readonly outputReserveTokens: number;
  readonly probe: "production" | "flat";
}

/** The article's call shape, and every other choice a run makes when it is told nothing. */
export const defaultOptions: RunOptions = {
  seed: 1,
  exam: "reference",
  trigger: "forced",
  windowTokens: 1_000_000,
  outputReserveTokens: 384_000,
  probe: "production",
};

export interface PlannedBoundary extends Boundary {
  /** Length of the journal: messages before the boundary. */
  readonly messages: number;
}

export interface PlannedChain {
  readonly chain: Chain;
  readonly sha256: string;
  /** Every message of the chain. */
  readonly journal: readonly Message[];
  readonly boundaries: readonly PlannedBoundary[];
  /** One a scored boundary, by stage. */
  readonly sheets: readonly Sheet[];
  /** What of an imported session was replaced by stand-ins; missing where nothing was to be. */
  readonly redaction?: RedactionCounts;
}

export interface PlannedArm {
  readonly arm: Arm;
  /** SHA-256 of the files that make it. */
  readonly sourceDigest: string;
}

/** What is kept of a product's words: the release that says them, and the SHA-256 of each by name. */
export interface UpstreamDigests {
  readonly version: string;
  readonly sha256: { readonly [name: string]: string };
}

/** Whose words the mirrors of products use: this project's, or the products' own. */
export type PromptsUsed =
  | { readonly kind: "own" }
  | { readonly kind: "upstream"; readonly products: { readonly [product: string]: UpstreamDigests } };

export interface RunPlan {
  readonly options: RunOptions;
  readonly chains: readonly PlannedChain[];
  readonly arms: readonly PlannedArm[];
  /** @default this project's own */
  readonly prompts?: PromptsUsed;
  readonly shape: SessionShape;
  readonly provider: Provider;
}

/** The same messages, which no arm can change under the others: they share them. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) frozen(inner);
  return value;
}

/** A chain with its schedule and journal; `sheetsFor` makes the sheets of its scored cuts. Throws UsageError for bad cuts. */
export function planChain(
  chain: Chain,
  options: RunOptions,
  sheetsFor: (chain: Chain, cuts: readonly number[]) => readonly Sheet[],
): PlannedChain {
  const journal = frozen(toMessages(chain.records));
  const boundaries = journalLengths(chain, journal, schedule(chain, scheduleChunkTokens(options)));
  const cuts = boundaries.filter(({ stage }) => stage !== undefined).map(({ end }) => end);
  return { chain, sha256: chainDigest(chain), journal, boundaries, sheets: sheetsFor(chain, cuts) };
}

/** Boundaries with the number of messages before each. A boundary never splits a stored message, so the next record's is found by its id. */
export function journalLengths(
  chain: Chain,
  journal: readonly Message[],
  boundaries: readonly Boundary[],
): PlannedBoundary[] {
  const positions = new Map(journal.map((message, index) => [message.id, index]));
  return boundaries.map((boundary) => {
    const next = chain.records[boundary.end];
    return { ...boundary, messages: next === undefined ? journal.length : (positions.get(next.id) ?? journal.length) };
  });
}
