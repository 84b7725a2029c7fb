/**
 * Anthropic messages, `{"messages":[…]}` or the list alone, as the Messages API takes them.
 *
 * Source: the Anthropic Messages API.
 */
import * as z from "zod";
import { anthropicUsage, contentPieces } from "./anthropic-content.ts";
import { type ChatHead, chatMessages } from "./chat.ts";
import { type Entry, type History, named, skipped, stored } from "./entry.ts";
import { type Findings, foundModel, foundUsage } from "./findings.ts";
import type { Source } from "./source.ts";

const messageSchema = z.object({
  role: z.enum(["user", "assistant"]),
  content: z.union([z.string(), z.array(z.unknown())]),
  model: z.string().optional().catch(undefined),
  usage: z.unknown().optional(),
});

/** One entry a message. There is nothing to leave out for a live history: the format has no compactions. */
export function* readAnthropic(source: Source, _history: History, findings: Findings): Generator<Entry> {
  const head: ChatHead = {};
  let unnamed = 0;
  for (const { place, value } of chatMessages(source, head)) {
    const message = messageSchema.safeParse(value);
    if (!message.success) {
      yield skipped(value === undefined ? "not an object" : named("malformed message of role", value["role"] ?? ""));
      continue;
    }
    const { role, content, model, usage: rawUsage } = message.data;
    if (role === "assistant") {
      if (model === undefined) unnamed++;
      foundModel(findings, model);
      foundUsage(findings, place, anthropicUsage(rawUsage));
    }
    yield stored(place, contentPieces(content, role), place);
  }
  if (unnamed > 0) foundModel(findings, head.model, unnamed);
}
