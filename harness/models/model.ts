/** What the harness asks of a model, and what a provider of models has to do. */
import type { Message } from "../chain/message.ts";
import type { JsonObject, JsonValue } from "../json.ts";

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
}

/** What every request of a session carries besides its messages. */
export interface SessionShape {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
}

/** One provider-neutral request. In every cache order: tools, then system, then messages. */
export interface ModelRequest {
  readonly purpose: "compact" | "answer";
  /** Chain and arm: where providers route by a key, requests of one cell share it. */
  readonly cacheKey: string;
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** `required`: the reply has to call a tool. */
  readonly toolChoice: "auto" | "none" | "required";
  readonly messages: readonly Message[];
  readonly maxOutputTokens: number;
}

/** Billed tokens in four disjoint counts. */
export interface Usage {
  readonly freshInputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Of `cacheWriteTokens`, those kept for an hour instead of minutes: they have a price of their own. None where missing. */
  readonly cacheWriteHourTokens?: number;
  readonly outputTokens: number;
}

export interface ModelCall {
  /** As the provider named it; "" where it did not. */
  readonly id: string;
  readonly tool: string;
  /** The arguments as JSON, or their text where they are none. */
  readonly args: JsonValue;
}

export interface ModelReply {
  /** "" where the reply has no text. */
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly finish: "stop" | "length" | "tool" | "refusal";
  /** Missing where the provider sent none: its cost is then unknown, never 0. */
  readonly usage?: Usage;
  /** Characters of reasoning that came with the reply, where the provider shows it. Never part of `text`. */
  readonly reasoningChars?: number;
  /** The usage object as it arrived. */
  readonly rawUsage?: JsonValue;
}

export interface Provider {
  /** As in `--model`: `offline`, `openai`, … */
  readonly id: string;
  readonly model: string;
  readonly windowTokens: number;
  /** What the output of this model has to be called in tables, e.g. that it is not an LLM. */
  readonly label?: string;
  /** Parameters that decide a reply besides the request; part of the run's identity. */
  readonly parameters: JsonObject;
  /** The body that will be sent. Pure. */
  encode(request: ModelRequest): JsonObject;
  /** One attempt. Throws ProviderError (ContextOverflowError where the request does not fit); puts no default for a missing field. */
  send(body: JsonObject, signal?: AbortSignal): Promise<ModelReply>;
}
