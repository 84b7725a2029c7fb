/**
 * Which lines of a Claude Code file are the conversation that ends last. Lines form a tree by `uuid` and `parentUuid`; a
 * rewind or an edited prompt starts another branch, a subagent's lines are a sidechain.
 */
import { flag, has, mark, pairsOf, readTree, root, type Tree } from "./claude-tree.ts";
import { type IntColumn, intColumn } from "./columns.ts";
import type { Findings } from "./findings.ts";
import type { Source } from "./source.ts";

const fateNames = ["outside the tree", "on the branch", "other branch", "sidechain", "repeated line"] as const;
type Fate = (typeof fateNames)[number];

export interface Branch {
  fateOf(lineNumber: number): Fate;
  /** Number of the stored message that an assistant line on the branch belongs to, and the last line that belongs to it. */
  messageOf(lineNumber: number): { readonly message: number; readonly lastLine: number } | undefined;
  /** The last line on the branch that marks or summarises a compaction; 0 where none does. */
  readonly lastCompactionLine: number;
}

/** Reads the tree of a file and chooses the branch. Memory: the uuid and 20 bytes of a line while it reads, 5 bytes after. */
export function chooseBranch(source: Source, findings: Findings): Branch {
  const tree = readTree(source);
  const isApart = apartness(tree, findings);
  markAncestors(tree, isApart, findings);
  markSiblings(tree, isApart);

  const fates = new Uint8Array(tree.lines + 1);
  for (const line of tree.repeated) fates[line] = fateNames.indexOf("repeated line");
  let lastCompactionLine = 0;
  for (let at = 0; at < tree.flags.length; at++) {
    const line = tree.lineNumbers.at(at);
    const isOn = has(tree, at, flag.on);
    fates[line] = fateNames.indexOf(isApart(at) ? "sidechain" : isOn ? "on the branch" : "other branch");
    if (isOn && has(tree, at, flag.compacts)) lastCompactionLine = line;
  }
  const { messages, lastLines } = messagesOf(tree);
  return {
    fateOf: (lineNumber) => fateNames[fates[lineNumber] ?? 0] ?? "outside the tree",
    messageOf(lineNumber) {
      const message = messages[lineNumber] ?? -1;
      return message < 0 ? undefined : { message, lastLine: lastLines.at(message) };
    },
    lastCompactionLine,
  };
}

/** Whether a line is a subagent's. A file of nothing else is that subagent's own session. */
function apartness(tree: Tree, findings: Findings): (at: number) => boolean {
  let speakers = 0;
  let apart = 0;
  for (let at = 0; at < tree.flags.length; at++) {
    if (!has(tree, at, flag.speaker)) continue;
    speakers++;
    if (has(tree, at, flag.sidechain)) apart++;
  }
  if (speakers > apart || speakers === 0) return (at) => has(tree, at, flag.sidechain);
  findings.notes.add("All lines are a subagent's (a sidechain); they are imported as the conversation.");
  return () => false;
}

/** Marks the last speaker's line and everything it follows from. */
function markAncestors(tree: Tree, isApart: (at: number) => boolean, findings: Findings): void {
  const before = (index: number): number => {
    let at = index - 1;
    while (at >= 0 && isApart(at)) at--;
    return at;
  };
  let at = tree.flags.length - 1;
  while (at >= 0 && (!has(tree, at, flag.speaker) || isApart(at))) at--;
  while (at >= 0) {
    if (has(tree, at, flag.on)) {
      findings.notes.add("The tree of lines runs in a circle; what lies behind it is on no branch.");
      return;
    }
    mark(tree, at);
    const parent = tree.parents.at(at);
    if (parent >= 0) at = parent;
    else if (parent === root) at = has(tree, at, flag.compacts) ? before(at) : -1;
    else {
      at = before(at);
      if (at >= 0)
        findings.notes.add("A line follows one that is not in the file; the line before it was taken instead.");
    }
  }
}

/**
 * Marks what belongs to a line on the branch without being its ancestor: the other lines of a split message, and the
 * results of parallel calls, which hang beside each other.
 */
function markSiblings(tree: Tree, isApart: (at: number) => boolean): void {
  const messages = new Set<number>();
  for (let at = 0; at < tree.flags.length; at++) if (has(tree, at, flag.on)) messages.add(tree.messageIds.at(at));
  messages.delete(-1);
  for (let at = 0; at < tree.flags.length; at++)
    if (messages.has(tree.messageIds.at(at)) && !isApart(at)) mark(tree, at);
  const unanswered = new Set<number>();
  for (const { line, call } of pairsOf(tree.calls)) if (has(tree, line, flag.on)) unanswered.add(call);
  for (const { line, call } of pairsOf(tree.answers)) if (has(tree, line, flag.on)) unanswered.delete(call);
  for (const { line, call } of pairsOf(tree.answers)) {
    if (isApart(line) || !unanswered.delete(call)) continue;
    mark(tree, line);
  }
}

/** Lines with one message id are one message as long as only results and lines that say nothing come between them. */
function messagesOf(tree: Tree): { readonly messages: Int32Array; readonly lastLines: IntColumn } {
  const messages = new Int32Array(tree.lines + 1).fill(-1);
  const lastLines = intColumn();
  let open: number | undefined;
  for (let at = 0; at < tree.flags.length; at++) {
    if (!has(tree, at, flag.on)) continue;
    const messageId = tree.messageIds.at(at);
    if (messageId < 0) {
      if (!has(tree, at, flag.passesMessage)) open = undefined;
      continue;
    }
    const line = tree.lineNumbers.at(at);
    if (messageId !== open) lastLines.push(line);
    open = messageId;
    messages[line] = lastLines.length - 1;
    lastLines.set(lastLines.length - 1, line);
  }
  return { messages, lastLines };
}
