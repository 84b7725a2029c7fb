/** Records as a Claude Code session: a line for each block of a reply, all under one message id, each line the child of the one before. */
import type { ChainRecord } from "../../chain/record.ts";
import { type Group, groupsOf, jsonl, writtenTimes } from "./groups.ts";

/** JSONL. */
export function claudeSession(records: readonly ChainRecord[]): string {
  const times = writtenTimes();
  const uuid = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
  let lines = 0;
  return jsonl(
    groupsOf(records)
      .flatMap(groupLines)
      .map((line) => ({
        parentUuid: lines === 0 ? null : uuid(lines),
        isSidechain: false,
        userType: "external",
        cwd: "/work/project",
        sessionId: "11111111-2222-4333-8444-555555555555",
        version: "2.0.14",
        gitBranch: "main",
        ...line,
        uuid: uuid(++lines),
        timestamp: times.next(),
      })),
  );
}

function groupLines(group: Group, index: number): object[] {
  if (group.kind === "result") {
    const { call, text, error } = group;
    const content = [{ tool_use_id: call, type: "tool_result", content: text, ...(error && { is_error: true }) }];
    return [{ type: "user", message: { role: "user", content } }];
  }
  const { role, texts, calls } = group;
  if (role === "user") {
    const [only] = texts;
    const content = texts.length === 1 && only !== undefined ? only : texts.map((text) => ({ type: "text", text }));
    return [{ type: "user", message: { role, content } }];
  }
  const blocks = [
    ...texts.map((text) => ({ type: "text", text })),
    ...calls.map(({ call, tool, args }) => ({ type: "tool_use", id: call, name: tool, input: args })),
  ];
  const message = { id: `msg_${index}`, type: "message", role, model: "claude-sonnet-4-5" };
  return blocks.map((block) => ({ type: "assistant", message: { ...message, content: [block] } }));
}
