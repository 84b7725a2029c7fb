/** Figure 9: where the values went when the arm's history could be searched, round by round. */
import type { TopLevelSpec } from "vega-lite";
import published from "../../fixtures/published.json" with { type: "json" };
import type { OpenBookReport } from "../../harness/open-book/report.ts";
import { roundTitle, rounds as allRounds } from "../../harness/open-book/rounds.ts";
import { boxes, canvas, frame, legendStarts, type Row, type Spec, texts } from "./frame.ts";
import { wrapped } from "./measure.ts";
import { colourOf, figureWidth, sizes } from "./theme.ts";

/** One round of asking: what was changed, and what became of every value. */
export interface Round {
  readonly name: string;
  readonly about: string;
  /** Whether the model was given tools to search with. */
  readonly isOpen: boolean;
  readonly isForced: boolean;
  readonly toolCalls: number;
  /** Confirmed, and it stands in the projection. */
  readonly keptConfirmed: number;
  /** It stands in the projection and was not confirmed. */
  readonly keptMissed: number;
  /** It does not stand there and was found by searching. */
  readonly found: number;
  /** It does not stand there, nothing showed it, and it was confirmed all the same. */
  readonly guessed: number;
  readonly gone: number;
}

/** The rounds of a run, or the published ones. */
export interface OpenBookSubject {
  readonly kind: "run" | "published";
  readonly name: string;
  /** Id of the arm whose projections were used. */
  readonly arm: string;
  readonly about: readonly string[];
  readonly source: string;
  readonly values: number;
  readonly rounds: readonly Round[];
}

/** Round 5 is an upper bound, and is called so. */
function nameOf(name: (typeof allRounds)[number]["round"]): string {
  const round = allRounds.find((one) => one.round === name);
  return round === undefined || name === "closed" ? "Closed book" : `Round ${roundTitle(round)}`;
}

/** An open-book run. Sheets that could not be asked are in none of its counts. */
export function openBookOfRun(report: OpenBookReport): OpenBookSubject {
  const [label = `model ${report.model}`] = report.labels;
  const { exam, arm } = report;
  return {
    kind: "run",
    name: "This run",
    arm: arm.id,
    about: [
      `${arm.title}: ${exam.targets} values, of which ${exam.kept} stand in its projections, and what was confirmed. ${label.charAt(0).toUpperCase()}${label.slice(1)}. Looking up with ${report.interface.title}.`,
    ],
    source: `Source: closed-book, run ${report.openBookId} on ${report.closedRun}`,
    values: exam.targets,
    rounds: report.rounds.map(({ round, change, design, toolCalls, values }): Round => ({
      name: nameOf(round),
      about: change,
      isOpen: design !== "no tools",
      isForced: design === "required",
      toolCalls,
      keptConfirmed: values.keptAndConfirmed,
      keptMissed: values.keptAndMissed,
      found: values.recovered,
      guessed: values.guessed,
      gone: values.lostAndNeverSearched + values.lostAndSearchedInVain,
    })),
  };
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
      name: nameOf(round as (typeof allRounds)[number]["round"]),
      about: change ?? design,
      isOpen: design !== "no tools",
      isForced: design === "required",
      toolCalls,
      keptConfirmed: hits - found,
      keptMissed: openBook.values - absent - (hits - found),
      found,
      guessed: 0,
      gone: absent - found,
    };
  });
}

/** The published experiment's open book. No result of this project. */
export function publishedOpenBook(): OpenBookSubject {
  const { openBook, forced } = published;
  const present = openBook.values - openBook.absentInRound5;
  const hits = openBook.rounds.at(-1)?.hits ?? 0;
  return {
    kind: "published",
    name: "Published",
    arm: "futureos-summarized",
    about: [
      `The summarized arm's ${openBook.values} values, by what stands in its projection (${forced.summarized.survivingValues} of them; ${present} in round 5) and what was confirmed. Published data, no result of this project.`,
      `Round 5 is drawn as its parts add up. The article reports ${hits} hits and ${openBook.recoveredInRound5} recovered of ${openBook.absentInRound5} absent: then ${present - (hits - openBook.recoveredInRound5)} values in the projection were missed.`,
    ],
    source: "Source: published figures (fixtures/published.json); not results of this project",
    values: openBook.values,
    rounds: publishedRounds(),
  };
}

const left = 176;
const right = figureWidth - 92;
const barHeight = 22;
const pitch = 48;

