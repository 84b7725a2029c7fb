/** The tool results that an evidence index may show, and the order in which they are tried. */
import type { CallBlock, Message } from "../../harness/chain/message.ts";
import { compareBytes, isLonger } from "./excerpt.ts";

/** A tool result with what is known about its call. */
export interface Candidate {
  readonly entryId: string;
  readonly blockIndex: number;
  /** Index of its message in the raw history. */
  readonly sourceOrder: number;
  readonly call: string;
  readonly tool: string | null;
  readonly target: string | null;
  readonly error: boolean;
  readonly body: string;
}

type Attribution = Pick<Candidate, "tool" | "target">;
const nobody: Attribution = { tool: null, target: null };
const targetKeys = ["path", "file_path", "filePath", "command", "url"] as const;

const attributionOf = ({ tool, args }: CallBlock): Attribution => ({
  tool,
  target: targetKeys.map((key) => args[key]).find((value) => typeof value === "string") ?? null,
});

/**
 * The results of a history in order, those under an entry id that is empty or too long left out. A result is attributed
 * to the open call of its id, and to nobody where a second call of that id came before it.
 *
 * Source: futuregene/future-os, evidence index.
 */
export function candidatesOf(messages: readonly Message[], entryIdCodePoints: number): Candidate[] {
  const open = new Map<string, Attribution>();
  const candidates: Candidate[] = [];
  messages.forEach((message, sourceOrder) => {
    message.blocks.forEach((block, blockIndex) => {
      if (block.kind === "call") open.set(block.call, open.has(block.call) ? nobody : attributionOf(block));
      if (block.kind !== "result") return;
      const { tool, target } = open.get(block.call) ?? nobody;
      open.delete(block.call);
      if (message.id === "" || isLonger(message.id, entryIdCodePoints)) return;
      const { call, error, text: body } = block;
      candidates.push({ entryId: message.id, blockIndex, sourceOrder, call, tool, target, error, body });
    });
  });
  return candidates;
}

/** Results of one tool on one target. */
interface Group {
  readonly tool: string;
  readonly target: string;
  readonly important: boolean;
  readonly first: Candidate;
  last: Candidate;
  error: boolean;
}

/**
 * The candidates in the order in which they are tried, each once: errors from the newest; then the last and the first
 * of every tool and target, groups with an error before important ones before others; then all from the newest.
 *
 * Source: futuregene/future-os, evidence index.
 */
export function byPriority(candidates: readonly Candidate[]): Set<Candidate> {
  const newestFirst = candidates.toReversed();
  const ordered = new Set(newestFirst.filter(({ error }) => error));
  for (const { last, first } of groupsOf(candidates).sort(compareGroups)) ordered.add(last).add(first);
  for (const candidate of newestFirst) ordered.add(candidate);
  return ordered;
}

function groupsOf(candidates: readonly Candidate[]): Group[] {
  const groups = new Map<string, Group>();
  for (const candidate of candidates) {
    const tool = candidate.tool ?? "unknown";
    const target = candidate.target ?? candidate.call;
    const key = `${tool}\0${target}`;
    const known = groups.get(key);
    if (known === undefined)
      groups.set(key, {
        tool,
        target,
        important: isImportant(target),
        first: candidate,
        last: candidate,
        error: candidate.error,
      });
    else {
      known.last = candidate;
      known.error ||= candidate.error;
    }
  }
  return [...groups.values()];
}

const compareGroups = (a: Group, b: Group): number =>
  Number(b.error) - Number(a.error) ||
  Number(b.important) - Number(a.important) ||
  compareBytes(a.tool, b.tool) ||
  compareBytes(a.target, b.target);

/** Whether the last component of a target names what later work usually depends on. */
function isImportant(target: string): boolean {
  const name = target.slice(Math.max(target.lastIndexOf("/"), target.lastIndexOf("\\")) + 1);
  return /config|schema|validation|test/i.test(name);
}
