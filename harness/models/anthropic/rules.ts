/** What Anthropic's messages refuse in a body. */
import type { ContentBlockParam, MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";
import type { JsonObject } from "../../json.ts";

/** Cache breakpoints that one request may set. */
const mostBreakpoints = 4;

/** Why the API would refuse a body, message by message; empty for one that it takes. Sizes are not looked at. */
export function anthropicFaults(body: JsonObject): string[] {
  const { messages, tools = [], tool_choice: choice, system } = body as unknown as MessageCreateParamsNonStreaming;
  const faults: string[] = [];
  const used = new Set<string>();
  let open: string[] = [];
  if (messages[0]?.role !== "user") faults.push("the first message is not the user's");
  if (messages.at(-1)?.role !== "user") faults.push("the last message is not the user's");
  if (choice !== undefined && tools.length === 0) faults.push("a tool choice without tools");
  if (blocksOf(system ?? []).some(isBlank)) faults.push("a blank system prompt");
  for (const [at, { role, content }] of messages.entries()) {
    const fault = (text: string): number => faults.push(`message ${at}: ${text}`);
    const blocks = blocksOf(content);
    if (role === messages[at - 1]?.role) fault("the same role as before");
    if (blocks.length === 0 || blocks.some(isBlank)) fault("no content");
    const results = blocks.filter((block) => block.type === "tool_result");
    const answered = results.map(({ tool_use_id: id }) => id);
    if (answered.toSorted().join("\n") !== open.toSorted().join("\n")) fault("results do not match the calls before");
    if (blocks.slice(0, results.length).some(({ type }) => type !== "tool_result")) fault("results are not first");
    const calls = blocks.filter((block) => block.type === "tool_use");
    if (calls.length > 0 && role !== "assistant") fault("calls of the user");
    if (calls.length > 0 && tools.length === 0) fault("calls in a request without tools");
    for (const { id, name } of calls) {
      if (used.has(id)) fault(`call id "${id}" is used twice`);
      if (!/^[\w-]+$/.test(id)) fault(`call id "${id}"`);
      if (!/^[\w-]{1,128}$/.test(name)) fault(`tool name "${name}"`);
      used.add(id);
    }
    open = calls.map(({ id }) => id);
  }
  if (open.length > 0) faults.push(`no results of ${open.join(", ")}`);
  const marks = JSON.stringify(body).split('"cache_control":').length - 1;
  if (marks > mostBreakpoints) faults.push(`${marks} cache breakpoints`);
  return faults;
}

const blocksOf = (content: string | readonly ContentBlockParam[]): readonly ContentBlockParam[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

const isBlank = (block: ContentBlockParam): boolean =>
  (block.type === "text" && block.text.trim() === "") ||
  (block.type === "tool_result" && (typeof block.content !== "string" || block.content.trim() === ""));
