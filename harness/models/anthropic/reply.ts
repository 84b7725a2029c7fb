/** An Anthropic message, whole or as a stream of events, as a reply. */
import * as z from "zod";
import type { JsonObject, JsonValue } from "../../json.ts";
import type { ModelReply } from "../model.ts";
import { UnusableReply } from "../remote/faults.ts";
import { problemOf } from "../remote/problem.ts";
import { anthropicUsage } from "../remote/usage.ts";

const text = z.string().nullish();
const usage = z.record(z.string(), z.unknown()).nullish();
const block = z.object({ type: z.string(), text, thinking: text, id: text, name: text, input: z.unknown().optional() });
const message = z.object({ type: z.literal("message"), content: z.array(block), stop_reason: text, usage });
const event = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message_start"), message: z.object({ usage }) }),
  z.object({ type: z.literal("content_block_start"), index: z.int(), content_block: block }),
  z.object({
    type: z.literal("content_block_delta"),
    index: z.int(),
    delta: z.object({ type: z.string(), text, thinking: text, partial_json: text }),
  }),
  z.object({ type: z.literal("message_delta"), delta: z.object({ stop_reason: text }), usage }),
  z.object({ type: z.literal("message_stop") }),
]);

/** The reply that a whole message is. Throws UnusableReply for what is none, and for one without a stop reason. */
export function replyOf(whole: unknown): ModelReply {
  const parsed = message.safeParse(whole);
  if (!parsed.success) {
    const isError = typeof whole === "object" && whole !== null && "error" in whole;
    throw new UnusableReply("the reply is no message", isError ? problemOf(undefined, whole) : undefined);
  }
  const { content, stop_reason: reason, usage: rawUsage } = parsed.data;
  if (typeof reason !== "string") throw new UnusableReply("the reply ended without a stop reason");
  const counted = anthropicUsage(rawUsage);
  const reasoning = content.flatMap((part) => (part.type === "thinking" ? [part.thinking ?? ""] : []));
  return {
    text: content.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join(""),
    calls: content.flatMap((part) =>
      part.type === "tool_use"
        ? [{ id: part.id ?? "", tool: part.name ?? "", args: (part.input ?? {}) as JsonValue }]
        : [],
    ),
    finish: finishes[reason] ?? "stop",
    ...(counted === undefined ? {} : { usage: counted }),
    ...(reasoning.length === 0 ? {} : { reasoningChars: reasoning.join("").length }),
    ...(rawUsage === undefined || rawUsage === null ? {} : { rawUsage: rawUsage as JsonObject }),
  };
}

/** `end_turn`, `stop_sequence`, `pause_turn` and reasons that are not known are ordinary ends. */
const finishes: { readonly [reason: string]: ModelReply["finish"] } = {
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool",
  refusal: "refusal",
};

export interface Collector {
  /** Takes one event; those of other kinds, such as the end of a block, say nothing new. */
  take(event: unknown): void;
  /** The reply. Throws UnusableReply where `message_stop` has not come. */
  reply(): ModelReply;
}

interface OpenBlock {
  readonly start: z.infer<typeof block>;
  text: string;
  thinking: string;
  json: string;
}

/**
 * Collects the events of one stream. The counts of `message_delta` replace those of `message_start`; where it carries no
 * output count the usage stays unknown, because the start's is only the first one.
 */
export function collector(): Collector {
  const blocks = new Map<number, OpenBlock>();
  let started: JsonObject | undefined;
  let final: JsonObject | undefined;
  let reason: string | undefined;
  let stopped = false;
  return {
    take: (raw) => {
      const parsed = event.safeParse(raw);
      if (!parsed.success) {
        if (isOurs(raw)) throw new UnusableReply("the reply holds an event without its fields");
        return;
      }
      const one = parsed.data;
      if (one.type === "message_start") started = known(one.message.usage);
      else if (one.type === "content_block_start")
        blocks.set(one.index, {
          start: one.content_block,
          text: one.content_block.text ?? "",
          thinking: one.content_block.thinking ?? "",
          json: "",
        });
      else if (one.type === "content_block_delta") {
        const open = blocks.get(one.index);
        if (open === undefined) throw new UnusableReply("the reply continues a block that has not begun");
        open.text += one.delta.text ?? "";
        open.thinking += one.delta.thinking ?? "";
        open.json += one.delta.partial_json ?? "";
      } else if (one.type === "message_delta") {
        reason = one.delta.stop_reason ?? reason;
        final = { ...final, ...known(one.usage) };
      } else stopped = true;
    },
    reply: () => {
      if (!stopped) throw new UnusableReply("the reply ended without message_stop");
      const { output_tokens: _first, ...input } = started ?? {};
      const counted = { ...input, ...final };
      const content = [...blocks.values()].map(({ start, text, thinking, json }) => ({
        ...start,
        text,
        thinking,
        input: json === "" ? start.input : parsedInput(json),
      }));
      return replyOf({ type: "message", content, stop_reason: reason, usage: isEmpty(counted) ? null : counted });
    },
  };
}

/** The fields of a usage object that say something. */
const known = (usage: Record<string, unknown> | null | undefined): JsonObject =>
  Object.fromEntries(Object.entries(usage ?? {}).filter(([, value]) => value !== null)) as JsonObject;

/** Whether an event is of a kind that is read here. */
const isOurs = (raw: unknown): boolean =>
  event.options.some((kind) => z.object({ type: kind.shape.type }).safeParse(raw).success);

const isEmpty = (fields: JsonObject): boolean => Object.keys(fields).length === 0;

/** Arguments as JSON, or their text where they were cut off. */
function parsedInput(json: string): JsonValue {
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    return json;
  }
}
