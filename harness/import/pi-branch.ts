/** Which entries of a pi file are imported: the branch that ends last, and of it what the history asks for. */
import * as z from "zod";
import type { History } from "./entry.ts";
import type { Findings } from "./findings.ts";
import { jsonLines } from "./jsonl.ts";
import type { Source } from "./source.ts";

const text = z.string().min(1).optional().catch(undefined);
const nodeSchema = z.object({
  type: z.string(),
  id: text,
  parentId: text,
  firstKeptEntryId: text,
  firstKeptEntryIndex: z.int().nonnegative().optional().catch(undefined),
});

interface Node {
  readonly lineNumber: number;
  readonly type: string;
  readonly id: string | undefined;
  readonly parentId: string | undefined;
  /** Index among the nodes of the first entry that a compaction kept. */
  readonly firstKept: number | string | undefined;
}

/** Why an entry of a branch that was left becomes no record. */
export const otherBranch = "other branch";

export interface PiBranch {
  /** Why the entry on this line becomes no record whatever it holds, or undefined. */
  reasonToSkip(lineNumber: number): string | undefined;
  /** Whether the summary on this line opens the live history. */
  isLiveSummary(lineNumber: number): boolean;
  /** Whether the entry on this line was kept by that compaction, so that it comes after the summary. */
  isKept(lineNumber: number): boolean;
}

/** Reads the entries' ids and compactions. An index counts the entries of the file from its header, which is 0. */
export function choosePiBranch(source: Source, history: History, findings: Findings): PiBranch {
  const nodes: Node[] = [];
  const byId = new Map<string, number>();
  for (const json of jsonLines(source)) {
    if (json.kind === "other") continue;
    const parsed = nodeSchema.safeParse(json.value);
    if (!parsed.success) continue;
    const { type, id, parentId, firstKeptEntryId, firstKeptEntryIndex } = parsed.data;
    if (id !== undefined && type !== "session") byId.set(id, nodes.length);
    const firstKept = type === "compaction" ? (firstKeptEntryId ?? firstKeptEntryIndex) : undefined;
    nodes.push({ lineNumber: json.number, type, id, parentId, firstKept });
  }
  const on = branchOf(nodes, byId, findings);
  const compaction = nodes.findLastIndex((node, index) => node.type === "compaction" && on[index] === true);
  const kept = nodes[compaction]?.firstKept;
  const firstKept = (typeof kept === "string" ? byId.get(kept) : kept) ?? compaction;
  const isLive = history === "live" && compaction >= 0;
  // From here on two numbers a line are remembered, and no entry.
  const lineCount = (nodes.at(-1)?.lineNumber ?? 0) + 1;
  const indexes = new Int32Array(lineCount).fill(-1);
  const isSession = new Uint8Array(lineCount);
  nodes.forEach(({ lineNumber, type }, index) => {
    indexes[lineNumber] = index;
    isSession[lineNumber] = type === "session" ? 1 : 0;
  });
  const indexOf = (lineNumber: number): number => indexes[lineNumber] ?? -1;
  return {
    reasonToSkip(lineNumber) {
      const index = indexOf(lineNumber);
      if (index < 0 || isSession[lineNumber] === 1) return undefined;
      if (on[index] !== true) return otherBranch;
      return isLive && index < compaction && index < firstKept
        ? "before the last compaction (live history)"
        : undefined;
    },
    isLiveSummary: (lineNumber) => isLive && indexOf(lineNumber) === compaction,
    isKept(lineNumber) {
      const index = indexOf(lineNumber);
      return isLive && index >= Math.max(0, firstKept) && index < compaction;
    },
  };
}

/** For each entry whether it is on the branch of the last one. Entries without ids are one line of succession. */
function branchOf(nodes: readonly Node[], byId: ReadonlyMap<string, number>, findings: Findings): boolean[] {
  const on = nodes.map(({ id }) => id === undefined);
  let at = nodes.findLastIndex(({ id, type }) => id !== undefined && type !== "session");
  while (at >= 0) {
    if (on[at] === true) {
      findings.notes.add("The tree of entries runs in a circle; what lies behind it is on no branch.");
      break;
    }
    on[at] = true;
    const parent = nodes[at]?.parentId;
    if (parent === undefined) break;
    const known = byId.get(parent);
    const bridges = known === undefined && parent !== nodes[0]?.id && at > 0;
    if (bridges)
      findings.notes.add("An entry follows one that is not in the file; the entry before it was taken instead.");
    at = known ?? (bridges ? at - 1 : -1);
  }
  return on;
}
