/** Records: the stored entries of a session, as in the original experiment's files (see the README, "Your own chains"). */
import * as z from "zod";
import type { JsonObject, JsonValue } from "../json.ts";

const json: z.ZodType<JsonValue> = z.json();
const identity = {
  id: z.string().min(1),
  /** 1-based running number; records of one stored message share it. */
  order: z.int().optional(),
  /** Journal position; wins over `order`. Records of one stored message share it. */
  position: z.int().optional(),
};
const path = z.string().nullable().optional();

export const recordSchema = z.discriminatedUnion("kind", [
  z.object({ ...identity, kind: z.literal("text"), role: z.enum(["user", "assistant"]), text: z.string() }),
  z.object({
    ...identity,
    kind: z.literal("tool_call"),
    role: z.literal("assistant"),
    call: z.string().min(1),
    /** Missing means `read`. */
    tool: z.string().min(1).optional(),
    /** Missing means `{ path }`. */
    args: z.record(z.string(), json).optional(),
    path,
  }),
  z.object({
    ...identity,
    kind: z.literal("tool_result"),
    role: z.literal("tool"),
    call: z.string().min(1),
    text: z.string(),
    error: z.boolean().optional(),
    path,
  }),
]);

type Simplify<T> = { readonly [Key in keyof T]: T[Key] };
type Parsed = z.infer<typeof recordSchema>;
export type TextRecord = Simplify<Extract<Parsed, { kind: "text" }>>;
export type ToolCallRecord = Simplify<Extract<Parsed, { kind: "tool_call" }>>;
export type ToolResultRecord = Simplify<Extract<Parsed, { kind: "tool_result" }>>;
/** One stored entry of a session: text, tool call or tool result. */
export type ChainRecord = TextRecord | ToolCallRecord | ToolResultRecord;

/** `file` and `imported` chains exist only in the user's files; an imported one is a session of theirs, and private. */
export type ChainGroup = "structured" | "session-shaped" | "file" | "imported";

/** Whether a chain of this group can be made again from its name and the seed. */
export const isGenerated = (group: ChainGroup): boolean => group === "structured" || group === "session-shaped";

/** All records of one session, in order, with its scored cuts. */
export interface Chain {
  readonly name: string;
  readonly group: ChainGroup;
  readonly records: readonly ChainRecord[];
  /** Record counts after which a sheet is asked, increasing. `moved`: computed ones slide back to a safe endpoint; `exact`: an unsafe one is an error. */
  readonly cuts: { readonly kind: "moved" | "exact"; readonly ends: readonly number[] };
}

/** Records with equal adjacent keys belong to one stored message. */
export const orderKey = (record: ChainRecord, index: number): number => record.position ?? record.order ?? index;

/** Name of the tool a call record used. */
export const toolOf = (record: ToolCallRecord): string => record.tool ?? "read";

/** Arguments of a call record, in the order they were stored. */
export const argsOf = (record: ToolCallRecord): JsonObject => record.args ?? { path: record.path ?? null };
