/** The contract of a compaction arm. One file that exports `defineArm({...})` adds an arm to every table and figure. */
import type { Message } from "./chain/message.ts";
import { readable } from "./chain/message.ts";
import type { JsonValue } from "./json.ts";
import type { ModelReply, ModelRequest, SessionShape } from "./models/model.ts";

/** What a stretch of a projection is: text kept from the journal, an index made of it, a summary of it, or its untouched end. */
export type Part = "original" | "evidence" | "summary" | "tail";
export const partNames = ["original", "evidence", "summary", "tail"] as const satisfies readonly Part[];

/** A stretch of one projected message. The spans of a message cover what a model can read of it: their `chars` (UTF-16 units) add up. */
export interface Span {
  readonly part: Part;
  readonly chars: number;
  /** Ids of the journal messages that this stretch came from; empty where a model or the arm itself wrote it. */
  readonly sources: readonly string[];
}

export interface ProjectedMessage {
  readonly message: Message;
  readonly spans: readonly Span[];
}

/** Where an arm's rules come from. `native` is the real program: exempt from the purity rules, listed apart. */
export type Source =
  | {
      readonly kind: "mirror";
      readonly product: string;
      readonly commit: string;
      readonly path: string;
      readonly notModelled: readonly string[];
    }
  | { readonly kind: "variant"; readonly of: string; readonly change: string }
  | { readonly kind: "native"; readonly product: string; readonly version: string }
  | { readonly kind: "control" };

export interface Estimator {
  /** Estimated tokens of a text. */
  text(text: string): number;
  /** Estimated tokens of one message in a request, its frame included. Cached with the message. */
  message(message: Message): number;
}

/** What an arm is given besides its input. It reads no clock, file, network or randomness. */
export interface ArmContext<Options extends object = object> {
  readonly options: Readonly<Options>;
  readonly windowTokens: number;
  readonly outputReserveTokens: number;
  readonly shape: SessionShape;
  /** Tokens of the system prompt and of the compact JSON of the tools: what every request carries besides its messages. */
  readonly fixedTokens: number;
  readonly estimate: Estimator;
  /** The only seed for ids that an arm has to invent. */
  readonly boundary: { readonly chain: string; readonly end: number };
  readonly signal: AbortSignal;
  /**
   * Asks the run's model, through the ledger. Transport retries happen behind it.
   * Rejects with ContextOverflowError where the request does not fit (an arm may trim and ask again), with another
   * ProviderError where the provider failed for good, with BudgetError and InterruptedError: let those two pass.
   */
  complete(request: Omit<ModelRequest, "purpose" | "cacheKey">): Promise<ModelReply>;
}

export interface CompactionInput<State extends JsonValue = JsonValue> {
  /** Every message of the chain up to this boundary, pairs as they were stored (see `paired`). */
  readonly journal: readonly Message[];
  /** The end of the journal since the boundary at which `previous` was made; all of it without one. */
  readonly fresh: readonly Message[];
  /** The arm's last *compacted* step; an unchanged step leaves it as it was. */
  readonly previous: { readonly state: State; readonly projection: readonly ProjectedMessage[] } | undefined;
  /** `forced`: compact whatever the size. `automatic`: obey the product's own trigger. */
  readonly trigger: "forced" | "automatic";
}

export type Compaction<State extends JsonValue = JsonValue> =
  | {
      readonly kind: "compacted";
      /** The history that the session's next request carries. */
      readonly projection: readonly ProjectedMessage[];
      /** What the next compaction gets back, as JSON. */
      readonly state: State;
      /** Why a summary was not used, where the arm then did without. Counted in the report by its text: keep it short and constant. */
      readonly fellBack?: string;
      readonly counts?: { readonly [name: string]: number };
    }
  | { readonly kind: "unchanged"; readonly projection: readonly ProjectedMessage[]; readonly reason: string };

export interface Arm<State extends JsonValue = JsonValue, Options extends object = object> {
  /** Kebab-case, stable for ever. */
  readonly id: string;
  /** What tables and figures print. */
  readonly title: string;
  readonly source: Source;
  /** Every knob with its upstream value; recorded in the run. */
  readonly options: Readonly<Options>;
  /** Throws CompactionRefusedError where no valid compaction exists. Equal inputs and replies give equal results; the input is not touched. */
  compact(input: CompactionInput<State>, context: ArmContext<Options>): Promise<Compaction<State>>;
}

/** Checks an arm's types and forgets its state's, which only the arm itself reads. */
export const defineArm = <State extends JsonValue, Options extends object>(arm: Arm<State, Options>): Arm => arm;

/** A journal message kept as it is, or with fewer blocks. */
export const verbatim = (part: Part, message: Message): ProjectedMessage => ({
  message,
  spans: [{ part, chars: readable(message).reduce((chars, text) => chars + text.length, 0), sources: [message.id] }],
});

/** A message that a model or the arm wrote. */
export const generated = (
  part: Part,
  id: string,
  role: "user" | "assistant",
  text: string,
  sources: readonly string[] = [],
): ProjectedMessage => ({
  message: { id, role, blocks: [{ kind: "text", text }] },
  spans: [{ part, chars: text.length, sources }],
});
