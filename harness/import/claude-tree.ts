/** The lines of a Claude Code file as a tree by `uuid` and `parentUuid`, remembered as numbers: 20 bytes a line, and its uuid while it is read. */
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
import { jsonLines } from "./jsonl.ts";
import type { Source } from "./source.ts";

/** Lines of the tree in file order, a column for each thing to know of them. A line is known by its index here. */
export interface Tree {
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

export const root = -1;
/** The parent is not in the file. */
const lost = -2;

export const flag = {
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

export const has = (tree: Tree, at: number, bit: number): boolean => (tree.flags.at(at) & bit) !== 0;
export const mark = (tree: Tree, at: number): void => tree.flags.set(at, tree.flags.at(at) | flag.on);

export function readTree(source: Source): Tree {
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

export function* pairsOf({ lines, calls }: Pairs): Generator<{ readonly line: number; readonly call: number }> {
  for (let pair = 0; pair < lines.length; pair++) yield { line: lines.at(pair), call: calls.at(pair) };
}
