/** Collects what a wire form says into neutral messages. */
import type { Block, Message, ResultBlock, TextBlock } from "../chain/message.ts";
import type { JsonObject } from "../json.ts";
import type { ModelRequest, ToolDefinition } from "../models/model.ts";
import type { Life } from "../shape/cache-rules.ts";
import { type Decoded, Refusal } from "./wire.ts";

export interface HistoryBuilder {
  tool(tool: ToolDefinition, breakpoint?: Life): void;
  /** A system text. Before any message it belongs to the system prompt; after one it is read as the user's. */
  system(text: string, breakpoint?: Life): void;
  /**
   * A block of the next message. Every text of a user is a message of its own, so that a sheet or an instruction that was
   * merged into a message before it is found as it was; so is every tool result. Blocks of an assistant stay together.
   */
  add(role: Message["role"], block: Block, breakpoint?: Life): void;
  /** What follows belongs to another message. */
  close(): void;
  done(): Pick<Decoded, "tools" | "system" | "messages" | "breakpoints">;
}

type Open = { readonly id: string; readonly role: Message["role"]; readonly blocks: Block[] };

export function createHistory(): HistoryBuilder {
  const tools: ToolDefinition[] = [];
  const system: TextBlock[] = [];
  const messages: Open[] = [];
  const breakpoints = new Map<ToolDefinition | Block, Life>();
  let open: Open | undefined;
  const mark = (what: ToolDefinition | Block, life: Life | undefined): void => {
    if (life !== undefined) breakpoints.set(what, life);
  };
  const add: HistoryBuilder["add"] = (role, block, life) => {
    const starts = open?.role !== role || block.kind === "result" || (role === "user" && block.kind === "text");
    if (starts || open === undefined) messages.push((open = { id: `m${messages.length}`, role, blocks: [] }));
    open.blocks.push(block);
    mark(block, life);
  };
  return {
    tool: (tool, life) => {
      tools.push(tool);
      mark(tool, life);
    },
    system: (text, life) => {
      const block = textBlock(text);
      if (messages.length > 0) add("user", block, life);
      else {
        system.push(block);
        mark(block, life);
      }
    },
    add,
    close: () => (open = undefined),
    done: () => ({ tools, system, messages, breakpoints }),
  };
}

export const textBlock = (text: string): TextBlock => ({ kind: "text", text });
export const resultBlock = (call: string, text: string, error = false): ResultBlock => ({
  kind: "result",
  call,
  text,
  error,
});

/** A tool as the neutral form has it, further fields kept behind: they are part of what is compared. */
export function toolOf(name: string, fields: JsonObject, parameters: unknown): ToolDefinition {
  const { name: _name, description, ...more } = fields;
  return {
    name,
    description: typeof description === "string" ? description : "",
    parameters: (parameters ?? { type: "object" }) as JsonObject,
    ...more,
  };
}

/** A tool choice in any of the three forms; one that names a tool forces a call. Without one the model chooses. */
export function toolChoiceOf(choice: unknown): ModelRequest["toolChoice"] {
  const name: unknown = typeof choice === "object" && choice !== null && "type" in choice ? choice.type : choice;
  if (name === undefined || name === null || name === "auto") return "auto";
  return name === "none" ? "none" : "required";
}

/** Arguments as the neutral form has them; a text that is no JSON object is kept whole under `arguments`. */
export function argsOf(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Kept whole below.
  }
  return { arguments: json };
}

/** An image from a `data:` URL; one from elsewhere is kept by its address. */
export function imageBlock(url: string): Block {
  const [, mediaType = "image/*", data = url] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return { kind: "image", mediaType, data };
}

/** Throws Refusal unless every call has one result somewhere and every result a call before it. */
export function checkCalls(messages: readonly Message[]): void {
  const open = new Set<string>();
  for (const { blocks } of messages)
    for (const block of blocks) {
      if (block.kind === "call") open.add(block.call);
      if (block.kind === "result" && !open.delete(block.call))
        throw new Refusal(400, `No call was found for the output of "${block.call}".`, { param: "input" });
    }
  const [missing] = open;
  if (missing !== undefined)
    throw new Refusal(400, `No output was found for the call "${missing}".`, { param: "input" });
}
