/** Records as the two chat formats. */
import type { ChainRecord } from "../../chain/record.ts";
import { type Group, groupsOf } from "./groups.ts";

/** A document of OpenAI chat messages. The format has no error flag: a failed result is written like any other. */
export function openAiChat(records: readonly ChainRecord[]): string {
  const system = { role: "system", content: "You work on the files of this project." };
  return JSON.stringify({ model: "gpt-5", messages: [system, ...groupsOf(records).map(openAiMessage)] });
}

function openAiMessage(group: Group): object {
  if (group.kind === "result") return { role: "tool", tool_call_id: group.call, content: group.text };
  const { role, texts, calls } = group;
  const [only] = texts;
  const parts = texts.map((text) => ({ type: "text", text }));
  const content = texts.length === 0 ? null : texts.length === 1 ? only : parts;
  const toolCalls = calls.map(({ call, tool, args }) => ({
    id: call,
    type: "function",
    function: { name: tool, arguments: JSON.stringify(args) },
  }));
  return { role, content, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) };
}

/** A document of Anthropic messages. */
export function anthropicMessages(records: readonly ChainRecord[]): string {
  const system = "You work on the files of this project.";
  return JSON.stringify({ model: "claude-sonnet-4-5", system, messages: groupsOf(records).map(anthropicMessage) });
}

function anthropicMessage(group: Group): object {
  if (group.kind === "result") {
    const { call, text, error } = group;
    const content = [{ type: "tool_result", tool_use_id: call, content: text, ...(error && { is_error: true }) }];
    return { role: "user", content };
  }
  const { role, texts, calls } = group;
  const blocks = [
    ...texts.map((text) => ({ type: "text", text })),
    ...calls.map(({ call, tool, args }) => ({ type: "tool_use", id: call, name: tool, input: args })),
  ];
  return { role, content: blocks };
}
