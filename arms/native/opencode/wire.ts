/** Chat completions as far as OpenCode speaks them: answers of its endpoint, and a history as messages of a request. */
import type { ProjectedMessage } from "../../../harness/arm.ts";
import type { Block, Message } from "../../../harness/chain/message.ts";
import type { JsonObject } from "../../../harness/json.ts";
import { beginStream, type Wire } from "../endpoint.ts";
import { objectAt, objectsAt, textAt } from "../json-text.ts";

export const chatPath = "/v1/chat/completions";

/** Streams an answer as chunks of a completion, or refuses it as too long. */
export const chat: Wire = (response, answer, number) => {
  if (answer.kind !== "text") {
    const error =
      answer.kind === "overflow"
        ? { message: "The input is longer than the window.", code: "context_length_exceeded" }
        : { message: "The model refused.", code: "refused" };
    const body = JSON.stringify({ error: { type: "invalid_request_error", ...error } });
    if (response.headersSent) response.end(`data: ${body}\n\n`);
    else response.writeHead(400, { "content-type": "application/json" }).end(body);
    return;
  }
  beginStream(response);
  const send = (chunk: JsonObject): void =>
    void response.write(
      `data: ${JSON.stringify({ id: `chatcmpl-${number}`, created: 1_700_000_000, model: "mock", object: "chat.completion.chunk", ...chunk })}\n\n`,
    );
  const delta = { role: "assistant", content: answer.text };
  send({ choices: [{ index: 0, delta, finish_reason: null }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  const used = answer.usedTokens ?? 2;
  send({ choices: [], usage: { prompt_tokens: used - 1, completion_tokens: 1, total_tokens: used } });
  response.end("data: [DONE]\n\n");
};

/**
 * A projection as messages of a request. What the program stores as one step is one message there: assistant messages that
 * are neighbours in the journal.
 */
export function chatMessages(projection: readonly ProjectedMessage[], journal: readonly Message[]): JsonObject[] {
  const stepOf = steps(journal);
  const messages: JsonObject[] = [];
  let open: { readonly step: number; readonly index: number; readonly blocks: Block[] } | undefined;
  for (const { message } of projection) {
    const { role, blocks } = message;
    if (role === "user") messages.push({ role, content: userContent(blocks) });
    else if (role === "tool") messages.push(...blocks.flatMap(toolMessage));
    else {
      const step = stepOf.get(message.id);
      if (step === undefined || step !== open?.step) {
        open = step === undefined ? undefined : { step, index: messages.length, blocks: [...blocks] };
        messages.push(assistant(blocks));
      } else {
        open.blocks.push(...blocks);
        messages[open.index] = assistant(open.blocks);
      }
    }
  }
  return messages;
}

/** The step of every assistant message, by its id. */
function steps(journal: readonly Message[]): Map<string, number> {
  const stepOf = new Map<string, number>();
  let step = 0;
  for (const { id, role } of journal)
    if (role === "assistant") stepOf.set(id, step);
    else step++;
  return stepOf;
}

const toolMessage = (block: Block): JsonObject[] =>
  block.kind === "result" ? [{ role: "tool", tool_call_id: block.call, content: block.text.toWellFormed() }] : [];

function assistant(blocks: readonly Block[]): JsonObject {
  const said = blocks
    .flatMap((block) => (block.kind === "text" ? [block.text] : []))
    .join("")
    .toWellFormed();
  const thought = blocks
    .flatMap((block) => (block.kind === "reasoning" ? [block.text] : []))
    .join("")
    .toWellFormed();
  const calls = blocks.flatMap((block) =>
    block.kind === "call"
      ? [{ id: block.call, type: "function", function: { name: block.tool, arguments: JSON.stringify(block.args) } }]
      : [],
  );
  return {
    role: "assistant",
    content: said,
    ...(thought === "" ? {} : { reasoning_content: thought }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

function userContent(blocks: readonly Block[]): string | JsonObject[] {
  const parts = blocks.map((block): JsonObject =>
    block.kind === "image"
      ? { type: "image_url", image_url: { url: `data:${block.mediaType};base64,${block.data}` } }
      : { type: "text", text: block.kind === "text" ? block.text.toWellFormed() : "" },
  );
  const only = parts[0];
  return parts.length === 1 && only?.["type"] === "text" ? textAt(only, "text") : parts;
}

/** Whether a request asks for a summary: it is the only one without tools. */
export const asksForSummary = (body: JsonObject): boolean => body["tools"] === undefined;

/** A message of a request as one of ours. */
export function messageOfChat(item: JsonObject, id: string): Message {
  const said: Block[] =
    typeof item["content"] === "string"
      ? [{ kind: "text", text: item["content"] }]
      : objectsAt(item, "content").map(contentBlock);
  if (item["role"] === "tool")
    return {
      id,
      role: "tool",
      blocks: [{ kind: "result", call: textAt(item, "tool_call_id"), text: textAt(item, "content"), error: false }],
    };
  if (item["role"] !== "assistant") return { id, role: "user", blocks: said };
  const thought = textAt(item, "reasoning_content");
  const calls = objectsAt(item, "tool_calls").map((one): Block => {
    const called = objectAt(one, "function");
    const args = JSON.parse(textAt(called, "arguments")) as JsonObject;
    return { kind: "call", call: textAt(one, "id"), tool: textAt(called, "name"), args };
  });
  const silent = calls.length > 0 || thought !== "";
  return {
    id,
    role: "assistant",
    blocks: [
      ...(thought === "" ? [] : [{ kind: "reasoning" as const, text: thought }]),
      ...(silent && item["content"] === "" ? [] : said),
      ...calls,
    ],
  };
}

function contentBlock(part: JsonObject): Block {
  const data = /^data:([^;]+);base64,(.*)$/s.exec(textAt(objectAt(part, "image_url"), "url"));
  if (data !== null) return { kind: "image", mediaType: data[1] ?? "", data: data[2] ?? "" };
  return { kind: "text", text: textAt(part, "text") };
}
