/** What a reader learns about a session besides its records. */
import * as z from "zod";
import { add, boundedName, type Counts } from "./tally.ts";

/** Billed tokens in four disjoint counts, added up over a session; a count that no reply had is null, not 0. */
export interface FoundUsage {
  readonly replies: number;
  readonly freshInputTokens: number | null;
  readonly cacheReadTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly outputTokens: number | null;
}

/** The usage of one reply, or of several together; what it does not say is missing. */
export type ReplyUsage = { readonly [Count in keyof Omit<FoundUsage, "replies">]?: number | undefined } & {
  readonly replies?: number;
};

/** A compaction that the session went through before it was imported. */
export interface EarlierCompaction {
  /** Where it is in the file. */
  readonly place: string;
  /** `opaque`: encrypted by the provider, so that what survived cannot be read. */
  readonly kind: "readable" | "opaque";
  /** Of the summary, where it can be read. */
  readonly summaryCharacters: number;
}

export interface Findings {
  /** Replies of each model. */
  readonly models: Counts;
  readonly compactions: EarlierCompaction[];
  /** Usage of the replies so far; that of the last one may still be replaced. */
  usage: { readonly total: FoundUsage; readonly reply: string; readonly last: ReplyUsage } | undefined;
  /** Versions of the agent that wrote the file. */
  readonly versions: Set<string>;
  /** What a reader of the report should know, one sentence each. */
  readonly notes: Set<string>;
  /** Entries joined to a message that an earlier one began. */
  merged: number;
  notUtf8: number;
}

export const emptyFindings = (): Findings => ({
  models: new Map(),
  compactions: [],
  usage: undefined,
  versions: new Set(),
  notes: new Set(),
  merged: 0,
  notUtf8: 0,
});

/** Remembers a model that replied; a name that is missing or made up by the agent counts for nothing. */
export function foundModel(findings: Findings, name: string | undefined | null, replies = 1): void {
  if (typeof name !== "string" || name === "" || name === "<synthetic>") return;
  add(findings.models, boundedName(findings.models, name.slice(0, 100), "another model"), replies);
}

/** A token count as it may stand in a file: negative, fractional or no number means that it is not known. */
export const tokenCount = z.int().nonnegative().optional().catch(undefined);

const counts = ["freshInputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens"] as const;
const nothing: FoundUsage = {
  replies: 0,
  freshInputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  outputTokens: null,
};

/** Remembers the usage of a reply; where the same reply comes again right after, its last usage counts. */
export function foundUsage(findings: Findings, reply: string, usage: ReplyUsage | undefined): void {
  if (usage === undefined) return;
  const total = findings.usage?.reply === reply ? findings.usage.total : (totalUsage(findings) ?? nothing);
  findings.usage = { total, reply, last: usage };
}

/** The usages of all replies added up; null where the file has none. */
export function totalUsage({ usage }: Findings): FoundUsage | null {
  if (usage === undefined) return null;
  const total: { -readonly [Count in keyof FoundUsage]: FoundUsage[Count] } = { ...usage.total };
  total.replies += usage.last.replies ?? 1;
  for (const count of counts) {
    const tokens = usage.last[count];
    if (tokens !== undefined) total[count] = (total[count] ?? 0) + tokens;
  }
  return total;
}
