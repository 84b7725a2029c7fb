/** What a line of Claude Code's JSONL says about itself: its place in the tree of lines, and what it holds. */
import * as z from "zod";
import { isObject } from "./json-value.ts";

const text = z.string().min(1).optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);

export const claudeLineSchema = z.object({
  type: z.string(),
  subtype: text,
  uuid: text,
  parentUuid: text,
  logicalParentUuid: text,
  sourceToolAssistantUUID: text,
  isSidechain: flag,
  isMeta: flag,
  isCompactSummary: flag,
  isVisibleInTranscriptOnly: flag,
  isApiErrorMessage: flag,
  version: text,
  attachment: z.unknown().optional(),
  message: z
    .object({
      id: text,
      model: text,
      content: z.union([z.string(), z.array(z.unknown())]),
      usage: z.unknown().optional(),
    })
    .optional()
    .catch(undefined),
});

export type ClaudeLine = z.infer<typeof claudeLineSchema>;

export const isSpeaker = (line: ClaudeLine): boolean => line.type === "user" || line.type === "assistant";

/** A line that marks where the history was compacted. */
export const isCompactMark = (line: ClaudeLine): boolean =>
  line.type === "system" && line.subtype === "compact_boundary";

const idsOf = (line: ClaudeLine, isWanted: (type: string) => boolean, key: string): string[] => {
  const content = line.message?.content;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => {
    if (!isObject(block) || typeof block["type"] !== "string" || !isWanted(block["type"])) return [];
    const id = block[key];
    return typeof id === "string" ? [id] : [];
  });
};

/** Ids of the calls in an assistant line. */
export const callIds = (line: ClaudeLine): string[] =>
  line.type === "assistant" ? idsOf(line, (type) => type.endsWith("tool_use"), "id") : [];

/** Ids of the calls that a user line answers. */
export const answeredIds = (line: ClaudeLine): string[] =>
  line.type === "user" ? idsOf(line, (type) => type.endsWith("tool_result"), "tool_use_id") : [];

/** A user line with results and nothing else. */
export function isResultLine(line: ClaudeLine): boolean {
  const content = line.message?.content;
  return (
    line.type === "user" &&
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((block) => isObject(block) && block["type"] === "tool_result")
  );
}
