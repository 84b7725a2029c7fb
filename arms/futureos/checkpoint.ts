/** What a committed step leaves behind, and the message that carries it. */
import * as z from "zod";
import type { ProjectedMessage, Span } from "../../harness/arm.ts";
import { sha256 } from "../../harness/json.ts";
import { checkpointClosing, checkpointOpening } from "./marked.ts";
import { handoffHeading } from "./prompt.ts";

/** The two current algorithms, both of which continue the other's checkpoints. */
export const algorithms = ["deterministic-evidence-v1", "summarized-evidence-v1"] as const;
export type Algorithm = (typeof algorithms)[number];

const checkpointSchema = z.object({
  entry_id: z.string(),
  checkpoint_id: z.string(),
  /** First and last journal id that is covered. */
  covered_from_entry_id: z.string(),
  cutoff_entry_id: z.string(),
  /** Header, index, summary and notes, without what stands around them in the message. */
  summary: z.string(),
  protected_entry_ids: z.array(z.string()),
  tokens_before: z.int(),
  tokens_after: z.int(),
  trigger: z.string(),
  phase: z.string(),
  algorithm_version: z.enum(algorithms),
  /** Null: an arm does not know which model the run asks. */
  model: z.string().nullable(),
  context_window: z.int(),
  /** Null where no summary was wanted. */
  summary_outcome: z.object({ status: z.enum(["summarized", "fallback"]), reason: z.string().nullable() }).nullable(),
});

/** A committed step. Field names are the product's. */
export type Checkpoint = z.infer<typeof checkpointSchema>;

/**
 * The state as a checkpoint; undefined for one that is not whole or that another algorithm wrote, whose history is then
 * covered again.
 */
export const readCheckpoint = (state: unknown): Checkpoint | undefined => checkpointSchema.safeParse(state).data;

/** Id of the step that an arm makes at a boundary: equal steps have equal ids, in every run. */
export const entryIdOf = (arm: string, boundary: { readonly chain: string; readonly end: number }): string =>
  sha256(JSON.stringify([arm, boundary.chain, boundary.end])).slice(0, 32);

/**
 * The user message of a checkpoint. Its spans are read back from its text, so that a stored checkpoint and a fresh one
 * give equal messages: the index with all that frames it is evidence of the entries in its rows, and a model wrote the rest.
 */
export function checkpointMessage(entryId: string, summary: string): ProjectedMessage {
  const handoff = summary.indexOf(`\n\n${handoffHeading}\n\n`);
  const index = handoff < 0 ? summary : summary.slice(0, handoff);
  const sources = rowSources(index);
  const text = `${checkpointOpening} ${summary}${checkpointClosing}`;
  const evidenceChars = handoff < 0 ? text.length : checkpointOpening.length + 1 + index.length;
  const spans: Span[] = [{ part: "evidence", chars: evidenceChars, sources }];
  if (handoff >= 0) spans.push({ part: "summary", chars: text.length - evidenceChars, sources: [] });
  return { message: { id: entryId, role: "user", blocks: [{ kind: "text", text }] }, spans };
}

const rowSchema = z.object({ entryId: z.string() });

/** Entry ids of the rows of an index, each once. */
const rowSources = (index: string): string[] => [
  ...new Set(
    index.split("\n").flatMap((line) => {
      if (!line.startsWith('{"entryId":')) return [];
      return [rowSchema.parse(JSON.parse(line)).entryId];
    }),
  ),
];
