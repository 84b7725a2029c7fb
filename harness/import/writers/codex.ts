/** Records as a Codex rollout, as the program writes one: events repeat the texts, a token count ends each reply. */
import type { ChainRecord } from "../../chain/record.ts";
import { type Group, groupsOf, jsonl, writtenTimes } from "./groups.ts";

interface Line {
  readonly type: string;
  readonly payload: object;
}

const item = (payload: object): Line => ({ type: "response_item", payload });
const event = (payload: object): Line => ({ type: "event_msg", payload });

/** JSONL. An output of this format has no error flag: the event before it says how its command ended. */
export function codexRollout(records: readonly ChainRecord[]): string {
  const times = writtenTimes();
  const meta = {
    id: "01990000-0000-7000-8000-000000000001",
    timestamp: times.next(),
    cwd: "/work/project",
    originator: "codex_cli_rs",
    cli_version: "0.155.0",
    source: "cli",
    model_provider: "openai",
  };
  const lines: Line[] = [
    { type: "session_meta", payload: meta },
    { type: "turn_context", payload: { cwd: meta.cwd, model: "gpt-5-codex", approval_policy: "on-request" } },
    ...groupsOf(records).flatMap(groupLines),
  ];
  return jsonl(lines.map((line) => ({ timestamp: times.next(), ...line })));
}

function groupLines(group: Group): Line[] {
  if (group.kind === "result") {
    const ended = event({ type: "exec_command_end", call_id: group.call, exit_code: 1 });
    const output = item({ type: "function_call_output", call_id: group.call, output: group.text });
    return group.error ? [ended, output] : [output];
  }
  const { role, texts, calls } = group;
  if (role === "user") {
    const content = texts.map((text) => ({ type: "input_text", text }));
    return [
      item({ type: "message", role, content }),
      event({ type: "user_message", message: texts.join(""), images: [] }),
    ];
  }
  return [
    ...texts.flatMap((text) => [
      event({ type: "agent_message", message: text }),
      item({ type: "message", role, content: [{ type: "output_text", text }] }),
    ]),
    ...calls.map(({ call, tool, args }) =>
      item({ type: "function_call", name: tool, arguments: JSON.stringify(args), call_id: call }),
    ),
    event({ type: "token_count", info: null }),
  ];
}
