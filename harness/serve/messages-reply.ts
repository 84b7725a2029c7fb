/** Replies and errors as Anthropic's messages have them. */
import type { JsonObject, JsonValue } from "../json.ts";
import { type Envelope, eventFrame, piecesOf, type Refusal, type Reply } from "./wire.ts";

/** Error types by status; 400 and every other 4xx is an invalid request. */
const problemTypes: { readonly [status: number]: string } = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** `{type: "error", error: {type, message}}` */
export function problemOf({ status, message }: Refusal): JsonObject {
  const type = problemTypes[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
  return { type: "error", error: { type, message }, request_id: null };
}

const finishes = { stop: "end_turn", length: "max_tokens", tool: "tool_use", refusal: "refusal" } as const;

type Content =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: JsonValue };

/** Content blocks: reasoning first, then the text (a refusal's words are its text), then calls. */
function contentOf({ reasoning, text, refusal, calls }: Reply): Content[] {
  const said = refusal === "" ? text : refusal;
  return [
    ...(reasoning === "" ? [] : [{ type: "thinking", thinking: reasoning, signature: "offline" } as const]),
    ...(said === null ? [] : [{ type: "text", text: said } as const]),
    ...calls.map(
      ({ id, tool, args }) => ({ type: "tool_use", id, name: tool, input: JSON.parse(args) as JsonValue }) as const,
    ),
  ];
}

const message = ({ call, model }: Envelope, content: readonly JsonValue[], stop: string | null): JsonObject => ({
  id: `msg_${call}`,
  type: "message",
  role: "assistant",
  model,
  content,
  stop_reason: stop,
  stop_sequence: null,
});

/** A reply as one message. */
export function wholeOf(reply: Reply, envelope: Envelope): JsonObject {
  return {
    ...message(envelope, contentOf(reply), finishes[reply.finish]),
    ...(envelope.usage && { usage: envelope.usage.whole }),
  };
}

/** A reply as the events of a stream. */
export function framesOf(reply: Reply, envelope: Envelope): string[] {
  const { usage, usageAtEnd } = envelope;
  const first = usageAtEnd ? { input_tokens: 0, output_tokens: 0 } : usage?.first;
  const last = usageAtEnd ? usage?.whole : usage?.last;
  const start = { ...message(envelope, [], null), ...(first && { usage: first }) };
  return [
    eventFrame({ type: "message_start", message: start }),
    eventFrame({ type: "ping" }),
    ...contentOf(reply).flatMap(blockFrames),
    eventFrame({
      type: "message_delta",
      delta: { stop_reason: finishes[reply.finish], stop_sequence: null },
      ...(last && { usage: last }),
    }),
    eventFrame({ type: "message_stop" }),
  ];
}

function blockFrames(content: Content, index: number): string[] {
  const [empty, deltas] = streamed(content);
  return [
    eventFrame({ type: "content_block_start", index, content_block: empty }),
    ...deltas.map((delta) => eventFrame({ type: "content_block_delta", index, delta })),
    eventFrame({ type: "content_block_stop", index }),
  ];
}

/** A content block as it starts, and the deltas that fill it. */
function streamed(content: Content): readonly [JsonObject, JsonObject[]] {
  const pieces = (type: string, field: string, text: string): JsonObject[] =>
    piecesOf(text).map((piece) => ({ type, [field]: piece }));
  switch (content.type) {
    case "thinking": {
      const signed = { type: "signature_delta", signature: content.signature };
      const deltas = pieces("thinking_delta", "thinking", content.thinking);
      return [{ ...content, thinking: "", signature: "" }, [...deltas, signed]];
    }
    case "text":
      return [{ ...content, text: "" }, pieces("text_delta", "text", content.text)];
    case "tool_use":
      return [{ ...content, input: {} }, pieces("input_json_delta", "partial_json", JSON.stringify(content.input))];
  }
}
