/** Figure 7: one real projection laid out to scale. */
import type { TopLevelSpec } from "vega-lite";
import type { Part } from "../../harness/arm.ts";
import { boxes, canvas, frame, lines, type Row, type Spec, texts } from "./frame.ts";
import { coveredText, shortened, wrapped } from "./measure.ts";
import type { Anatomy, PartOfProjection } from "./parts.ts";
import { percent, whole } from "./subject.ts";
import { figureWidth, partColours, sizes, sourceColours } from "./theme.ts";

const barWidth = 92;
const cardLeft = 156;
const cardHeight = 92;
const top = 74;
const excerptLines = 3;

const about: Record<Part, string> = {
  original: "kept word for word: what the user and the assistant said",
  evidence: "an index of tool results by fixed rules, heads and tails of them",
  summary: "written by the model for its successor",
  tail: "the newest messages, untouched",
};
const names: Record<Part, string> = { original: "Originals", evidence: "Evidence", summary: "Summary", tail: "Tail" };

export function anatomy(subject: Anatomy, conditions: string): TopLevelSpec {
  const { parts, rawTokens } = subject;
  const total = parts.reduce((sum, part) => sum + part.tokens, 0);
  return frame({
    title: title(parts, total, rawTokens),
    subtitle: [
      `${subject.arm.title} on ${subject.chain} after ${whole(subject.end)} records, to scale in estimated tokens. Characters that the font lacks are drawn as "·".`,
      conditions,
    ],
    source: `Source: closed-book, run ${subject.runId}, projections/${subject.chain}-${subject.end}-${subject.arm.id}.json`,
    views: [panel(parts, total, rawTokens)],
  });
}

function title(parts: readonly PartOfProjection[], total: number, rawTokens: number): string {
  const largest = parts.reduce((most, part) => (part.tokens > most.tokens ? part : most));
  const share = Math.round((100 * largest.tokens) / total);
  const subject = largest.part === "original" ? "originals take" : `the ${names[largest.part].toLowerCase()} takes`;
  return `${whole(rawTokens)} tokens of history become ${whole(total)}, of which ${subject} ${share} %`;
}

function panel(parts: readonly PartOfProjection[], total: number, rawTokens: number): Spec {
  const height = parts.length * cardHeight - 12;
  const scale = height / total;
  let y = top;
  const bars = parts.map(({ part, tokens }): Row => {
    const from = y;
    y += tokens * scale;
    return { part: names[part], tokens, x: 0, x2: barWidth, y: round(from), y2: round(y), colour: partColours[part] };
  });
  const card = (index: number): number => top + index * cardHeight;
  const width = figureWidth - cardLeft - 12;
  const excerpts = parts.flatMap(({ excerpt }, index) =>
    excerptOf(excerpt, width).map((text, line): Row => ({ x: cardLeft + 12, y: card(index) + 40 + 14 * line, text })),
  );
  const share = total / rawTokens;
  return canvas(top + height, [
    texts("note", [{ x: 0, y: 6, text: `raw history, ${whole(rawTokens)} tokens` }]),
    boxes([{ x: 0, x2: figureWidth, y: 18, y2: 30, colour: sourceColours.tool }]),
    boxes([{ x: 0, x2: Math.max(1, round(share * figureWidth)), y: 18, y2: 30, colour: partColours.evidence }]),
    texts("note", [
      { x: Math.max(1, round(share * figureWidth)), y: 42, text: `this projection, ${percent(share)} of it` },
    ]),
    boxes(bars),
    ...connectors(bars, card),
    boxes(
      parts.map(({ part }, index) => ({
        x: cardLeft,
        x2: cardLeft + 4,
        y: card(index),
        y2: card(index) + cardHeight - 12,
        colour: partColours[part],
      })),
    ),
    texts(
      "heading",
      parts.map(({ part, tokens }, index) => ({
        x: cardLeft + 12,
        y: card(index) + 7,
        text: `${names[part]}, ${whole(tokens)} tokens (${Math.round((100 * tokens) / total)} %)`,
      })),
      { fontSize: 11.5 },
    ),
    texts(
      "note",
      parts.map(({ part, messages }, index) => ({
        x: cardLeft + 12,
        y: card(index) + 23,
        text: `${about[part]}${part === "original" || part === "tail" ? `, ${whole(messages)} messages` : ""}`,
      })),
    ),
    texts("small", excerpts),
  ]);
}

/** From the middle of a bar's part to its card. */
function connectors(bars: readonly Row[], card: (index: number) => number): Spec[] {
  return [
    lines(
      "guide",
      bars.flatMap(({ y, y2 }, index): Row[] => {
        const middle = round((Number(y) + Number(y2)) / 2);
        const to = card(index) + 7;
        const bend = barWidth + 14 + index * 9;
        return [
          { x: barWidth + 3, x2: bend, y: middle, y2: middle },
          { x: bend, x2: bend, y: middle, y2: to },
          { x: bend, x2: cardLeft - 3, y: to, y2: to },
        ];
      }),
    ),
  ];
}

/** Some lines of a text, in characters that the font has; the last one says that there is more. */
function excerptOf(text: string, width: number): string[] {
  const all = wrapped(coveredText(text.slice(0, 2000)).trim(), width, sizes.small).map((line) =>
    shortened(line, width, sizes.small),
  );
  if (all.length <= excerptLines) return all;
  const last = all[excerptLines - 1] ?? "";
  return [...all.slice(0, excerptLines - 1), shortened(`${last} ${all[excerptLines] ?? ""}`, width, sizes.small)];
}

const round = (value: number): number => Math.round(100 * value) / 100;
