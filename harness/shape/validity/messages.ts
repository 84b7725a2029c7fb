/**
 * Anthropic's messages: what the API would refuse, and what the strictest servers that speak its form would (roles that do
 * not alternate).
 *
 * Sources: the parameters of @anthropic-ai/sdk 1.15.0 and the provider's pages on messages, tool use, prompt caching and
 * request limits.
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
import { isObject, shown } from "../session-shape.ts";
import { checkTools } from "./tools.ts";

/** Names and kinds of all parameters. */
export const messagesParameters: Parameters = {
  model: "text",
  messages: "list",
  max_tokens: "whole number",
  system: "text or list",
  tools: "list",
  tool_choice: "object",
  thinking: "object",
  output_config: "object",
  stream: "flag",
  temperature: "number",
  top_p: "number",
  top_k: "number",
  stop_sequences: "list",
  cache_control: "object",
  metadata: "object",
  container: "text or object",
  context_management: "object",
  diagnostics: "object",
  inference_geo: "text",
  mcp_servers: "list",
  service_tier: "text",
  speed: "text",
  user_profile_id: "text",
  workspace_id: "text",
};

const limits = { bytes: 32_000_000, messages: 100_000, breakpoints: 4 } as const;
const toolName = /^[A-Za-z0-9_-]{1,128}$/;
const callId = /^[A-Za-z0-9_-]+$/;
const toolRules = {
  name: toolName,
  argument: /^[A-Za-z0-9_.-]{1,64}$/,
  notOnTop: ["anyOf", "oneOf", "allOf"],
  mostTools: Infinity,
};

export const validateMessages: Validate = collected((body, { bytes, windowTokens }, report) => {
  checkParameters(body, messagesParameters, ["model", "messages", "max_tokens"], report);
  checkTexts(body, "", Infinity, report);
  if (bytes > limits.bytes) report("", `has ${bytes} bytes, and ${limits.bytes} are the most`);
  const { model, messages, system, tools, max_tokens: most, thinking } = body;
  if (model === "") report("model", "is empty");
  if (system === "") report("system", "is empty");
  if (isList(system)) system.forEach((block, at) => checkText(block, `system[${at}]`, report));
  checkDefinitions(body, report);
  if (isList(messages)) checkTurns(messages, tools !== undefined, report);
  const budget = isObject(thinking) ? thinking["budget_tokens"] : undefined;
  if (typeof budget === "number" && typeof most === "number" && budget >= most)
    report("thinking.budget_tokens", `is ${budget}, and has to be below max_tokens`);
  checkBreakpoints(body, report);
  checkWindow([messages ?? null, system ?? null, JSON.stringify(tools ?? null)], most, windowTokens, report);
});

function checkDefinitions({ tools, tool_choice: choice }: JsonObject, report: Report): void {
  if (tools === undefined) {
    if (choice !== undefined) report("tool_choice", "needs tools");
    return;
  }
  if (!isList(tools)) return;
  const named = tools.map((tool, at) => {
    const { name, description, input_schema: schema } = isObject(tool) ? tool : {};
    return { path: `tools[${at}]`, name, description, schemaPath: `tools[${at}].input_schema`, schema };
  });
  const names = checkTools(named, toolRules, report);
  if (!isObject(choice)) return;
  const { type, name } = choice;
  if (!["auto", "any", "tool", "none"].includes(shown(type)))
    report("tool_choice.type", `is ${JSON.stringify(type ?? null)}, which is no choice`);
  if (type === "tool" && !(typeof name === "string" && names.has(name)))
    report("tool_choice.name", "names a tool that is not defined");
}

