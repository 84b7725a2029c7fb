/** OpenAI responses: `POST /v1/responses`, as far as coding agents use them. */
import * as z from "zod";
import type { JsonObject, JsonValue } from "../json.ts";
import { checked, jsonObject, outputLimit } from "./body.ts";
import {
  argsOf,
  checkCalls,
  createHistory,
  type HistoryBuilder,
  imageBlock,
  resultBlock,
  textBlock,
  toolChoiceOf,
  toolOf,
} from "./history.ts";
import { openAiProblem } from "./openai-problem.ts";
import { createdFrame, failedFrame, framesOf, wholeOf } from "./responses-reply.ts";
import type { Decoded, Wire } from "./wire.ts";

const marks = { prompt_cache_breakpoint: z.looseObject({}).nullish() };
const part = z.discriminatedUnion("type", [
  z.looseObject({ type: z.enum(["input_text", "output_text", "text", "summary_text"]), text: z.string(), ...marks }),
  z.looseObject({ type: z.literal("refusal"), refusal: z.string(), ...marks }),
  z.looseObject({ type: z.literal("input_image"), image_url: z.string(), ...marks }),
]);
const content = z.union([z.string(), z.array(part)]);
const said = z.looseObject({
  type: z.literal("message").optional(),
  role: z.enum(["system", "developer", "user", "assistant"]),
  content,
});
const call = z.looseObject({
  type: z.literal("function_call"),
  call_id: z.string().min(1),
  name: z.string().min(1),
  arguments: z.string(),
});
const custom = z.looseObject({
  type: z.literal("custom_tool_call"),
  call_id: z.string().min(1),
  name: z.string().min(1),
  input: z.string(),
});
const output = z.looseObject({
  type: z.enum(["function_call_output", "custom_tool_call_output"]),
  call_id: z.string().min(1),
  output: content,
});
const reasoning = z.looseObject({
  type: z.literal("reasoning"),
  summary: z.array(z.looseObject({ text: z.string() })),
});
const known = z.discriminatedUnion("type", [call, custom, output, reasoning, said.required({ type: true })]);
const knownTypes = new Set([
  "message",
  "function_call",
  "custom_tool_call",
  "function_call_output",
  "custom_tool_call_output",
  "reasoning",
]);
const request = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(jsonObject).min(1)]),
  instructions: z.string().nullish(),
  tools: z.array(z.looseObject({ type: z.string() })).nullish(),
  max_output_tokens: outputLimit,
  stream: z.boolean().nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_options: z.looseObject({ mode: z.enum(["implicit", "explicit"]).nullish() }).nullish(),
});

type Part = z.infer<typeof part>;

export const responsesWire: Wire = {
  route: "responses",
  path: "/responses",
  decode,
  whole: wholeOf,
  frames: framesOf,
  problem: openAiProblem,
  problemFrame: (refusal, call) => failedFrame(refusal, { call, model: "" }),
  overflowFrames: (refusal, envelope) => [createdFrame(envelope), failedFrame(refusal, envelope)],
};

function decode(body: unknown): Decoded {
  const read = checked(request, body);
  const history = createHistory();
  for (const { type, ...fields } of read.tools ?? []) {
    const { parameters, ...more } = fields as { readonly [field: string]: JsonValue };
    history.tool(toolOf(typeof more["name"] === "string" ? more["name"] : type, more, parameters));
  }
  if (read.instructions) history.system(read.instructions);
  if (typeof read.input === "string") history.add("user", textBlock(read.input));
  else read.input.forEach((item, at) => addItem(history, item, at));
  const decoded = history.done();
  checkCalls(decoded.messages);
  return {
    ...decoded,
    toolChoice: toolChoiceOf(read["tool_choice"]),
    model: read.model,
    explicitOnly: read.prompt_cache_options?.mode === "explicit",
    cacheKey: read.prompt_cache_key ?? undefined,
    maxOutputTokens: read.max_output_tokens ?? undefined,
    stream: read.stream ?? false,
    streamsUsage: true,
  };
}

/** Items of one side that follow each other are one message. An item of a kind that is not known counts as text, in full. */
function addItem(history: HistoryBuilder, item: JsonObject, at: number): void {
  const type = item["type"] ?? "message";
  if (typeof type === "string" && !knownTypes.has(type)) return history.add("user", textBlock(JSON.stringify(item)));
  const read = checked(known, { ...item, type }, ["input", at]);
  switch (read.type) {
    case "message":
      for (const { block, life } of partsOf(read.content)) {
        if (read.role === "user" || read.role === "assistant") history.add(read.role, block, life);
        else history.system(block.kind === "text" ? block.text : "", life);
      }
      return;
    case "function_call":
      return history.add("assistant", {
        kind: "call",
        call: read.call_id,
        tool: read.name,
        args: argsOf(read.arguments),
      });
    case "custom_tool_call":
      return history.add("assistant", {
        kind: "call",
        call: read.call_id,
        tool: read.name,
        args: { input: read.input },
      });
    case "reasoning": {
      const text = read.summary.map((one) => one.text).join("\n");
      const sealed = typeof item["encrypted_content"] === "string" ? item["encrypted_content"] : "";
      return history.add("assistant", { kind: "reasoning", text: text === "" ? sealed : text });
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const texts = partsOf(read.output).map(({ block }) => (block.kind === "text" ? block.text : ""));
      return history.add("tool", resultBlock(read.call_id, texts.join("\n")));
    }
  }
}

const partsOf = (content: string | readonly Part[]) =>
  typeof content === "string"
    ? [{ block: textBlock(content), life: undefined }]
    : content.map((part) => ({
        block: blockOf(part),
        life: part.prompt_cache_breakpoint ? ("minutes" as const) : undefined,
      }));

function blockOf(part: Part) {
  if (part.type === "input_image") return imageBlock(part.image_url);
  return textBlock(part.type === "refusal" ? part.refusal : part.text);
}
