/**
 * OpenAI's chat completions: what the API would refuse, and what the strictest of the servers that speak its form would
 * (one system message, at its front; no blank text).
 *
 * Sources: the parameters of openai 6.49.0, the provider's reference, and refusals that its clients report (length of call
 * ids, lists and texts).
 */
import type { JsonObject, JsonValue } from "../../json.ts";
import {
  checkParameters,
  checkTexts,
  checkWindow,
  collected,
  isBlank,
  isList,
  type Parameters,
  type Report,
  type Validate,
} from "./findings.ts";
import { isObject } from "../session-shape.ts";
import { checkTools } from "./tools.ts";

/** Names and kinds of all parameters. */
export const chatParameters: Parameters = {
  model: "text",
  messages: "list",
  tools: "list",
  tool_choice: "text or object",
  parallel_tool_calls: "flag",
  max_tokens: "whole number",
  max_completion_tokens: "whole number",
  stream: "flag",
  stream_options: "object",
  reasoning_effort: "text",
  verbosity: "text",
  temperature: "number",
  top_p: "number",
  top_logprobs: "number",
  logprobs: "flag",
  frequency_penalty: "number",
  presence_penalty: "number",
  logit_bias: "object",
  seed: "number",
  stop: "text or list",
  n: "whole number",
  response_format: "object",
  service_tier: "text",
  store: "flag",
  metadata: "object",
  user: "text",
  safety_identifier: "text",
  prompt_cache_key: "text",
  prompt_cache_options: "object",
  prompt_cache_retention: "text",
  modalities: "list",
  audio: "object",
  moderation: "object",
  prediction: "object",
  web_search_options: "object",
};

const limits = { listEntries: 2048, tools: 128, textChars: 10_485_760, callIdChars: 40, cacheKeyChars: 64 } as const;
const functionName = /^[A-Za-z0-9_-]{1,64}$/;

export const validateChat: Validate = collected((body, { windowTokens }, report) => {
  checkParameters(body, chatParameters, ["model", "messages"], report);
  checkTexts(body, "", limits.textChars, report);
  const { model, messages, tools, max_tokens: most, max_completion_tokens: mostToo, prompt_cache_key: key } = body;
  if (model === "") report("model", "is empty");
  if (most !== undefined && mostToo !== undefined) report("max_tokens", "excludes max_completion_tokens");
  if (body["stream_options"] !== undefined && body["stream"] !== true) report("stream_options", "needs stream");
  if (typeof key === "string" && key.length > limits.cacheKeyChars)
    report("prompt_cache_key", `has ${key.length} characters, and ${limits.cacheKeyChars} are the most`);
  checkDefinitions(body, report);
  if (isList(messages)) checkMessages(messages, report);
  checkWindow([messages ?? null, JSON.stringify(tools ?? null)], most ?? mostToo, windowTokens, report);
});

function checkDefinitions(
  { tools, tool_choice: choice, parallel_tool_calls: parallel }: JsonObject,
  report: Report,
): void {
  if (tools === undefined) {
    if (choice !== undefined) report("tool_choice", "needs tools");
    if (parallel !== undefined) report("parallel_tool_calls", "needs tools");
    return;
  }
  if (!isList(tools)) return;
  if (tools.length === 0) report("tools", "is empty");
  const named = tools.map((tool, at) => {
    const definition = isObject(tool) && isObject(tool["function"]) ? tool["function"] : {};
    if (!isObject(tool) || tool["type"] !== "function") report(`tools[${at}].type`, 'is not "function"');
    const path = `tools[${at}].function`;
    const { name, description, parameters } = definition;
    return { path, name, description, schemaPath: `${path}.parameters`, schema: parameters };
  });
  const names = checkTools(named, { name: functionName, notOnTop: [], mostTools: limits.tools }, report);
  if (typeof choice === "string" && !["none", "auto", "required"].includes(choice))
    report("tool_choice", `is "${choice}", which is no choice`);
  const chosen = isObject(choice) && isObject(choice["function"]) ? choice["function"]["name"] : undefined;
  if (chosen !== undefined && !(typeof chosen === "string" && names.has(chosen)))
    report("tool_choice", "names a tool that is not defined");
}

