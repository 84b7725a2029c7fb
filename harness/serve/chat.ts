/** OpenAI chat completions: `POST /v1/chat/completions`. Also what most compatible servers speak. */
import * as z from "zod";
import { pairFaults } from "../chain/message.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Life } from "../shape/cache-rules.ts";
import { checked, jsonObject, outputLimit } from "./body.ts";
import {
  argsOf,
  createHistory,
  type HistoryBuilder,
  imageBlock,
  resultBlock,
  textBlock,
  toolChoiceOf,
  toolOf,
} from "./history.ts";
import { openAiProblem } from "./openai-problem.ts";
import { dataFrame, type Decoded, type Envelope, piecesOf, Refusal, type Reply, type Wire } from "./wire.ts";

/** A breakpoint in either spelling: OpenAI's own, or the one that gateways to Anthropic take. */
const marks = {
  prompt_cache_breakpoint: z.looseObject({}).nullish(),
  cache_control: z.looseObject({ ttl: z.string().optional() }).nullish(),
};
const part = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string(), ...marks }),
  z.looseObject({ type: z.literal("refusal"), refusal: z.string(), ...marks }),
  z.looseObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }), ...marks }),
]);
const content = z.union([z.string(), z.array(part)]);
const functionName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const call = z.looseObject({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.looseObject({ name: functionName, arguments: z.string() }),
});
const message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.enum(["system", "developer", "user"]), content }),
  z.looseObject({
    role: z.literal("assistant"),
    content: content.nullish(),
    reasoning_content: z.string().nullish(),
    tool_calls: z.array(call).min(1).nullish(),
  }),
  z.looseObject({ role: z.literal("tool"), tool_call_id: z.string().min(1), content }),
]);
const request = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z
    .array(
      z.looseObject({
        type: z.literal("function"),
        function: z.looseObject({ name: functionName, parameters: jsonObject.nullish() }),
      }),
    )
    .nullish(),
  max_tokens: outputLimit,
  max_completion_tokens: outputLimit,
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_options: z.looseObject({ mode: z.enum(["implicit", "explicit"]).nullish() }).nullish(),
});

type Part = z.infer<typeof part>;

export const chatWire: Wire = {
  route: "chat",
  path: "/chat/completions",
  decode,
  whole,
  frames,
  problem: openAiProblem,
  problemFrame: (refusal) => dataFrame(openAiProblem(refusal)),
};

function decode(body: unknown): Decoded {
  const read = checked(request, body);
  if (read.max_tokens && read.max_completion_tokens)
    throw new Refusal(400, "max_tokens and max_completion_tokens exclude each other.", { param: "max_tokens" });
  const history = createHistory();
  for (const { function: tool } of read.tools ?? []) {
    const { parameters, ...fields } = tool;
    history.tool(toolOf(tool.name, fields as JsonObject, parameters));
  }
  read.messages.forEach((one, at) => {
    history.close();
    addMessage(history, one, at);
  });
  const decoded = history.done();
  const [fault] = pairFaults(decoded.messages);
  if (fault !== undefined) throw new Refusal(400, `messages: ${fault}.`, { param: "messages" });
  return {
    ...decoded,
    toolChoice: toolChoiceOf(read["tool_choice"]),
    model: read.model,
    explicitOnly: read.prompt_cache_options?.mode === "explicit",
    cacheKey: read.prompt_cache_key ?? undefined,
    maxOutputTokens: read.max_completion_tokens ?? read.max_tokens ?? undefined,
    stream: read.stream ?? false,
    streamsUsage: read.stream_options?.include_usage ?? false,
  };
}

