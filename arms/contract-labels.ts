/** Whether the labels of a projection are true: its spans, their sources, and the text that is said to come from them. */
import { partNames, type ProjectedMessage, type Span } from "../harness/arm.ts";
import { type Message, readable } from "../harness/chain/message.ts";

/** Spans that do not cover what a model can read of their message, or are no spans. */
export function* labelFaults(projection: readonly ProjectedMessage[]): Iterable<string> {
  for (const { message, spans } of projection) {
    const chars = readable(message).reduce((sum, text) => sum + text.length, 0);
    const covered = spans.reduce((sum, span) => sum + span.chars, 0);
    if (covered !== chars) yield `spans of "${message.id}" cover ${covered} of its ${chars} characters`;
    for (const { part, chars: length } of spans) {
      if (!partNames.includes(part)) yield `"${message.id}" has a part "${part}"`;
      if (!Number.isInteger(length) || length < 0) yield `"${message.id}" has a span of ${length} characters`;
    }
  }
}

/** Sources that the journal lacks, and original or tail text that is not its source's. */
export function* sourceFaults(projection: readonly ProjectedMessage[], journal: readonly Message[]): Iterable<string> {
  const byId = new Map<string, Message[]>();
  for (const message of journal) byId.set(message.id, [...(byId.get(message.id) ?? []), message]);
  for (const { message, spans } of projection)
    for (const { span, pieces } of spansWithText(message, spans)) {
      for (const id of span.sources)
        if (!byId.has(id)) yield `"${message.id}" names a source "${id}" that the journal lacks`;
      const sources = span.sources.flatMap((id) => byId.get(id) ?? []);
      if (sources.length === 0 || !(span.part === "original" || span.part === "tail")) continue;
      if (!pieces.every((piece) => sources.some((source) => comesFrom(piece, source))))
        yield `${span.part} text of "${message.id}" is not in "${span.sources.join('", "')}"`;
    }
}

/** Each span of a message with its text, one piece for every block that it touches. */
function spansWithText(message: Message, spans: readonly Span[]): { span: Span; pieces: string[] }[] {
  const blocks = readable(message);
  let block = 0;
  let offset = 0;
  return spans.map((span) => {
    const pieces: string[] = [];
    for (let left = span.chars; left > 0 && block < blocks.length;) {
      const piece = (blocks[block] ?? "").slice(offset, offset + left);
      if (piece !== "") pieces.push(piece);
      left -= piece.length;
      offset += piece.length;
      if (offset >= (blocks[block] ?? "").length) {
        block++;
        offset = 0;
      }
    }
    return { span, pieces };
  });
}

/** A cut original keeps head and tail of its source around a marker no longer than this. */
const cutMarkerChars = 64;

/** Whether a text is part of a message, or the message with its middle cut out. */
function comesFrom(piece: string, source: Message): boolean {
  const texts = source.blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  return [...readable(source), texts.join("\n"), texts.join("")].some((text) => {
    if (text.includes(piece)) return true;
    let head = 0;
    while (head < piece.length && piece[head] === text[head]) head++;
    let tail = 0;
    while (tail < piece.length - head && piece.at(-1 - tail) === text.at(-1 - tail)) tail++;
    return head > 0 && tail > 0 && head + tail >= piece.length - cutMarkerChars;
  });
}
