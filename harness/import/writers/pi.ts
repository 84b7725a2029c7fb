/** Records as a pi session: a header, then one entry a message, each the child of the one before. */
import type { ChainRecord } from "../../chain/record.ts";
import { type Group, groupsOf, jsonl, writtenTimes } from "./groups.ts";

/** JSONL of version 3. */
export function piSession(records: readonly ChainRecord[]): string {
  const times = writtenTimes();
  const id = (number: number): string => number.toString(16).padStart(8, "0");
  const header = {
    type: "session",
    version: 3,
    id: "22222222-3333-4444-8555-666666666666",
    timestamp: times.next(),
    cwd: "/work/project",
  };
  const entries = groupsOf(records).map((group, index) => ({
    type: "message",
    id: id(index + 1),
    parentId: index === 0 ? null : id(index),
    timestamp: times.next(),
    message: messageOf(group),
  }));
  return jsonl([header, ...entries]);
}

function messageOf(group: Group): object {
  if (group.kind === "result")
    return {
      role: "toolResult",
      toolCallId: group.call,
      content: [{ type: "text", text: group.text }],
      isError: group.error,
    };
  const texts = group.texts.map((text) => ({ type: "text", text }));
  if (group.role === "user") return { role: "user", content: texts };
  const calls = group.calls.map(({ call, tool, args }) => ({
    type: "toolCall",
    id: call,
    name: tool,
    arguments: args,
  }));
  return {
    role: "assistant",
    content: [...texts, ...calls],
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    stopReason: "stop",
  };
}
