/** A request as the body of a chat completion. Pure. */
import type {
  ChatCompletionContentPartText,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { JsonObject } from "../../json.ts";
import type { ModelRequest } from "../model.ts";
import { routingKeyOf } from "../remote/names.ts";
import type { Thinking } from "../remote/options.ts";
import { filler, type Repairs, type Turn, turnsOf } from "../remote/turns.ts";

export interface OpenAiEncoding {
  readonly model: string;
  readonly thinking: Thinking;
  /**
   * Marks the end of the history as the one cache breakpoint, for models that bill cache writes (GPT-5.6 and later):
   * their automatic breakpoint would lie behind the question and write the history anew with every one.
   */
  readonly cacheBreakpoint: boolean;
  /** DeepSeek's form: `thinking` says whether, and `reasoning_effort` how much. @default false */
  readonly thinkingSwitch?: boolean;
  readonly extra: JsonObject;
}

/** Fields that the request decides, so that no extra field may. */
export const openAiDecided = [
  "model",
  "messages",
  "tools",
  "tool_choice",
  "max_tokens",
  "max_completion_tokens",
  "stream",
  "stream_options",
  "n",
];

/**
 * The body without what only decides how the reply travels (`stream`). Tools come first, so that equal beginnings are
 * equal bytes. The output limit is named `max_tokens`, which every server knows; a model that refuses the name gets
 * another while sending. A message's texts are joined by newline. The API has no place to flag a result as an error: its
 * text goes as it is. Roles need not alternate here.
 */
export function encodeOpenAi(
  request: ModelRequest,
  { model, thinking, thinkingSwitch = false, cacheBreakpoint, extra }: OpenAiEncoding,
): { readonly body: JsonObject; readonly repairs: Repairs } {
  const { system, tools, history, ask, repairs } = turnsOf(request);
  const past = history.flatMap(messagesOf);
  const messages: ChatCompletionMessageParam[] = [
    ...(system === "" ? [] : [{ role: "system" as const, content: system }]),
    ...(cacheBreakpoint ? past.map((message, at) => (at === past.length - 1 ? marked(message) : message)) : past),
    ...ask.flatMap(messagesOf),
  ];
  if (history.length + ask.length === 0) messages.push({ role: "user", content: filler });
  const functions = tools.map((tool) => ({ type: "function" as const, function: { ...tool } }));
  const body: ChatCompletionCreateParamsNonStreaming = {
    model,
    ...(tools.length === 0 ? {} : { tools: functions }),
    messages,
    ...(tools.length === 0 ? {} : { tool_choice: request.toolChoice }),
    max_tokens: request.maxOutputTokens,
    ...(thinkingSwitch ? switched(thinking) : effortOf(thinking)),
    prompt_cache_key: routingKeyOf(request.cacheKey),
    ...(cacheBreakpoint ? { prompt_cache_options: { mode: "explicit" as const } } : {}),
  };
  return { body: { ...(body as unknown as JsonObject), ...extra }, repairs };
}

type Effort = Pick<ChatCompletionCreateParamsNonStreaming, "reasoning_effort">;

function effortOf(thinking: Thinking): Effort {
  if (thinking === "default") return {};
  return { reasoning_effort: thinking === "off" ? "none" : thinking };
}

/** The SDK's types do not know the switch. */
function switched(thinking: Thinking): Effort & { readonly thinking?: { readonly type: "enabled" | "disabled" } } {
  if (thinking === "off") return { thinking: { type: "disabled" } };
  return thinking === "default" ? {} : { thinking: { type: "enabled" }, ...effortOf(thinking) };
}

function messagesOf(turn: Turn): ChatCompletionMessageParam[] {
  switch (turn.role) {
    case "user":
      return [{ role: "user", content: turn.texts.join("\n") }];
    case "assistant": {
      const calls = turn.calls.map(({ id, tool, args }) => ({
        id,
        type: "function" as const,
        function: { name: tool, arguments: JSON.stringify(args) },
      }));
      const content = turn.texts.length === 0 ? null : turn.texts.join("\n");
      return [{ role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
    }
    case "tool":
      return turn.results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
  }
}

/** A message whose content ends a reusable prefix; one of calls only, which has no content to mark, stays as it is. */
function marked(message: ChatCompletionMessageParam): ChatCompletionMessageParam {
  if (typeof message.content !== "string") return message;
  const text: ChatCompletionContentPartText = {
    type: "text",
    text: message.content,
    prompt_cache_breakpoint: { mode: "explicit" },
  };
  return { ...message, content: [text] } as ChatCompletionMessageParam;
}