function checkTurns(messages: readonly JsonValue[], hasTools: boolean, report: Report): void {
  if (messages.length === 0) report("messages", "is empty");
  if (messages.length > limits.messages)
    report("messages", `has ${messages.length} entries, and ${limits.messages} are the most`);
  const used = new Set<string>();
  let open = new Set<string>();
  let before: JsonValue | undefined = "assistant";
  messages.forEach((message, at) => {
    const path = `messages[${at}]`;
    if (!isObject(message)) return report(path, "is no message");
    const { role, content } = message;
    if (role !== "user" && role !== "assistant")
      report(`${path}.role`, `is ${JSON.stringify(role ?? null)}, which is no role`);
    else if (role === before)
      report(
        `${path}.role`,
        at === 0 ? "is assistant, and the first message is the user's" : `is ${role}, as that of the message before it`,
      );
    before = role;
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const where =
      typeof content === "string"
        ? (): string => `${path}.content`
        : (index: number): string => `${path}.content[${index}]`;
    if (!isList(blocks) || blocks.length === 0) report(`${path}.content`, "is missing");
    const asked = open;
    open = new Set();
    let spoken = false;
    (isList(blocks) ? blocks : []).forEach((block, index) => {
      const place = where(index);
      const type = isObject(block) ? block["type"] : undefined;
      if (type === "tool_result" && isObject(block)) {
        if (spoken) report(place, "is a result behind other content; results come first");
        if (role !== "user") report(place, "is a result in a message that is not the user's");
        checkResult(block, place, asked, report);
      } else spoken = true;
      if (type === "tool_use" && isObject(block)) {
        if (role !== "assistant") report(place, "is a call in a message that is not the assistant's");
        if (!hasTools) report(place, "is a call, and the request defines no tools");
        checkCall(block, place, used, open, report);
      } else if (type === "text") checkText(block, place, report);
      else if (!["tool_result", "image", "document", "thinking", "redacted_thinking"].includes(shown(type)))
        report(place, `is ${JSON.stringify(type ?? null)}, which is no block`);
    });
    for (const id of asked) report(path, `stands where the result of call "${id}" has to`);
  });
  for (const id of open) report("messages", `ends before the result of call "${id}"`);
  if (before === "assistant" && messages.length > 0) report("messages", "ends with the assistant");
}

function checkText(block: JsonValue, path: string, report: Report): void {
  const text = isObject(block) ? block["text"] : undefined;
  if (typeof text !== "string") report(path, "is no text block");
  else if (isBlank(text)) report(`${path}.text`, "is blank");
}

function checkCall(block: JsonObject, path: string, used: Set<string>, open: Set<string>, report: Report): void {
  const { id, name, input } = block;
  if (typeof id !== "string" || !callId.test(id)) report(`${path}.id`, `does not match ${callId.source}`);
  else if (used.has(id)) report(`${path}.id`, `is "${id}", as that of a call before it`);
  if (typeof id === "string") {
    used.add(id);
    open.add(id);
  }
  if (typeof name !== "string" || !toolName.test(name)) report(`${path}.name`, `does not match ${toolName.source}`);
  if (!isObject(input)) report(`${path}.input`, "is no object");
}

function checkResult(block: JsonObject, path: string, asked: Set<string>, report: Report): void {
  const { tool_use_id: id, content } = block;
  if (typeof id !== "string" || !asked.delete(id))
    report(`${path}.tool_use_id`, "answers no call of the message before it");
  if (typeof content === "string" && isBlank(content)) report(`${path}.content`, "is blank");
  if (isList(content))
    content.forEach((part, at) => {
      if (isObject(part) && part["type"] === "text") checkText(part, `${path}.content[${at}]`, report);
    });
}

/** At most four breakpoints, and the ones that are kept for an hour before the others. */
function checkBreakpoints(body: JsonObject, report: Report): void {
  const found: { readonly path: string; readonly ttl: string }[] = [];
  const look = (value: JsonValue | undefined, path: string, deep: boolean): void => {
    if (isList(value)) value.forEach((item, at) => look(item, `${path}[${at}]`, deep));
    else if (isObject(value)) {
      const mark = value["cache_control"];
      if (deep) look(value["content"], `${path}.content`, deep);
      if (!isObject(mark)) return;
      const ttl = mark["ttl"] ?? "5m";
      if (mark["type"] !== "ephemeral" || (ttl !== "5m" && ttl !== "1h"))
        report(`${path}.cache_control`, "is no breakpoint of five minutes or an hour");
      if (value["type"] === "thinking") report(`${path}.cache_control`, "stands on thinking");
      found.push({ path, ttl: shown(ttl) });
    }
  };
  look(body["tools"], "tools", false);
  look(body["system"], "system", false);
  look(body["messages"], "messages", true);
  look(body["cache_control"] === undefined ? [] : [{ cache_control: body["cache_control"] }], "body", false);
  if (found.length > limits.breakpoints)
    report(
      `${found[limits.breakpoints]?.path ?? ""}.cache_control`,
      `is breakpoint ${limits.breakpoints + 1}, and ${limits.breakpoints} are the most`,
    );
  const late = found.find(({ ttl }, at) => ttl === "1h" && found.slice(0, at).some((earlier) => earlier.ttl === "5m"));
  if (late !== undefined) report(`${late.path}.cache_control`, "is kept for an hour behind one of five minutes");
}
