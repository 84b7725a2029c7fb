/** Figure 1: every target of every arm as a square, kept or lost, and the decoys apart. */
import type { TopLevelSpec } from "vega-lite";
import { canvas, frame, ownColour, pixels, type Row, type Spec, texts } from "./frame.ts";
import { armsOf, listed, percent, provenance, type Subject, type SubjectArm } from "./subject.ts";
import { colourOf, figureWidth } from "./theme.ts";

const columns = 20;
const decoyColumns = 40;
const gap = 27;
const headHeight = 34;

/** Blocks a line, and the size of a square: four, or three where four would leave one block alone. */
interface Grid {
  readonly perLine: number;
  readonly blockWidth: number;
  readonly step: number;
  readonly decoyStep: number;
}

function gridOf(blocks: number): Grid {
  const perLine = blocks > 4 && blocks % 4 === 1 ? 3 : 4;
  const blockWidth = Math.floor((figureWidth - (perLine - 1) * gap) / perLine / 2) * 2;
  return { perLine, blockWidth, step: blockWidth / columns, decoyStep: blockWidth / decoyColumns };
}

/** Squares `from` to `to` of a grid at (left, top). The specification stays short: vega counts them out. */
const run = (left: number, top: number, from: number, to: number, more: Row): Row => ({ left, top, from, to, ...more });

interface Block {
  readonly arm: SubjectArm;
  readonly colour: string;
  readonly left: number;
  readonly top: number;
}

export function waffle(subjects: readonly Subject[]): TopLevelSpec {
  const { conditions, source } = provenance(subjects);
  return frame({
    title: title(subjects),
    subtitle: [
      "One square a target: filled where the model confirmed it. Small squares: decoys, which never occurred.",
      conditions,
    ],
    source,
    views: subjects.map((subject, index) => panel(subject, subjects, index === 0)),
    spacing: 26,
  });
}

function title(subjects: readonly Subject[]): string {
  const [subject] = subjects;
  const products = subject?.arms.filter(({ isControl, of }) => !isControl && of > 0) ?? [];
  const sorted = [...products].sort((a, b) => b.hits / b.of - a.hits / a.of);
  const [best, worst] = [sorted[0], sorted.at(-1)];
  if (best === undefined || worst === undefined) return "What each arm keeps of what was asked for";
  const armsWith = (hits: number): string =>
    listed(products.filter((arm) => arm.hits === hits).map((arm) => arm.title));
  const several = products.filter((arm) => arm.hits === best.hits).length > 1;
  const caught = products.filter(({ decoys }) => decoys.confirmed > 0).map((arm) => arm.title);
  const but = caught.length === 0 ? "" : `; ${listed(caught)} ${caught.length > 1 ? "confirm" : "confirms"} decoys too`;
  if (best.hits === worst.hits)
    return `${armsWith(best.hits)} ${several ? "all keep" : "keeps"} ${best.hits} of ${best.of} values${but}`;
  return `${armsWith(best.hits)} ${several ? "keep" : "keeps"} ${best.hits} of ${best.of} values, ${armsWith(worst.hits)} ${worst.hits}${worst.of === best.of ? "" : ` of ${worst.of}`}${but}`;
}

/** Panels have one grid, so that a square is as large in each; the first has the legend. */
function panel(subject: Subject, subjects: readonly Subject[], explains: boolean): Spec {
  const { arms } = subject;
  const heading = subjects.length > 1;
  const legendTop = heading ? 26 : 4;
  const grid = gridOf(Math.max(...subjects.map((one) => one.arms.length)));
  const { perLine, blockWidth, step, decoyStep } = grid;
  const targetLines = Math.ceil(Math.max(...arms.map(({ of, notAsked }) => of + notAsked)) / columns);
  const decoyLines = Math.ceil(Math.max(...arms.map(({ decoys }) => decoys.of)) / decoyColumns);
  const blockHeight = headHeight + targetLines * step + 26 + decoyLines * decoyStep;
  const ids = armsOf(subjects).map(({ id }) => id);
  const blocks = arms.map((arm, index): Block => ({
    arm,
    colour: colourOf(arm.id, ids),
    left: (index % perLine) * (blockWidth + gap),
    top: legendTop + (explains ? 28 : 0) + Math.floor(index / perLine) * (blockHeight + 22),
  }));
  const decoyTop = headHeight + targetLines * step + 24;
  const height = Math.max(...blocks.map(({ top }) => top)) + blockHeight;
  return canvas(height, [
    ...(heading ? [texts("heading", [{ x: 0, y: 6, text: subject.name }])] : []),
    ...(explains ? legend(legendTop + 2) : []),
    texts(
      "arm",
      blocks.map(({ arm, left, top }) => ({ x: left, y: top + 6, text: arm.title })),
    ),
    texts(
      "note",
      blocks.map(({ arm, left, top }) => ({ x: left, y: top + 23, text: tally(arm) })),
    ),
    squares("square", blocks.flatMap(kept), columns, step),
    squares("outline", blocks.flatMap(lost), columns, step),
    squares("dot", blocks.flatMap(unasked), columns, step),
    texts(
      "small",
      blocks.map(({ arm, left, top }) => ({ x: left, y: top + decoyTop - 9, text: decoyTally(arm) })),
    ),
    squares(
      "square",
      blocks.flatMap((block) => confirmedDecoys(block, decoyTop)),
      decoyColumns,
      decoyStep,
    ),
    squares(
      "outline",
      blocks.flatMap((block) => otherDecoys(block, decoyTop)),
      decoyColumns,
      decoyStep,
    ),
  ]);
}

