/**
 * What the offline models see of a request and the neutral body it travels in. A server that speaks another wire form
 * builds a `Seen` of its own; the models know nothing else.
 */
import type { Message } from "../../chain/message.ts";
import { messagesTokens, quarterTokens, textTokens } from "../../chain/tokens.ts";
import { ContextOverflowError, ProviderError } from "../../errors.ts";
import type { JsonObject } from "../../json.ts";
import type { ModelReply, ModelRequest, Provider, ToolDefinition } from "../model.ts";

/** A request as a model gets it. */
export interface Seen {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ModelRequest["toolChoice"];
  readonly messages: readonly Message[];
  readonly maxOutputTokens: number;
}

/** A call that a model makes instead of an answer. */
export interface LocalCall {
  readonly tool: string;
  readonly args: JsonObject;
}

/** Raised whenever equal requests would get other replies than before. Part of a run's identity. */
const version = 1;

/** The request as JSON, its messages shared with it and not copied. */
const encode = (model: string, request: ModelRequest): JsonObject =>
  ({
    model,
    system: request.system,
    tools: request.tools,
    tool_choice: request.toolChoice,
    messages: request.messages,
    max_output_tokens: request.maxOutputTokens,
  }) as unknown as JsonObject;

/** Reads a body again. Throws ProviderError (400, not billed) where a field is missing: nothing is guessed. */
function seenIn(provider: string, body: JsonObject): Seen {
  const { system, tools, tool_choice: toolChoice, messages, max_output_tokens: maxOutputTokens } = body;
  const missing =
    (typeof system !== "string" && "system") ||
    (!Array.isArray(tools) && "tools") ||
    (!(toolChoice === "auto" || toolChoice === "none" || toolChoice === "required") && "tool_choice") ||
    (!Array.isArray(messages) && "messages") ||
    (!(Number.isInteger(maxOutputTokens) && Number(maxOutputTokens) > 0) && "max_output_tokens");
  if (missing !== false) throw new ProviderError(`${provider}: the body has no valid "${missing}".`, refused(provider));
  return { system, tools, toolChoice, messages, maxOutputTokens } as unknown as Seen;
}

const refused = (provider: string) => ({ provider, status: 400, charge: "none", decision: "request" }) as const;

/** Estimated tokens of the whole input: system prompt, compact JSON of the tools, messages. */
export const inputTokens = ({ system, tools, messages }: Pick<Seen, "system" | "tools" | "messages">): number =>
  textTokens(system) + textTokens(JSON.stringify(tools)) + messagesTokens(messages);

/** A text cut to an output limit, between code points. */
function cutToLimit(text: string, maxTokens: number): string {
  if (textTokens(text) <= maxTokens) return text;
  let quarters = 0;
  let end = 0;
  for (const point of text) {
    quarters += quarterTokens(point);
    if (quarters > 4 * maxTokens) break;
    end += point.length;
  }
  return text.slice(0, end);
}

/** A model that runs in this process: `answer`, a text or calls, is the whole of it. It enforces its window as a provider does. */
export function localProvider(
  identity: Pick<Provider, "id" | "model" | "windowTokens"> & { readonly label: string },
  answer: (seen: Seen) => string | readonly LocalCall[],
): Provider {
  const { id, model, windowTokens } = identity;
  const reply = (body: JsonObject): ModelReply => {
    const seen = seenIn(id, body);
    const freshInputTokens = inputTokens(seen);
    if (freshInputTokens + seen.maxOutputTokens > windowTokens)
      throw new ContextOverflowError(
        `${id}: ${freshInputTokens} input tokens and ${seen.maxOutputTokens} of output exceed the window of ${windowTokens}.`,
        refused(id),
      );
    const billed = (outputTokens: number) => {
      const usage = { freshInputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens };
      return { usage, rawUsage: { ...usage } };
    };
    const whole = answer(seen);
    if (typeof whole !== "string") {
      const calls = whole.map((call, index) => ({ id: `call_${seen.messages.length}_${index}`, ...call }));
      return { text: "", calls, finish: "tool", ...billed(textTokens(JSON.stringify(whole))) };
    }
    const text = cutToLimit(whole, seen.maxOutputTokens);
    return { text, calls: [], finish: text === whole ? "stop" : "length", ...billed(textTokens(text)) };
  };
  return {
    ...identity,
    parameters: { version },
    encode: (request) => encode(model, request),
    send: async (body, signal) => {
      signal?.throwIfAborted();
      return reply(body);
    },
  };
}
