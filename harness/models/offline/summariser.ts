/**
 * A plain extractive summariser: lines of the request that bear identifiers, under the headings that the request asks for,
 * newest first, within a length. Deterministic and without understanding: a stand-in for a model's summary, not a model.
 *
 * Length: 1,600 estimated tokens, or what the request asks for if that is less. A prior summary gets a quarter of it and new
 * prose the rest; what prose leaves goes to more of the prior summary, then to the heads of the newest tool results. Within
 * each, the five kinds of lines share equally first; what a kind does not need goes to the newest lines of any kind.
 */
import { quarterTokens } from "../../chain/tokens.ts";
import { bearsIdentifier, bearsStrictIdentifier, headingKind, type Kind, kinds, lineKind, piecesOf } from "./lines.ts";
import { summaryRequestIn } from "./prose.ts";
import type { Seen } from "./seen.ts";

/** The published mean length of the original's summaries. */
const aimTokens = 1_600;
/** One part in this many of a summary carries a prior summary on. */
const priorParts = 4;
/** A tool result is looked at this far, and gives at most this many lines. */
const resultHeadChars = 2_000;
const resultLines = 4;

/** First line of every summary; by it the summariser knows its own earlier summaries in a history. */
export const summaryOpening = "Extracted lines, newest first (offline extractive summariser, not an LLM):";
const nothing = "- (none)";

interface Line {
  readonly text: string;
  readonly kind: Kind;
  readonly quarters: number;
}

/** The summary of a request: linear in its prose, and within the asked-for length wherever the headings alone are. */
export function summarise({ messages, maxOutputTokens }: Seen): string {
  const { ask, prior, passages } = summaryRequestIn(messages);
  const headings = headingsIn(ask);
  const frame = [summaryOpening, ...headings.flatMap((heading) => ["", heading, nothing])].join("\n");
  const room = 4 * Math.min(aimTokens, askedTokens(ask), maxOutputTokens) - quarterTokens(frame);

  const prose = new Collection(room);
  const results = new Collection(room);
  const earlier: string[] = [];
  for (const { by, text } of passages) {
    const own = by === "tool" ? -1 : text.indexOf(summaryOpening);
    if (own >= 0) earlier.push(text.slice(own));
    else if (by === "tool") {
      if (!results.isFull) results.add(resultLinesOf(text));
    } else if (!prose.isFull) prose.add(linesOf(text, (line) => lineKind(line, by)));
  }

  const taken = new Set<string>();
  const old = priorLines([...earlier, prior], room);
  const carried = select(old, Math.floor(room / priorParts), taken);
  const fresh = select(prose.lines, room - quartersOf(carried), taken);
  carried.push(...select(old, room - quartersOf([...carried, ...fresh]), taken));
  const filler = select(results.lines, room - quartersOf([...carried, ...fresh]), taken);
  return layOut(headings, [...fresh, ...filler, ...carried]);
}

