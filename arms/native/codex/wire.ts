/** The Responses API as far as Codex speaks it: answers of its endpoint, and history as items of a request. */
import type { Block, Message } from "../../../harness/chain/message.ts";
import type { JsonObject } from "../../../harness/json.ts";
import { beginStream, type Wire } from "../endpoint.ts";
import { objectAt, objectsAt, textAt } from "../json-text.ts";

export const responsesPath = "/v1/responses";

/** Streams an answer as events of a response. */
export const responses: Wire = (response, answer, number) => {
  const id = `resp_${number}`;
  const send = (event: JsonObject): void =>
    void response.write(`event: ${textAt(event, "type")}\ndata: ${JSON.stringify(event)}\n\n`);
  beginStream(response);
  send({ type: "response.created", response: { id, object: "response", status: "in_progress", output: [] } });
  if (answer.kind !== "text") {
    const error =
      answer.kind === "overflow"
        ? { code: "context_length_exceeded", message: "The input is longer than the window." }
        : { code: "invalid_prompt", message: "The model refused." };
    send({ type: "response.failed", response: { id, object: "response", status: "failed", error } });
    response.end();
    return;
  }
  const content = [{ type: "output_text", text: answer.text }];
  const item: JsonObject = { type: "message", role: "assistant", id: `msg_${number}`, content };
  send({ type: "response.output_item.done", output_index: 0, item });
  const used = answer.usedTokens ?? 2;
  const usage = {
    input_tokens: used - 1,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: used,
  };
  send({ type: "response.completed", response: { id, object: "response", status: "completed", usage } });
  response.end();
};

/** Messages as items of a request's input, as they are injected and as they are compared. */
export const inputItems = (messages: readonly Message[]): JsonObject[] => messages.flatMap(messageItems);

function messageItems({ role, blocks }: Message): JsonObject[] {
  const items: JsonObject[] = [];
  let content: JsonObject[] = [];
  const close = (): void => {
    if (content.length > 0) items.push({ type: "message", role, content });
    content = [];
  };
  for (const block of blocks) {
    switch (block.kind) {
      case "text":
        content.push({ type: role === "user" ? "input_text" : "output_text", text: block.text });
        break;
      case "image":
        content.push({
          type: "input_image",
          image_url: `data:${block.mediaType};base64,${block.data}`,
          detail: "auto",
        });
        break;
      case "call":
        close();
        items.push({
          type: "function_call",
          name: block.tool,
          arguments: JSON.stringify(block.args),
          call_id: block.call,
        });
        break;
      case "result":
        close();
        items.push({ type: "function_call_output", call_id: block.call, output: block.text });
        break;
      case "reasoning":
        close();
        items.push({
          type: "reasoning",
          summary: [{ type: "summary_text", text: block.text }],
          encrypted_content: null,
        });
        break;
    }
  }
  close();
  return items;
}

/** An item as the program sent it, without what it numbers and times. */
export function plainItem(item: JsonObject): JsonObject {
  const {
    id: _id,
    status: _status,
    internal_chat_message_metadata_passthrough: _metadata,
    phase: _phase,
    ...plain
  } = item;
  return plain;
}

/** The items of a request's history, as plain ones. */
export const inputOf = (body: JsonObject): JsonObject[] => objectsAt(body, "input").map(plainItem);

const isInstruction = ({ role }: JsonObject): boolean => role === "developer" || role === "system";

/** The items of the session's own history: later releases put the instructions before them, as a message. */
export const historyOf = (body: JsonObject): JsonObject[] => inputOf(body).filter((item) => !isInstruction(item));

/** The system text of a request, wherever the release puts it. */
export const instructionsOf = (body: JsonObject): string =>
  [textAt(body, "instructions"), ...inputOf(body).filter(isInstruction).map(itemText)]
    .filter((text) => text !== "")
    .join("\n\n");

const itemText = (item: JsonObject): string =>
  objectsAt(item, "content")
    .map((part) => textAt(part, "text"))
    .join("");

/** Whether a request asks for a summary: the program says so in its turn metadata. */
export function asksForSummary(body: JsonObject): boolean {
  const metadata = textAt(objectAt(body, "client_metadata"), "x-codex-turn-metadata");
  return metadata !== "" && textAt(JSON.parse(metadata) as JsonObject, "request_kind") === "compaction";
}

/**
 * Items of a request's input as messages: a call belongs to the assistant's message right before it. `prefix` starts
 * their ids.
 */
export function messagesOfInput(items: readonly JsonObject[], prefix: string): Message[] {
  const messages: Message[] = [];
  const add = (role: Message["role"], blocks: readonly Block[]): void => {
    const last = messages.at(-1);
    if (role === "assistant" && last?.role === "assistant" && blocks.every(({ kind }) => kind === "call"))
      messages[messages.length - 1] = { ...last, blocks: [...last.blocks, ...blocks] };
    else messages.push({ id: `${prefix}/${messages.length}`, role, blocks });
  };
  for (const item of items) {
    const call = textAt(item, "call_id");
    switch (textAt(item, "type")) {
      case "message":
        add(item["role"] === "assistant" ? "assistant" : "user", objectsAt(item, "content").map(contentBlock));
        break;
      case "function_call":
        add("assistant", [
          { kind: "call", call, tool: textAt(item, "name"), args: JSON.parse(textAt(item, "arguments")) as JsonObject },
        ]);
        break;
      case "function_call_output":
        add("tool", [{ kind: "result", call, text: textAt(item, "output"), error: false }]);
        break;
      case "reasoning":
        add(
          "assistant",
          objectsAt(item, "summary").map((part) => ({ kind: "reasoning", text: textAt(part, "text") })),
        );
        break;
    }
  }
  return messages;
}

function contentBlock(part: JsonObject): Block {
  const data = /^data:([^;]+);base64,(.*)$/s.exec(textAt(part, "image_url"));
  if (data !== null) return { kind: "image", mediaType: data[1] ?? "", data: data[2] ?? "" };
  return { kind: "text", text: textAt(part, "text") };
}
