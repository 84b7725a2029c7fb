/**
 * Which lines of a Claude Code file are the conversation that ends last. Lines form a tree by `uuid` and `parentUuid`; a
 * rewind or an edited prompt starts another branch, a subagent's lines are a sidechain.
 */
import {
  answeredIds,
  callIds,
  type ClaudeLine,
  claudeLineSchema,
  isCompactMark,
  isResultLine,
  isSpeaker,
} from "./claude-lines.ts";
import { type IntColumn, intColumn, numbering } from "./columns.ts";
import type { Findings } from "./findings.ts";
import { jsonLines } from "./jsonl.ts";
import type { Source } from "./source.ts";

const fateNames = ["outside the tree", "on the branch", "other branch", "sidechain", "repeated line"] as const;
export type Fate = (typeof fateNames)[number];

export interface Branch {
  fateOf(lineNumber: number): Fate;
  /** Number of the stored message that an assistant line on the branch belongs to, and the last line that belongs to it. */
  messageOf(lineNumber: number): { readonly message: number; readonly lastLine: number } | undefined;
  /** The last line on the branch that marks or summarises a compaction; 0 where none does. */
  readonly lastCompactionLine: number;
}

/** Lines of the tree in file order, a column for each thing to know of them. A line is known by its index here. */
interface Tree {
  readonly lineNumbers: IntColumn;
  /** Index of the line that it follows; `root` or `lost` where there is none. */
  readonly parents: IntColumn;
  readonly flags: IntColumn;
  /** Number of an assistant line's message id, or -1. */
  readonly messageIds: IntColumn;
  /** Pairs of a line and a call made in it, and of a line and a call answered in it. */
  readonly calls: Pairs;
  readonly answers: Pairs;
  /** Numbers of lines whose uuid an earlier line has. */
  readonly repeated: readonly number[];
  /** Lines of the file. */
  readonly lines: number;
}

interface Pairs {
  readonly lines: IntColumn;
  readonly calls: IntColumn;
}

const root = -1;
/** The parent is not in the file. */
const lost = -2;

const flag = {
  speaker: 1,
  sidechain: 2,
  /** A missing parent means the line before it: the tree goes on over a compaction. */
  compacts: 4,
  /** A message split over several lines may go on after it. */
  passesMessage: 8,
  on: 16,
} as const;

const flagsOf = (line: ClaudeLine): number =>
  (isSpeaker(line) && line.message !== undefined ? flag.speaker : 0) |
  (line.isSidechain === true ? flag.sidechain : 0) |
  (isCompactMark(line) || line.isCompactSummary === true ? flag.compacts : 0) |
  (!isSpeaker(line) || line.isMeta === true || isResultLine(line) ? flag.passesMessage : 0);

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

const has = (tree: Tree, at: number, bit: number): boolean => (tree.flags.at(at) & bit) !== 0;
const mark = (tree: Tree, at: number): void => tree.flags.set(at, tree.flags.at(at) | flag.on);

function readTree(source: Source): Tree {
  const [lineNumbers, parents, flags, messageIds] = [intColumn(), intColumn(), intColumn(), intColumn()];
  const calls: Pairs = { lines: intColumn(), calls: intColumn() };
  const answers: Pairs = { lines: intColumn(), calls: intColumn() };
  const repeated: number[] = [];
  const later: { readonly at: number; readonly parent: string }[] = [];
  const [uuids, messages, callNumbers] = [numbering(), numbering(), numbering()];
  let lines = 0;
  for (const json of jsonLines(source)) {
    lines = json.number;
    if (json.kind === "other") continue;
    const { data: line } = claudeLineSchema.safeParse(json.value);
    if (line?.uuid === undefined) continue;
    if (uuids.known(line.uuid) !== undefined) {
      repeated.push(json.number);
      continue;
    }
    const at = uuids.of(line.uuid);
    lineNumbers.push(json.number);
    flags.push(flagsOf(line));
    const parent = line.parentUuid ?? line.logicalParentUuid;
    const known = parent === undefined ? root : uuids.known(parent);
    parents.push(known ?? lost);
    if (parent !== undefined && known === undefined) later.push({ at, parent });
    const id = line.type === "assistant" ? line.message?.id : undefined;
    messageIds.push(id === undefined ? -1 : messages.of(id));
    for (const [pairs, ids] of [[calls, callIds(line)] as const, [answers, answeredIds(line)] as const])
      for (const call of ids) {
        pairs.lines.push(at);
        pairs.calls.push(callNumbers.of(call));
      }
  }
  for (const { at, parent } of later) parents.set(at, uuids.known(parent) ?? lost);
  return { lineNumbers, parents, flags, messageIds, calls, answers, repeated, lines };
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

function* pairsOf({ lines, calls }: Pairs): Generator<{ readonly line: number; readonly call: number }> {
  for (let pair = 0; pair < lines.length; pair++) yield { line: lines.at(pair), call: calls.at(pair) };
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
