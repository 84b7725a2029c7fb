/** What OpenAI's chat completions refuse in a body. */
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { JsonObject } from "../../json.ts";

/** Why the API would refuse a body, message by message; empty for one that it takes. Sizes are not looked at. */
export function openAiFaults(body: JsonObject): string[] {
  const { messages, tools, tool_choice: choice } = body as unknown as ChatCompletionCreateParamsNonStreaming;
  const faults: string[] = [];
  const used = new Set<string>();
  let open = new Set<string>();
  if (!messages.some(({ role }) => role !== "system")) faults.push("no message");
  if (choice !== undefined && (tools ?? []).length === 0) faults.push("a tool choice without tools");
  for (const [at, message] of messages.entries()) {
    const fault = (text: string): number => faults.push(`message ${at}: ${text}`);
    const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
    if (isBlank(message) && calls.length === 0) fault("no content");
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id)) fault(`result of "${message.tool_call_id}", which is not open`);
      continue;
    }
    if (open.size > 0) fault(`before the results of ${[...open].join(", ")}`);
    for (const call of calls) {
      if (call.type !== "function") continue;
      if (used.has(call.id)) fault(`call id "${call.id}" is used twice`);
      if (!/^[\w-]{1,40}$/.test(call.id)) fault(`call id "${call.id}"`);
      if (!/^[\w-]{1,64}$/.test(call.function.name)) fault(`tool name "${call.function.name}"`);
      used.add(call.id);
    }
    open = new Set(calls.map(({ id }) => id));
  }
  if (open.size > 0) faults.push(`no results of ${[...open].join(", ")}`);
  return faults;
}

function isBlank({ content }: ChatCompletionMessageParam): boolean {
  if (typeof content === "string") return content.trim() === "";
  return !(content ?? []).some((part) => part.type !== "text" || part.text.trim() !== "");
}
