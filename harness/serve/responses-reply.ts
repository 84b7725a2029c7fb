/** Replies and failures as OpenAI's responses have them. */
import type { JsonObject } from "../json.ts";
import { type Envelope, eventFrame, piecesOf, type Refusal, type Reply } from "./wire.ts";

type Named = Pick<Envelope, "call" | "model">;
type Item = ReasoningItem | MessageItem | CallItem;
type ReasoningItem = {
  readonly type: "reasoning";
  readonly id: string;
  readonly summary: readonly { readonly type: "summary_text"; readonly text: string }[];
};
type MessageItem = {
  readonly type: "message";
  readonly id: string;
  readonly role: "assistant";
  readonly status: "completed";
  readonly content: readonly (
    | { readonly type: "output_text"; readonly text: string; readonly annotations: readonly never[] }
    | { readonly type: "refusal"; readonly refusal: string }
  )[];
};
type CallItem = {
  readonly type: "function_call";
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly status: "completed";
};

/** A reply as one response. */
export function wholeOf(reply: Reply, envelope: Envelope): JsonObject {
  const cut = reply.finish === "length";
  return {
    ...begunResponse(envelope),
    status: cut ? "incomplete" : "completed",
    incomplete_details: cut ? { reason: "max_output_tokens" } : null,
    output: itemsOf(reply, envelope.call),
    ...(envelope.usage && { usage: envelope.usage.whole }),
  };
}

/** A response before it has any output. */
const begunResponse = ({ call, model }: Named): JsonObject => ({
  id: `resp_${call}`,
  object: "response",
  created_at: 0,
  status: "in_progress",
  model,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: "auto",
  tools: [],
  top_p: null,
  output: [],
});

/** Output items: reasoning first, then the message, then calls. */
function itemsOf({ reasoning, text, refusal, calls }: Reply, call: number): Item[] {
  const items: Item[] = [];
  if (reasoning !== "")
    items.push({ type: "reasoning", id: `rs_${call}`, summary: [{ type: "summary_text", text: reasoning }] });
  const content =
    refusal === ""
      ? ({ type: "output_text", text: text ?? "", annotations: [] } as const)
      : ({ type: "refusal", refusal } as const);
  if (text !== null || refusal !== "")
    items.push({ type: "message", id: `msg_${call}`, role: "assistant", status: "completed", content: [content] });
  for (const { id, tool, args } of calls)
    items.push({
      type: "function_call",
      id: `fc_${id}`,
      call_id: id,
      name: tool,
      arguments: args,
      status: "completed",
    });
  return items;
}

/** The first event of a stream. */
export const createdFrame = (envelope: Named): string =>
  eventFrame({ type: "response.created", response: begunResponse(envelope) });

/** The last event of a stream that fails. Codex takes an overflow from here only, not from an HTTP 400 (codex 0.155.0, observed). */
export const failedFrame = ({ message, code }: Refusal, envelope: Named): string =>
  eventFrame({
    type: "response.failed",
    response: { ...begunResponse(envelope), status: "failed", error: { code: code ?? "server_error", message } },
  });

type Event = JsonObject & { readonly type: string };

/** A reply as the events of a stream. */
export function framesOf(reply: Reply, envelope: Envelope): string[] {
  const events: Event[] = [
    { type: "response.created", response: begunResponse(envelope) },
    { type: "response.in_progress", response: begunResponse(envelope) },
    ...itemsOf(reply, envelope.call).flatMap(itemEvents),
    {
      type: reply.finish === "length" ? "response.incomplete" : "response.completed",
      response: wholeOf(reply, envelope),
    },
  ];
  return events.map((event, sequence_number) => eventFrame({ ...event, sequence_number }));
}

function itemEvents(item: Item, output_index: number): Event[] {
  const [begun, inside] = streamed(item, { item_id: item.id, output_index });
  return [
    { type: "response.output_item.added", output_index, item: begun },
    ...inside,
    { type: "response.output_item.done", output_index, item },
  ];
}

/** An item as it starts, and the events that fill it. */
function streamed(
  item: Item,
  place: { readonly item_id: string; readonly output_index: number },
): readonly [JsonObject, Event[]] {
  const deltas = (type: string, at: JsonObject, text: string): Event[] =>
    piecesOf(text).map((delta) => ({ type: `${type}.delta`, ...at, delta }));
  switch (item.type) {
    case "message":
      return [{ ...item, status: "in_progress", content: [] }, item.content.flatMap((part) => partEvents(part, place))];
    case "reasoning": {
      const at = { ...place, summary_index: 0 };
      const events = item.summary.flatMap((part): Event[] => [
        { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
        ...deltas("response.reasoning_summary_text", at, part.text),
        { type: "response.reasoning_summary_text.done", ...at, text: part.text },
        { type: "response.reasoning_summary_part.done", ...at, part },
      ]);
      return [{ ...item, summary: [] }, events];
    }
    case "function_call": {
      const done = { ...place, name: item.name, arguments: item.arguments };
      return [
        { ...item, status: "in_progress", arguments: "" },
        [
          ...deltas("response.function_call_arguments", place, item.arguments),
          { type: "response.function_call_arguments.done", ...done },
        ],
      ];
    }
  }
}

function partEvents(part: MessageItem["content"][number], place: JsonObject): Event[] {
  const at = { ...place, content_index: 0 };
  const [name, field, text, more] =
    part.type === "refusal"
      ? (["response.refusal", "refusal", part.refusal, {}] as const)
      : (["response.output_text", "text", part.text, { logprobs: [] }] as const);
  return [
    { type: "response.content_part.added", ...at, part: { ...part, [field]: "" } },
    ...piecesOf(text).map((delta) => ({ type: `${name}.delta`, ...at, delta, ...more })),
    { type: `${name}.done`, ...at, [field]: text, ...more },
    { type: "response.content_part.done", ...at, part },
  ];
}
