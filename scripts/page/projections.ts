/** Projections to look at: message by message and part by part, long texts clipped, unchanged stretches of history by reference. */
import type { ProjectedMessage } from "../../harness/arm.ts";
import { type Block, type Message, readableBlock } from "../../harness/chain/message.ts";
import type { PageMessage, PagePiece } from "./data.ts";
import { clipped } from "./excerpts.ts";

/** Of a long run of messages, so many are shown at each end. */
const shownAtEnd = 40;

/** Texts that stand in several projections, each kept once. */
export interface TextTable {
  readonly texts: string[];
  /** Index of a text, the same for equal texts. */
  indexOf(text: string): number;
}

export function textTable(): TextTable {
  const texts: string[] = [];
  const known = new Map<string, number>();
  return {
    texts,
    indexOf: (text) => {
      const index = known.get(text);
      if (index !== undefined) return index;
      known.set(text, texts.length);
      return texts.push(text) - 1;
    },
  };
}

/** Whether a projection is the first `messages` of the journal and nothing else. */
export const isWholeJournal = (
  projection: readonly ProjectedMessage[],
  journal: readonly Message[],
  messages: number,
): boolean =>
  projection.length === messages && projection.every(({ message }, index) => message.id === journal[index]?.id);

/** The messages of a projection. A whole journal is one reference, a long projection its two ends and one between. */
export function pageMessages(
  projection: readonly ProjectedMessage[],
  journal: readonly Message[],
  messages: number,
  table: TextTable,
): PageMessage[] {
  const reference = (from: number, to: number): PageMessage[] => {
    const [first, last] = [projection[from], projection[to - 1]];
    return first === undefined || last === undefined || to <= from
      ? []
      : [{ leftOut: to - from, first: first.message.id, last: last.message.id }];
  };
  if (isWholeJournal(projection, journal, messages)) return reference(0, projection.length);
  const shown = (from: number, to: number): PageMessage[] =>
    projection
      .slice(from, to)
      .map((one) => ({ id: one.message.id, role: one.message.role, pieces: pieces(one, table) }));
  if (projection.length <= 2 * shownAtEnd + 20) return shown(0, projection.length);
  const end = projection.length - shownAtEnd;
  return [...shown(0, shownAtEnd), ...reference(shownAtEnd, end), ...shown(end, projection.length)];
}

/** Each block, split where a part ends inside it. */
function pieces({ message, spans }: ProjectedMessage, table: TextTable): PagePiece[] {
  const all: PagePiece[] = [];
  let span = 0;
  let left = spans[0]?.chars ?? 0;
  for (const block of message.blocks) {
    const text = readableBlock(block);
    let from = 0;
    do {
      while (left === 0 && span < spans.length - 1) left = spans[++span]?.chars ?? 0;
      const take = Math.min(text.length - from, left);
      const piece = text.slice(from, from + take);
      const part = spans[span]?.part ?? "original";
      if (piece !== "")
        all.push({ part, label: labelOf(block), text: table.indexOf(clipped(piece)), chars: piece.length });
      from += take;
      left -= take;
      if (take === 0) break;
    } while (from < text.length);
  }
  return all;
}

function labelOf(block: Block): string {
  switch (block.kind) {
    case "call":
      return `call ${block.call}`;
    case "result":
      return `${block.error ? "error" : "result"} of ${block.call}`;
    case "reasoning":
      return "reasoning";
    case "image":
      return "image";
    case "text":
      return "";
  }
}