/** Heading lines of the instruction, as they are written there, each once. */
const headingsIn = (ask: string): string[] => [
  ...new Set([...ask.matchAll(/^#{1,6} .*\S/gm)].map(([heading]) => heading)),
];

/** The smallest "at most N tokens" of an instruction, or Infinity. */
function askedTokens(ask: string): number {
  const limits = ask.matchAll(/(?:at most|no more than|up to|under|within|limit of) (?:about )?(\d[\d,]*) tokens/gi);
  return Math.min(...[...limits].map(([, limit = ""]) => Number(limit.replaceAll(",", ""))));
}

function* linesOf(text: string, kindOf: (line: string) => Kind): Iterable<Line> {
  for (const piece of piecesOf(text)) if (bearsIdentifier(piece)) yield line(piece, kindOf(piece));
}

function* resultLinesOf(text: string): Iterable<Line> {
  let left = resultLines;
  for (const piece of piecesOf(text.slice(0, resultHeadChars), text.length > resultHeadChars ? "cut" : "whole")) {
    if (!bearsStrictIdentifier(piece)) continue;
    yield line(piece, "state");
    if (--left === 0) return;
  }
}

/** Lines of earlier summaries in their own order, of the kind of the heading they stand under. */
function priorLines(summaries: readonly string[], room: number): readonly Line[] {
  const collection = new Collection(room);
  for (const summary of summaries) {
    const own = summary.lastIndexOf(summaryOpening);
    let under: Kind | undefined;
    for (const text of (own < 0 ? summary : summary.slice(own + summaryOpening.length)).split("\n"))
      if (text.startsWith("#")) under = headingKind(text);
      else collection.add(linesOf(text, (piece) => under ?? lineKind(piece, "assistant")));
  }
  return collection.lines;
}

const line = (text: string, kind: Kind): Line => ({ text, kind, quarters: quarterTokens(`- ${text}\n`) });
const quartersOf = (lines: readonly Line[]): number => lines.reduce((sum, { quarters }) => sum + quarters, 0);

/** Candidates in order, of each kind no more than could fill the whole summary. */
class Collection {
  readonly lines: Line[] = [];
  private readonly quarters = new Map<Kind, number>();
  private readonly room: number;

  constructor(room: number) {
    this.room = room;
  }

  get isFull(): boolean {
    return kinds.every((kind) => this.has(kind) >= this.room);
  }

  add(lines: Iterable<Line>): void {
    for (const candidate of lines) {
      const has = this.has(candidate.kind);
      if (has >= this.room) continue;
      this.lines.push(candidate);
      this.quarters.set(candidate.kind, has + candidate.quarters);
    }
  }

  private has(kind: Kind): number {
    return this.quarters.get(kind) ?? 0;
  }
}

/** The candidates that fit, in their order: first each kind within an equal share, then any that still fit. Adds their texts to `taken`. */
function select(candidates: readonly Line[], room: number, taken: Set<string>): Line[] {
  const chosen = new Set<Line>();
  const shares = new Map(kinds.map((kind) => [kind, Math.floor(room / kinds.length)]));
  let left = room;
  const choose = (candidate: Line): void => {
    taken.add(candidate.text);
    chosen.add(candidate);
    left -= candidate.quarters;
  };
  for (const candidate of candidates) {
    const share = shares.get(candidate.kind) ?? 0;
    if (taken.has(candidate.text) || candidate.quarters > share) continue;
    shares.set(candidate.kind, share - candidate.quarters);
    choose(candidate);
  }
  for (const candidate of candidates) if (!taken.has(candidate.text) && candidate.quarters <= left) choose(candidate);
  return candidates.filter((candidate) => chosen.has(candidate));
}

/** Every heading, each with the lines of its kind; a kind that no heading asks for goes under the first one. */
function layOut(headings: readonly string[], lines: readonly Line[]): string {
  const bullets = (under: readonly Line[]): string[] => under.map(({ text }) => `- ${text}`);
  if (headings.length === 0) return [summaryOpening, ...(lines.length > 0 ? bullets(lines) : [nothing])].join("\n");
  const places = new Map(kinds.map((kind) => [kind, placeOf(headings, kind)]));
  const sections = headings.flatMap((heading, index) => {
    const own = bullets(lines.filter(({ kind }) => places.get(kind) === index));
    return ["", heading, ...(own.length > 0 ? own : isParent(headings, index) ? [] : [nothing])];
  });
  return [summaryOpening, ...sections].join("\n");
}

/** Index of the heading that a kind's lines go under: the first of that kind with no heading below it, else the first without any. */
function placeOf(headings: readonly string[], kind: Kind): number {
  const leaf = (_heading: string, index: number): boolean => !isParent(headings, index);
  const matching = headings.findIndex((heading, index) => headingKind(heading) === kind && leaf(heading, index));
  return matching >= 0 ? matching : headings.findIndex(leaf);
}

const depth = (heading: string): number => heading.indexOf(" ");
const isParent = (headings: readonly string[], index: number): boolean =>
  depth(headings[index + 1] ?? "#") > depth(headings[index] ?? "#");
