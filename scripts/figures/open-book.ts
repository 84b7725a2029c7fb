/** Figure 9: where the values went when the arm's history could be searched, round by round. */
import type { TopLevelSpec } from "vega-lite";
import published from "../../fixtures/published.json" with { type: "json" };
import { boxes, canvas, frame, legendStarts, type Row, type Spec, texts } from "./frame.ts";
import { wrapped } from "./measure.ts";
import { colourOf, figureWidth, sizes } from "./theme.ts";

/** One round of asking: what was changed, and what became of every value. */
export interface Round {
  readonly name: string;
  readonly about: string;
  readonly toolCalls: number;
  /** Confirmed, and it stands in the projection. */
  readonly keptConfirmed: number;
  /** It stands in the projection and was not confirmed. */
  readonly keptMissed: number;
  /** It does not stand there and was found by searching. */
  readonly found: number;
  readonly gone: number;
}

/**
 * The published rounds. What stands in the projection was counted for the closed book and for the last round only; the
 * rounds between are drawn with the closed book's count.
 */
export function publishedRounds(): Round[] {
  const { openBook, forced } = published;
  const standing = forced.summarized.survivingValues;
  return openBook.rounds.map(({ round, change, design, hits, toolCalls }): Round => {
    const searched = toolCalls > 0;
    const absent = searched ? openBook.absentInRound5 : openBook.values - standing;
    const found = searched ? openBook.recoveredInRound5 : 0;
    return {
      name: round === "closed" ? "Closed book" : `Round ${round}`,
      about: change ?? design,
      toolCalls,
      keptConfirmed: hits - found,
      keptMissed: openBook.values - absent - (hits - found),
      found,
      gone: absent - found,
    };
  });
}

const left = 176;
const right = figureWidth - 92;
const barHeight = 22;
const pitch = 44;

const kinds = [
  ["keptConfirmed", "in projection, confirmed"],
  ["keptMissed", "in projection, not confirmed"],
  ["found", "absent, found by search"],
  ["gone", "absent, not found"],
] as const;

export function openBook(rounds: readonly Round[] = publishedRounds()): TopLevelSpec {
  const { values } = published.openBook;
  const colours = {
    keptConfirmed: colourOf("futureos-summarized", []),
    keptMissed: "#9fb4c4",
    found: "#0b3c5d",
    gone: "#dfe3e8",
  } as const;
  const standing = published.forced.summarized.survivingValues;
  return frame({
    title: title(rounds),
    subtitle: [
      `The summarized arm's ${values} values, by what stands in its projection (${standing} of them; ${values - published.openBook.absentInRound5} in round 5) and what was confirmed. Published data: this project has no rounds of its own.`,
      `Round 5 is drawn as its parts add up. The article reports ${published.openBook.rounds.at(-1)?.hits} hits and ${published.openBook.recoveredInRound5} recovered of ${published.openBook.absentInRound5} absent: then ${values - published.openBook.absentInRound5 - ((published.openBook.rounds.at(-1)?.hits ?? 0) - published.openBook.recoveredInRound5)} values in the projection were missed.`,
    ],
    source: "Source: published figures (fixtures/published.json); not results of this project",
    views: [panel(rounds, values, colours)],
  });
}

function title(rounds: readonly Round[]): string {
  const silent = rounds.filter(({ toolCalls, name }) => toolCalls === 0 && name !== "Closed book").length;
  const forced = rounds.find(({ toolCalls }) => toolCalls > 0);
  if (forced === undefined) return `In ${silent} rounds with tools the model never searched`;
  return `The model searched only when its first call was forced: ${forced.found} of ${forced.found + forced.gone} absent values came back`;
}

function panel(
  rounds: readonly Round[],
  values: number,
  colours: Readonly<Record<(typeof kinds)[number][0], string>>,
): Spec {
  const top = 34;
  const at = (count: number): number => Math.round(100 * (left + (count / values) * (right - left))) / 100;
  const y = (index: number): number => top + index * pitch;
  const parts = rounds.flatMap((round, index): Row[] => {
    let from = 0;
    return kinds.map(([kind, name]): Row => {
      const count = round[kind];
      const row = {
        round: round.name,
        part: name,
        count,
        x: at(from),
        x2: at(from + count),
        y: y(index),
        y2: y(index) + barHeight,
        colour: colours[kind],
      };
      from += count;
      return row;
    });
  });
  const inside = (kind: string, style: string): Spec =>
    texts(
      style,
      parts
        .filter(({ part, count }) => part === kind && Number(count) >= 8)
        .map((row) => ({
          x: (Number(row["x"]) + Number(row["x2"])) / 2,
          y: Number(row["y"]) + barHeight / 2,
          text: `${String(row["count"])}`,
        })),
      { align: "center" },
    );
  const starts = legendStarts(
    kinds.map(([, name]) => name),
    sizes.small,
  );
  const about = rounds.flatMap((round, index) =>
    wrapped(round.about, left - 12, sizes.small)
      .slice(0, 2)
      .map((text, line): Row => ({ x: 0, y: y(index) + 19 + 12 * line, text })),
  );
  return canvas(y(rounds.length) - 6, [
    boxes(
      kinds.map(([kind], index) => ({
        x: starts[index] ?? 0,
        x2: (starts[index] ?? 0) + 10,
        y: 3,
        y2: 13,
        colour: colours[kind],
      })),
    ),
    texts(
      "note",
      kinds.map(([, name], index) => ({ x: (starts[index] ?? 0) + 15, y: 8, text: name })),
      { fontSize: 10 },
    ),
    texts(
      "arm",
      rounds.map(({ name }, index) => ({ x: 0, y: y(index) + 6, text: name })),
    ),
    texts("small", about),
    {
      ...boxes(parts),
      encoding: {
        ...(boxes([])["encoding"] as Spec),
        tooltip: [{ field: "round" }, { field: "part" }, { field: "count" }],
      },
    },
    inside(kinds[0][1], "inside"),
    inside(kinds[2][1], "inside"),
    inside(kinds[3][1], "insidePale"),
    texts(
      "value",
      rounds.map(({ keptConfirmed, found }, index) => ({
        x: right + 8,
        y: y(index) + 5,
        text: `${keptConfirmed + found} of ${values}`,
      })),
    ),
    texts(
      "small",
      rounds.map(({ toolCalls }, index) => ({
        x: right + 8,
        y: y(index) + 18,
        text: toolCalls === 0 ? "no search" : `${toolCalls} searches`,
      })),
    ),
  ]);
}
