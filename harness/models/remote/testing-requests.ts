/** For tests: requests as the harness sends them, arbitrary and plain. */
import * as fc from "fast-check";
import { type Block, type Message, paired, toMessages } from "../../chain/message.ts";
import { anyRecords, anyText } from "../../chain/testing.ts";
import type { ModelRequest, ToolDefinition } from "../model.ts";

export const readTool: ToolDefinition = {
  name: "read",
  description: "Read a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

export const textBlock = (text: string): Block => ({ kind: "text", text });
export const callBlock = (call: string, path: string): Block => ({ kind: "call", call, tool: "read", args: { path } });
export const say = (role: "user" | "assistant", ...texts: string[]): Message => ({
  id: `${role} ${texts.join()}`,
  role,
  blocks: texts.map(textBlock),
});
export const resultOf = (call: string, text: string, error = false): Message => ({
  id: `result ${call}`,
  role: "tool",
  blocks: [{ kind: "result", call, text, error }],
});

/** A request with the given messages; everything else is plain. */
export const requestOf = (messages: readonly Message[], over: Partial<ModelRequest> = {}): ModelRequest => ({
  purpose: "answer",
  cacheKey: "export/codex",
  system: "You are a coding agent.",
  tools: [readTool],
  toolChoice: "none",
  messages,
  maxOutputTokens: 50,
  ...over,
});

/** Ids as products make them: valid ones, long ones, ones with forbidden characters, and one that looks like a derived one. */
const strangeId = fc.constantFrom("call_1", "toolu_01ABC", "a".repeat(41), "x~2", "call/with|signs", "", "\ud800");

/** Whole pairs with any text, images, reasoning, strange call ids and strange tool names, in any order of roles. */
const anyHistory: fc.Arbitrary<Message[]> = fc
  .tuple(anyRecords, fc.array(fc.tuple(strangeId, anyText, fc.boolean()), { maxLength: 4 }))
  .map(([records, extras]) => {
    const odd = extras.flatMap(([id, text, late], at): Message[] => {
      const call: Block = { kind: "call", call: `${id}${at}`, tool: `mcp.${text}`, args: { [text]: [text, { text }] } };
      const noise: Block[] = [
        { kind: "reasoning", text },
        { kind: "image", mediaType: "image/png", data: "AAAA" },
      ];
      return [
        { id: `odd ${at}`, role: "assistant", blocks: late ? [...noise, call] : [call] },
        resultOf(`${id}${at}`, text, late),
      ];
    });
    return paired([...toMessages(records), ...odd]);
  });

/** A request of any purpose over any such history, with or without tools and with or without a sheet at its end. */
export const anyRequest: fc.Arbitrary<ModelRequest> = fc
  .record({ history: anyHistory, system: anyText, asks: fc.boolean(), tools: fc.boolean(), auto: fc.boolean() })
  .map(({ history, system, asks, tools, auto }) =>
    requestOf(asks ? [...history, say("user", "Which of these?\n- a")] : history, {
      system,
      tools: tools ? [readTool, { ...readTool, name: "edit file" }] : [],
      toolChoice: auto ? "auto" : "none",
    }),
  );
