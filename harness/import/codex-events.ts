/** What the lines beside a Codex rollout's response items tell: which calls failed, and what the replies cost. */
import * as z from "zod";
import { type Findings, foundUsage, type ReplyUsage, tokenCount } from "./findings.ts";
import { isObject } from "./json-value.ts";

const usageSchema = z.object({
  input_tokens: tokenCount,
  cached_input_tokens: tokenCount,
  cache_write_input_tokens: tokenCount,
  output_tokens: tokenCount,
});
export const usageRecordSchema = z.object({
  response_id: z.string().optional().catch(undefined),
  usage: usageSchema.optional().catch(undefined),
});
const itemSchema = z.object({
  type: z.string().optional().catch(undefined),
  id: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
  exit_code: z.number().optional().catch(undefined),
});
export const eventSchema = z.object({
  type: z.string(),
  call_id: z.string().optional().catch(undefined),
  exit_code: z.number().optional().catch(undefined),
  success: z.boolean().optional().catch(undefined),
  result: z.unknown().optional(),
  /** What newer releases tell of an item at once, whatever its kind. */
  item: itemSchema.optional().catch(undefined),
  info: z
    .object({ total_token_usage: usageSchema.optional().catch(undefined) })
    .nullish()
    .catch(undefined),
});
const repeating = new Set(["user_message", "agent_message", "agent_reasoning", "agent_reasoning_raw_content"]);
const repeatingItems = new Set(["UserMessage", "AgentMessage", "Reasoning"]);

/** Id of the call that an event says has failed; the outputs of this wire format cannot say so. */
export function failedCall({
  call_id: id,
  exit_code: exit,
  success,
  result,
  item,
}: z.infer<typeof eventSchema>): string | undefined {
  if ((exit !== undefined && exit !== 0) || success === false || (isObject(result) && "Err" in result)) return id;
  if (item === undefined || repeatingItems.has(item.type ?? "")) return undefined;
  return item.status === "failed" || (item.exit_code !== undefined && item.exit_code !== 0) ? item.id : undefined;
}

/** Whether an event says again what a response item says. */
export const repeatsItem = ({ type, item }: z.infer<typeof eventSchema>): boolean =>
  repeating.has(type) || repeatingItems.has(item?.type ?? "");

type CodexUsage = z.infer<typeof usageSchema> | undefined;

/** Newer releases record the usage of each reply; older ones repeat the session's total, and the last total counts. */
export function usageKeeper(findings: Findings) {
  let perReply = false;
  let totals = 0;
  let lastTotal = "";
  return {
    ofReply(id: string, usage: CodexUsage): void {
      if (!perReply) findings.usage = undefined;
      perReply = true;
      if (usage !== undefined) foundUsage(findings, id, disjoint(usage));
    },
    ofSession(total: CodexUsage): void {
      if (perReply || total === undefined) return;
      if (JSON.stringify(total) !== lastTotal) totals++;
      lastTotal = JSON.stringify(total);
      foundUsage(findings, "session", { ...disjoint(total), replies: totals });
    },
  };
}

/** Cached tokens are inside the input count here. */
function disjoint(usage: NonNullable<CodexUsage>): ReplyUsage {
  const {
    input_tokens: input,
    cached_input_tokens: read,
    cache_write_input_tokens: write,
    output_tokens: output,
  } = usage;
  const cached = (read ?? 0) + (write ?? 0);
  return {
    freshInputTokens: input !== undefined && cached <= input ? input - cached : input,
    cacheReadTokens: read,
    cacheWriteTokens: write,
    outputTokens: output,
  };
}
