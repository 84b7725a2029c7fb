/** A request as the body of an Anthropic message. Pure. */
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParamsNonStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import type { JsonObject } from "../../json.ts";
import type { ModelRequest, ToolDefinition } from "../model.ts";
import type { Thinking } from "../remote/options.ts";
import { filler, type Repairs, type Turn, turnsOf } from "../remote/turns.ts";

export interface AnthropicEncoding {
  readonly model: string;
  readonly thinking: Thinking;
  readonly extra: JsonObject;
}

/** Fields that the request decides, so that no extra field may. */
export const anthropicDecided = ["model", "messages", "system", "tools", "tool_choice", "max_tokens", "stream"];

/**
 * The body without what only decides how the reply travels (`stream`). Fields come in cache order.
 *
 * Neighbours of one role become one message, each text a block of its own, so that a sheet begins where its block begins.
 * A history that starts with the assistant gets a filler before it, one that does not end with the user a filler behind.
 * Breakpoints: the last tool, the system prompt, and the last block before the final user message, which is where a
 * projection ends and, in a compaction request, the history. The API wants tools where calls are: a request that has
 * calls and defines no tools declares the called names, with tool choice none.
 */
export function encodeAnthropic(
  request: ModelRequest,
  { model, thinking, extra }: AnthropicEncoding,
): { readonly body: JsonObject; readonly repairs: Repairs } {
  const { system, tools, history, ask, repairs } = turnsOf(request);
  const declared = tools.length > 0 ? tools.map(toolOf) : namesOf(history).map(undefinedTool);
  const choice = tools.length > 0 ? request.toolChoice : "none";
  const body: MessageCreateParamsNonStreaming = {
    model,
    ...(declared.length === 0 ? {} : { tools: lastMarked(declared) }),
    ...(system === "" ? {} : { system: lastMarked<TextBlockParam>([{ type: "text", text: system }]) }),
    messages: messagesOf(history, ask),
    ...(declared.length === 0 ? {} : { tool_choice: { type: choice === "required" ? ("any" as const) : choice } }),
    max_tokens: request.maxOutputTokens,
    ...thinkingOf(thinking),
  };
  return { body: { ...(body as unknown as JsonObject), ...extra }, repairs };
}

/** Thinking that is asked for is adaptive: the model decides within an effort, and needs no budget below the output limit. */
function thinkingOf(thinking: Thinking): Pick<MessageCreateParamsNonStreaming, "thinking" | "output_config"> {
  if (thinking === "default") return {};
  if (thinking === "off") return { thinking: { type: "disabled" } };
  return { thinking: { type: "adaptive" }, output_config: { effort: thinking } };
}

const breakpoint: CacheControlEphemeral = { type: "ephemeral" };

/** The same blocks, the last one with a cache breakpoint of the default life (five minutes). */
const lastMarked = <Block extends { cache_control?: CacheControlEphemeral | null }>(
  blocks: readonly Block[],
): Block[] => blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, cache_control: breakpoint } : block));

/** Blocks that may carry a breakpoint: all that this encoding makes. */
type Block = TextBlockParam | ToolUseBlockParam | ToolResultBlockParam;
interface Said {
  readonly role: "user" | "assistant";
  readonly block: Block;
}

function messagesOf(history: readonly Turn[], ask: readonly Turn[]): MessageParam[] {
  const past = history.flatMap(saidIn);
  const said: Said[] = [
    ...(past[0]?.role === "assistant" ? [fillerSaid] : []),
    ...past.slice(0, -1),
    ...past.slice(-1).map(({ role, block }): Said => ({ role, block: { ...block, cache_control: breakpoint } })),
    ...ask.flatMap(saidIn),
  ];
  if (said.at(-1)?.role !== "user") said.push(fillerSaid);
  const messages: { role: "user" | "assistant"; content: ContentBlockParam[] }[] = [];
  for (const { role, block } of said) {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(block);
    else messages.push({ role, content: [block] });
  }
  return messages;
}

const fillerSaid: Said = { role: "user", block: { type: "text", text: filler } };

function saidIn(turn: Turn): Said[] {
  const texts = (role: Said["role"], all: readonly string[]): Said[] =>
    all.map((text) => ({ role, block: { type: "text", text } }));
  switch (turn.role) {
    case "user":
      return texts("user", turn.texts);
    case "assistant":
      return [
        ...texts("assistant", turn.texts),
        ...turn.calls.map(({ id, tool, args }): Said => ({
          role: "assistant",
          block: { type: "tool_use", id, name: tool, input: args },
        })),
      ];
    case "tool":
      return turn.results.map(({ id, text, error }): Said => ({
        role: "user",
        block: { type: "tool_result", tool_use_id: id, content: text, ...(error ? { is_error: true } : {}) },
      }));
  }
}

const toolOf = ({ name, description, parameters }: ToolDefinition): Tool => ({
  name,
  description,
  input_schema: parameters as unknown as Tool.InputSchema,
});

/** A tool that is known only from its calls. */
const undefinedTool = (name: string): Tool => ({ name, input_schema: { type: "object" } });

const namesOf = (history: readonly Turn[]): string[] => [
  ...new Set(history.flatMap((turn) => (turn.role === "assistant" ? turn.calls.map(({ tool }) => tool) : []))),
];