const kinds = [
  ["keptConfirmed", "in projection, confirmed"],
  ["keptMissed", "in projection, not confirmed"],
  ["found", "absent, found by search"],
  ["guessed", "absent, guessed"],
  ["gone", "absent, not found"],
] as const;

export function openBook(subjects: readonly OpenBookSubject[] = [publishedOpenBook()]): TopLevelSpec {
  const both = subjects.length > 1;
  return frame({
    title: title(subjects[0]?.rounds ?? []),
    subtitle: subjects.flatMap(({ name, about }) =>
      about.map((text, index) => (both && index === 0 ? `${name}: ${text}` : text)),
    ),
    source: subjects.map(({ source }, index) => (index === 0 ? source : source.replace(/^Source: /, ""))).join("; "),
    views: subjects.map((subject) => panel(subject, both)),
  });
}

function title(rounds: readonly Round[]): string {
  const open = rounds.filter(({ isOpen }) => isOpen);
  const searching = open.filter(({ toolCalls }) => toolCalls > 0);
  const most = searching.reduce<Round | undefined>((a, b) => (a === undefined || b.found > a.found ? b : a), undefined);
  if (most === undefined)
    return open.length === 0
      ? "What is confirmed without a search"
      : `In ${open.length} rounds with tools the model never searched`;
  const back = `${most.found} of ${most.found + most.guessed + most.gone} absent values came back`;
  return searching.every(({ isForced }) => isForced)
    ? `The model searched only when its first call was forced: ${back}`
    : `When the model searched, ${back}`;
}

function panel({ name: subject, arm, values, rounds }: OpenBookSubject, isNamed: boolean): Spec {
  const colours = {
    keptConfirmed: colourOf(arm, [arm]),
    keptMissed: "#9fb4c4",
    found: "#0b3c5d",
    guessed: "#b00020",
    gone: "#dfe3e8",
  } as const;
  const drawn = kinds.filter(([kind]) => kind !== "guessed" || rounds.some(({ guessed }) => guessed > 0));
  const heading = isNamed ? 22 : 0;
  const top = 34 + heading;
  const at = (count: number): number => Math.round(100 * (left + (count / values) * (right - left))) / 100;
  const y = (index: number): number => top + index * pitch;
  const parts = rounds.flatMap((round, index): Row[] => {
    let from = 0;
    return drawn.map(([kind, name]): Row => {
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
  const inside = (kind: string, style: string): Spec[] => {
    const wide = parts.filter(({ part, count }) => part === kind && Number(count) >= 8);
    const rows = wide.map(({ x, x2, y: above, count }): Row => ({
      x: (Number(x) + Number(x2)) / 2,
      y: Number(above) + barHeight / 2,
      text: String(count),
    }));
    return rows.length === 0 ? [] : [texts(style, rows, { align: "center" })];
  };
  const starts = legendStarts(
    drawn.map(([, name]) => name),
    sizes.small,
  );
  const about = rounds.flatMap((round, index) =>
    wrapped(round.about, left - 12, sizes.small)
      .slice(0, 2)
      .map((text, line): Row => ({ x: 0, y: y(index) + 19 + 12 * line, text })),
  );
  return canvas(y(rounds.length) - 6, [
    ...(isNamed ? [texts("heading", [{ x: 0, y: 6, text: subject }])] : []),
    boxes(
      drawn.map(([kind], index) => ({
        x: starts[index] ?? 0,
        x2: (starts[index] ?? 0) + 10,
        y: heading + 3,
        y2: heading + 13,
        colour: colours[kind],
      })),
    ),
    texts(
      "note",
      drawn.map(([, name], index) => ({ x: (starts[index] ?? 0) + 15, y: heading + 8, text: name })),
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
    ...inside(kinds[0][1], "inside"),
    ...inside(kinds[2][1], "inside"),
    ...inside(kinds[3][1], "inside"),
    ...inside(kinds[4][1], "insidePale"),
    texts(
      "value",
      rounds.map(({ keptConfirmed, found, guessed }, index) => ({
        x: right + 8,
        y: y(index) + 5,
        text: `${keptConfirmed + found + guessed} of ${values}`,
      })),
    ),
    texts(
      "small",
      rounds.map(({ toolCalls }, index) => ({
        x: right + 8,
        y: y(index) + 18,
        text: toolCalls === 0 ? "no tool call" : `${toolCalls} tool calls`,
      })),
    ),
  ]);
}
