/** A chat completion, whole or in chunks, as a reply. */
import * as z from "zod";
import type { JsonValue } from "../../json.ts";
import type { ModelReply } from "../model.ts";
import { UnusableReply } from "../remote/faults.ts";
import { problemOf } from "../remote/problem.ts";
import { openAiUsage } from "../remote/usage.ts";

const text = z.string().nullish();
/** A message, or the delta of one. Reasoning has two names among the servers that show it. */
const partSchema = z.object({
  content: text,
  refusal: text,
  reasoning_content: text,
  reasoning: text,
  tool_calls: z
    .array(
      z.object({ index: z.int().nullish(), id: text, function: z.object({ name: text, arguments: text }).nullish() }),
    )
    .nullish(),
});
const schema = z.object({
  choices: z
    .array(z.object({ message: partSchema.nullish(), delta: partSchema.nullish(), finish_reason: text }))
    .nullish(),
  usage: z.unknown().optional(),
  error: z.unknown().optional(),
});

export interface Collector {
  /** Takes one chunk, or a whole completion. Throws UnusableReply for one that is none. */
  take(chunk: unknown): void;
  /** The reply. Throws UnusableReply where it has no end. */
  reply(): ModelReply;
}

/**
 * Collects one reply. Usage is the last one that a chunk carries; where none does, it stays missing. A refusal's words are
 * the text of a reply that has no other.
 */
export function collector(): Collector {
  let content = "";
  let refusal = "";
  let reasoningChars: number | undefined;
  let finish: string | undefined;
  let rawUsage: JsonValue | undefined;
  const calls = new Map<number, { id: string; tool: string; args: string }>();

  const takePart = (part: z.infer<typeof partSchema>): void => {
    content += part.content ?? "";
    refusal += part.refusal ?? "";
    const reasoning = part.reasoning_content ?? part.reasoning;
    if (typeof reasoning === "string") reasoningChars = (reasoningChars ?? 0) + reasoning.length;
    for (const [at, { index, id, function: called }] of (part.tool_calls ?? []).entries()) {
      const call = calls.get(index ?? at) ?? { id: "", tool: "", args: "" };
      calls.set(index ?? at, {
        id: call.id === "" ? (id ?? "") : call.id,
        tool: call.tool + (called?.name ?? ""),
        args: call.args + (called?.arguments ?? ""),
      });
    }
  };

  return {
    take: (chunk) => {
      const parsed = schema.safeParse(chunk);
      if (!parsed.success) throw new UnusableReply("the reply is no chat completion");
      const { choices, usage, error } = parsed.data;
      if (error !== undefined && error !== null)
        throw new UnusableReply("an error in the reply", problemOf(undefined, { error }));
      const choice = choices?.[0];
      if (choice?.message) takePart(choice.message);
      if (choice?.delta) takePart(choice.delta);
      finish = choice?.finish_reason ?? finish;
      if (usage !== undefined && usage !== null) rawUsage = usage as JsonValue;
    },
    reply: () => {
      if (finish === undefined) throw new UnusableReply("the reply ended without a finish reason");
      if (abandoned.has(finish)) throw new UnusableReply(`the model gave up with finish reason "${finish}"`);
      const made = [...calls.values()].map(({ id, tool, args }) => ({ id, tool, args: parsedArgs(args) }));
      const usage = openAiUsage(rawUsage);
      return {
        text: content === "" ? refusal : content,
        calls: made,
        finish: refusal === "" ? finishOf(finish, made.length) : "refusal",
        ...(usage === undefined ? {} : { usage }),
        ...(reasoningChars === undefined ? {} : { reasoningChars }),
        ...(rawUsage === undefined ? {} : { rawUsage }),
      };
    },
  };
}

/** Finish reasons of a server that stopped for its own sake. */
const abandoned = new Set(["error", "insufficient_system_resource", "abort"]);

/** Servers that stop after a call with `stop` mean the call. A reason that is not known is an ordinary end. */
function finishOf(reason: string, calls: number): ModelReply["finish"] {
  if (reason === "length" || reason === "model_length") return "length";
  if (reason === "content_filter") return "refusal";
  return calls > 0 || reason === "tool_calls" || reason === "function_call" ? "tool" : "stop";
}

/** Arguments as JSON, or their text where they are none. */
function parsedArgs(args: string): JsonValue {
  try {
    return JSON.parse(args) as JsonValue;
  } catch {
    return args;
  }
}