function addMessage(history: HistoryBuilder, one: z.infer<typeof message>, at: number): void {
  switch (one.role) {
    case "assistant":
      if (one.reasoning_content) history.add("assistant", { kind: "reasoning", text: one.reasoning_content });
      for (const each of partsOf(one.content ?? [])) history.add("assistant", each.block, each.life);
      for (const { id, function: made } of one.tool_calls ?? [])
        history.add("assistant", { kind: "call", call: id, tool: made.name, args: argsOf(made.arguments) });
      if (one.tool_calls || (one.content ?? "").length > 0) return;
      throw new Refusal(400, `messages[${at}] has neither content nor tool calls.`, {
        param: `messages[${at}].content`,
      });
    case "tool": {
      const parts = partsOf(one.content);
      const last = parts.findLast(({ life }) => life !== undefined)?.life;
      return history.add("tool", resultBlock(one.tool_call_id, parts.map(textIn).join("\n")), last);
    }
    case "user":
      for (const each of partsOf(one.content)) history.add("user", each.block, each.life);
      return;
    case "system":
    case "developer":
      for (const each of partsOf(one.content)) history.system(textIn(each), each.life);
  }
}

const partsOf = (content: string | readonly Part[]) =>
  typeof content === "string"
    ? [{ block: textBlock(content), life: undefined }]
    : content.map((part) => ({ block: blockOf(part), life: lifeOf(part) }));

function blockOf(part: Part) {
  if (part.type === "image_url") return imageBlock(part.image_url.url);
  return textBlock(part.type === "text" ? part.text : part.refusal);
}

const textIn = ({ block }: { readonly block: ReturnType<typeof blockOf> }): string =>
  block.kind === "text" ? block.text : "";

function lifeOf({ prompt_cache_breakpoint: own, cache_control: control }: Part): Life | undefined {
  if (control) return control.ttl === "1h" ? "hour" : "minutes";
  return own ? "minutes" : undefined;
}

/** Finish reasons. A model that refuses has finished as usual; its refusal stands in a field of its own. */
const finishes = { stop: "stop", length: "length", tool: "tool_calls", refusal: "stop" } as const;

const head = ({ call, model }: Envelope, object: string): JsonObject => ({
  id: `chatcmpl-${call}`,
  object,
  created: 0,
  model,
  system_fingerprint: null,
});

const callsOf = ({ calls }: Reply) =>
  calls.map(({ id, tool, args }) => ({ id, type: "function", function: { name: tool, arguments: args } }));

function whole(reply: Reply, envelope: Envelope): JsonObject {
  const message = {
    role: "assistant",
    content: reply.text,
    refusal: reply.refusal === "" ? null : reply.refusal,
    ...(reply.reasoning === "" ? {} : { reasoning_content: reply.reasoning }),
    ...(reply.calls.length === 0 ? {} : { tool_calls: callsOf(reply) }),
  };
  return {
    ...head(envelope, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishes[reply.finish] }],
    ...(envelope.usage && { usage: envelope.usage.whole }),
  };
}

function frames(reply: Reply, envelope: Envelope): string[] {
  const { usage, usageAtEnd, streamsUsage } = envelope;
  const start = head(envelope, "chat.completion.chunk");
  const chunk = (delta: JsonValue, finish: string | null = null, more: JsonObject = {}): string =>
    dataFrame({ ...start, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...more });
  const calls = callsOf(reply).flatMap(({ function: made, ...one }, index) => [
    chunk({ tool_calls: [{ index, ...one, function: { name: made.name, arguments: "" } }] }),
    ...piecesOf(made.arguments).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  return [
    chunk({ role: "assistant", content: reply.text === null ? null : "", refusal: null }),
    ...piecesOf(reply.reasoning).map((piece) => chunk({ reasoning_content: piece })),
    ...piecesOf(reply.text ?? "").map((piece) => chunk({ content: piece })),
    ...piecesOf(reply.refusal).map((piece) => chunk({ refusal: piece })),
    ...calls,
    chunk({}, finishes[reply.finish], usage && usageAtEnd ? { usage: usage.whole } : {}),
    ...(usage && streamsUsage && !usageAtEnd ? [dataFrame({ ...start, choices: [], usage: usage.whole })] : []),
    "data: [DONE]\n\n",
  ];
}
