/**
 * A scenario: a session told to a product and to its arm alike, compaction after compaction. An outcome: what either then
 * sends to a model, item by item, in the product's own wire form.
 */
import type { Message } from "../../harness/chain/message.ts";
import type { JsonObject, JsonValue } from "../../harness/json.ts";

/** What the mock model says to one request for a summary. */
export type SummaryAnswer = { readonly kind: "text"; readonly text: string } | { readonly kind: "overflow" };

/**
 * `forced`: a compaction is asked for. `automatic`: the user says `lead`, the reply reports `usedTokens`, and the program
 * decides before the next message.
 */
type RoundTrigger =
  | { readonly kind: "forced" }
  | { readonly kind: "automatic"; readonly lead: string; readonly usedTokens: number };

export interface Round {
  /** What the session gains first. */
  readonly messages: readonly Message[];
  readonly trigger: RoundTrigger;
  /** Answers to the requests for a summary, in order. */
  readonly answers: readonly SummaryAnswer[];
  /** What the user says afterwards; the model answers with `plainReply`. */
  readonly next: string;
}

export interface Scenario {
  readonly name: string;
  readonly windowTokens: number;
  readonly outputReserveTokens: number;
  /** The arm's options that differ from its defaults. */
  readonly options: JsonObject;
  readonly rounds: readonly Round[];
  /** Why product and arm differ here. A scenario that has this and does not differ is as wrong as one that has not and does. */
  readonly known?: string;
}

/** An item of a request: a message, call or output of the wire, or the request's settings. */
export type WireItem = JsonValue;

export interface RoundOutcome {
  readonly result: "compacted" | "unchanged" | "refused";
  /** The requests for a summary. */
  readonly requests: readonly (readonly WireItem[])[];
  /** The request of the turn after it; empty where the compaction was refused and the session ends. */
  readonly history: readonly WireItem[];
}

/** What the mock model says to anything but a request for a summary. */
export const plainReply = "Noted, and done.";

/** A program or its stand-in that lives through scenarios. */
export interface Product {
  run(scenario: Scenario): Promise<readonly RoundOutcome[]>;
}
