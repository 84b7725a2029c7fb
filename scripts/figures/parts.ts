/** A projection taken apart: how large each part is, and a piece of its text. */
import { type Part, partNames, type ProjectedMessage } from "../../harness/arm.ts";
import { readable, readableBlock, textOf } from "../../harness/chain/message.ts";
import { quarterTokens, tokensOfQuarters } from "../../harness/chain/tokens.ts";

export interface PartOfProjection {
  readonly part: Part;
  readonly tokens: number;
  /** Messages that hold some of it. */
  readonly messages: number;
  /** A piece that shows what it is, as it stands there. */
  readonly excerpt: string;
}

/** One projection of a run, and the history it stands for. */
export interface Anatomy {
  readonly runId: string;
  readonly arm: { readonly id: string; readonly title: string };
  readonly chain: string;
  readonly end: number;
  readonly rawTokens: number;
  readonly parts: readonly PartOfProjection[];
}

/** What a message's spans say of its text, in order. */
function stretches({ message, spans }: ProjectedMessage): { readonly part: Part; readonly text: string }[] {
  const text = readable(message).join("");
  let start = 0;
  return spans.map(({ part, chars }) => {
    const from = start;
    start += chars;
    return { part, text: text.slice(from, start) };
  });
}

/** The parts of a projection that are not empty, in the order in which they first come. */
export function partsOf(projection: readonly ProjectedMessage[]): PartOfProjection[] {
  const texts = new Map<Part, string[]>();
  for (const projected of projection)
    for (const { part, text } of stretches(projected)) {
      if (text === "") continue;
      const known = texts.get(part);
      if (known) known.push(text);
      else texts.set(part, [text]);
    }
  return [...texts].map(([part, list]) => ({
    part,
    tokens: tokensOfQuarters(list.reduce((sum, text) => sum + quarterTokens(text), 0)),
    messages: projection.filter(({ spans }) => spans.some((span) => span.part === part && span.chars > 0)).length,
    excerpt: part === "tail" ? lastWords(projection) : shown(part, list),
  }));
}

/** A row of the index, bullets of the summary, the beginning of the longest text. */
function shown(part: Part, list: readonly string[]): string {
  const lines = list.join("\n").split("\n");
  if (part === "evidence") return lines.find((line) => line.startsWith("{")) ?? lines[0] ?? "";
  if (part === "summary") {
    // Bullets in another script would be left out of the picture: those that can be drawn are shown first.
    const bullets = lines.filter((line) => line.startsWith("- "));
    const latin = bullets.filter((line) => /^[ -~]*$/.test(line));
    return (latin.length > 0 ? latin : bullets).slice(0, 2).join(" ") || (lines[0] ?? "");
  }
  return list.reduce((longest, text) => (text.length > longest.length ? text : longest), "");
}

/** What the session said last in its tail; its last result where it said nothing. */
function lastWords(projection: readonly ProjectedMessage[]): string {
  const tail = projection
    .filter(({ spans }) => spans.some(({ part }) => part === "tail"))
    .map(({ message }) => message);
  const said = tail.findLast((message) => message.role !== "tool" && textOf(message) !== "");
  return said === undefined ? (tail.at(-1)?.blocks.map(readableBlock).join(" ") ?? "") : textOf(said);
}

/** Whether every part has some text: the projections that are worth taking apart. */
export const hasAllParts = (parts: readonly PartOfProjection[]): boolean => parts.length === partNames.length;