const tally = ({ hits, of, notAsked }: SubjectArm): string =>
  of === 0 ? "none asked" : `${hits} of ${of}${notAsked > 0 ? `; ${notAsked} not asked` : `, ${percent(hits / of)}`}`;
const decoyTally = ({ decoys }: SubjectArm): string => `${decoys.confirmed}/${decoys.of} decoys confirmed`;

const named = ({ arm }: Block, outcome: string): Row => ({ arm: arm.id, title: arm.title, outcome });
const kept = (block: Block): Row[] => {
  const { arm, colour, left, top } = block;
  return [run(left, top + headHeight, 0, arm.hits, { colour, ...named(block, "kept") })];
};
const lost = (block: Block): Row[] => {
  const { arm, left, top } = block;
  return [run(left, top + headHeight, arm.hits, arm.of, named(block, "lost"))];
};
const unasked = (block: Block): Row[] => {
  const { arm, left, top } = block;
  return [run(left, top + headHeight, arm.of, arm.of + arm.notAsked, named(block, "not asked"))];
};
const confirmedDecoys = (block: Block, under: number): Row[] => {
  const { arm, left, top } = block;
  return [run(left, top + under, 0, arm.decoys.confirmed, { colour: "#b00020", ...named(block, "decoy confirmed") })];
};
const otherDecoys = (block: Block, under: number): Row[] => {
  const { arm, left, top } = block;
  return [run(left, top + under, arm.decoys.confirmed, arm.decoys.of, named(block, "decoy left out"))];
};

/** Squares of a grid `wide` squares wide, one each `size` pixels. Outlines are drawn smaller by the width of their line. */
function squares(style: "square" | "outline" | "dot", rows: readonly Row[], wide: number, size: number): Spec {
  const filled = style === "square";
  const side = { square: 0.8 * size, outline: 0.8 * size - 1, dot: 0.22 * size }[style];
  return {
    data: { values: rows },
    transform: [
      { calculate: "sequence(datum.from, datum.to)", as: "square" },
      { flatten: ["square"] },
      { calculate: `datum.left + (datum.square % ${wide}) * ${round(size)} + ${round(size / 2)}`, as: "x" },
      { calculate: `datum.top + floor(datum.square / ${wide}) * ${round(size)} + ${round(size / 2)}`, as: "y" },
    ],
    mark: {
      type: "point",
      shape: "square",
      size: round(side * side),
      opacity: 1,
      ...(filled ? { filled } : { style, filled: style === "dot" }),
    },
    encoding: {
      x: pixels("x"),
      y: pixels("y"),
      ...(filled ? { color: ownColour } : {}),
      tooltip: [{ field: "title" }, { field: "outcome" }],
    },
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** The three kinds of square and the two kinds of decoy, in grey. */
function legend(y: number): Spec[] {
  const at = (x: number, text: string): Row => ({ x: x + 9, y, text });
  const mark = (x: number, style: Spec, size: number): Spec => ({
    data: { values: [{ x: x + 2, y }] },
    mark: { type: "point", shape: "square", size, opacity: 1, ...style },
    encoding: { x: pixels("x"), y: pixels("y") },
  });
  return [
    mark(2, { filled: true, color: "#57606a" }, 44),
    mark(58, { style: "outline", filled: false }, 36),
    mark(104, { style: "dot", filled: true }, 5),
    mark(228, { filled: true, color: "#b00020" }, 10),
    mark(336, { style: "outline", filled: false }, 6.5),
    texts("note", [
      at(2, "kept"),
      at(58, "lost"),
      at(104, "could not be asked"),
      at(228, "decoy confirmed"),
      at(336, "decoy left out"),
    ]),
  ];
}