function checkMessages(messages: readonly JsonValue[], report: Report): void {
  if (messages.length > limits.listEntries)
    report("messages", `has ${messages.length} entries, and ${limits.listEntries} are the most`);
  if (!messages.some((message) => isObject(message) && message["role"] !== "system" && message["role"] !== "developer"))
    report("messages", "has no message besides a system prompt");
  const used = new Set<JsonValue>();
  let open = new Set<JsonValue>();
  messages.forEach((message, at) => {
    const path = `messages[${at}]`;
    if (!isObject(message)) return report(path, "is no message");
    const { role } = message;
    if (role !== "tool" && open.size > 0) {
      report(path, `stands where the result of call ${JSON.stringify([...open][0])} has to`);
      open = new Set();
    }
    if (role === "tool") {
      if (!open.delete(message["tool_call_id"] ?? null))
        report(`${path}.tool_call_id`, "answers no call of the message before it");
      checkContent(message["content"], path, report);
    } else if (role === "assistant") open = checkAssistant(message, path, used, report);
    else if (role === "user" || role === "system" || role === "developer") {
      if (role !== "user" && at > 0) report(path, `is a ${role} message, and only the first may be one`);
      checkContent(message["content"], path, report);
    } else report(`${path}.role`, `is ${JSON.stringify(role ?? null)}, which is no role`);
  });
  if (open.size > 0) report("messages", `ends before the result of call ${JSON.stringify([...open][0])}`);
}

/** Gives the calls that the next messages have to answer. */
function checkAssistant(message: JsonObject, path: string, used: Set<JsonValue>, report: Report): Set<JsonValue> {
  const open = new Set<JsonValue>();
  const { content, tool_calls: calls } = message;
  const speaks = content !== undefined && content !== null;
  if (speaks) checkContent(content, path, report);
  else if (calls === undefined) report(path, "has neither content nor calls");
  if (calls === undefined) return open;
  if (!isList(calls) || calls.length === 0) report(`${path}.tool_calls`, "is no list of calls");
  else
    calls.forEach((call, at) => {
      const where = `${path}.tool_calls[${at}]`;
      const id = isObject(call) ? call["id"] : undefined;
      if (typeof id !== "string" || id === "") report(`${where}.id`, "is missing");
      else if (id.length > limits.callIdChars)
        report(`${where}.id`, `has ${id.length} characters, and ${limits.callIdChars} are the most`);
      else if (used.has(id)) report(`${where}.id`, `is "${id}", as that of a call before it`);
      used.add(id ?? null);
      open.add(id ?? null);
      const made = isObject(call) && isObject(call["function"]) ? call["function"] : {};
      if (typeof made["name"] !== "string" || !functionName.test(made["name"]))
        report(`${where}.function.name`, `does not match ${functionName.source}`);
      if (!isJsonObject(made["arguments"])) report(`${where}.function.arguments`, "is no JSON object as a text");
    });
  return open;
}

function isJsonObject(text: JsonValue | undefined): boolean {
  try {
    return typeof text === "string" && isObject(JSON.parse(text) as JsonValue);
  } catch {
    return false;
  }
}

function checkContent(content: JsonValue | undefined, path: string, report: Report): void {
  const at = `${path}.content`;
  if (typeof content === "string") {
    if (isBlank(content)) report(at, "is blank");
  } else if (!isList(content) || content.length === 0) report(at, "is missing");
  else
    content.forEach((part, index) => {
      if (!isObject(part)) return report(`${at}[${index}]`, "is no part");
      const { type, text } = part;
      if (type === "text" ? typeof text !== "string" || isBlank(text) : type !== "image_url" && type !== "refusal")
        report(
          `${at}[${index}]`,
          type === "text" ? "is blank" : `is ${JSON.stringify(type ?? null)}, which is no part`,
        );
    });
}
