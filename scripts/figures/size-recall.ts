/** Figure 4: the size of what the next request carries against what can still be answered from it. */
import type { TopLevelSpec } from "vega-lite";
import { frame, logDomain, ownColour, type Row, type Spec, texts } from "./frame.ts";
import { type Box, placeLabels } from "./place-labels.ts";
import { armsOf, listed, percent, provenance, type Subject, type SubjectArm, whole } from "./subject.ts";
import { colourOf, figureWidth, sizes } from "./theme.ts";

const left = 46;
const right = figureWidth - 8;
const height = 330;
const radius = 5;

interface Point {
  readonly arm: SubjectArm;
  readonly kind: Subject["kind"];
  readonly tokens: number;
  readonly recall: number;
}

/** Whether an arm has a place in this figure: a size on a log scale, and a recall. */
export const hasSize = ({ medianProjectionTokens: tokens, of }: SubjectArm): boolean =>
  tokens !== null && tokens > 0 && of > 0;

export function sizeRecall(subjects: readonly Subject[]): TopLevelSpec {
  const { conditions, source } = provenance(subjects);
  const ids = armsOf(subjects).map(({ id }) => id);
  const points = subjects.flatMap(({ kind, arms }) =>
    arms.flatMap((arm): Point[] => {
      const tokens = arm.medianProjectionTokens ?? 0;
      return hasSize(arm) ? [{ arm, kind, tokens, recall: arm.hits / arm.of }] : [];
    }),
  );
  const [mainKind] = subjects.map(({ kind }) => kind);
  const own = points.filter(({ kind }) => kind === mainKind);
  const frontier = own
    .toSorted((a, b) => a.tokens - b.tokens || b.recall - a.recall)
    .filter((point, index, sorted) => sorted.slice(0, index).every(({ recall }) => recall < point.recall));
  const omitted = (subjects[0]?.arms ?? [])
    .filter(({ medianProjectionTokens: tokens }) => tokens === 0)
    .map(({ title }) => title);
  const partly = own.filter(({ arm }) => arm.notAsked > 0);
  const about = [
    "Grey steps: the most recall within each size.",
    ...(subjects.some(({ kind }) => kind === "run") ? ["Lines: 95 % intervals, seeded bootstrap over sheets."] : []),
    ...(subjects.length > 1 ? ["Filled: this run; hollow: published."] : []),
    ...(omitted.length > 0 ? [`${listed(omitted)} has no size and is not on a log scale.`] : []),
    ...partly.map(({ arm }) => `${arm.title} is scored on the ${arm.of} targets that could be asked.`),
  ].join(" ");
  return frame({
    title: title(own, frontier),
    subtitle: [about, conditions],
    source,
    views: [plot(points, frontier, ids, subjects.length > 1)],
  });
}

function plot(points: readonly Point[], frontier: readonly Point[], ids: readonly string[], both: boolean): Spec {
  const rows = points.map(({ arm, kind, tokens, recall }): Row => ({
    arm: arm.id,
    title: arm.title,
    kind,
    tokens,
    recall,
    lowTokens: arm.intervals?.medianProjectionTokens.low ?? tokens,
    highTokens: arm.intervals?.medianProjectionTokens.high ?? tokens,
    lowRecall: arm.intervals?.recall.low ?? recall,
    highRecall: arm.intervals?.recall.high ?? recall,
    colour: colourOf(arm.id, ids),
  }));
  const sizesSeen = rows.flatMap(({ lowTokens, highTokens }) => [Number(lowTokens), Number(highTokens)]);
  const xDomain = logDomain(sizesSeen);
  const xPixel = (tokens: number): number =>
    left + (Math.log(tokens / xDomain[0]) / Math.log(xDomain[1] / xDomain[0])) * (right - left);
  const yPixel = (recall: number): number => height * (1 - recall / 1.04);
  const ticks = [500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000];
  const x = (field: string): Spec => ({
    field,
    type: "quantitative",
    scale: { type: "log", domain: [...xDomain], range: [left, right], nice: false },
    axis: {
      title: "Median tokens of the projection (log scale)",
      titleX: left,
      titleAlign: "left",
      titleAnchor: "start",
      values: ticks.filter((tick) => tick >= xDomain[0] && tick <= xDomain[1]),
      format: "~s",
      ticks: true,
      grid: false,
      domain: true,
    },
  });
  const y = (field: string): Spec => ({
    field,
    type: "quantitative",
    scale: { domain: [0, 1.04], nice: false },
    axis: null,
  });
  const isHollow = ({ kind }: Row): boolean => both && kind === "published";
  const nameOf = (row: Row): string => String(row["title"]);
  const obstacles = rows.flatMap((row): Box[] => {
    const [cx, cy] = [xPixel(Number(row["tokens"])), yPixel(Number(row["recall"]))];
    return [
      [cx - 1.5, yPixel(Number(row["highRecall"])), cx + 1.5, yPixel(Number(row["lowRecall"]))],
      [xPixel(Number(row["lowTokens"])), cy - 1.5, xPixel(Number(row["highTokens"])), cy + 1.5],
      [cx - radius, cy - radius, cx + radius, cy + radius],
    ];
  });
  const steps = frontier.flatMap(({ tokens, recall }, index): Box[] => {
    const next = frontier[index + 1];
    if (next === undefined) return [];
    const [x1, y1, x2, y2] = [xPixel(tokens), yPixel(recall), xPixel(next.tokens), yPixel(next.recall)];
    return [
      [x1, y1 - 1, x2, y1 + 1],
      [x2 - 1, y2, x2 + 1, y1],
    ];
  });
  const seats = placeLabels(
    rows.map((row) => ({
      x: xPixel(Number(row["tokens"])),
      y: yPixel(Number(row["recall"])),
      text: nameOf(row),
    })),
    [...obstacles, ...steps],
    [left, 0, figureWidth, height],
    { size: sizes.label, radius },
  );
  const labels = rows.map((row, index) => ({
    text: nameOf(row),
    isHollow: isHollow(row),
    ...(seats[index] ?? { x: 0, y: 0, align: "left" as const }),
  }));
  const levels = [0, 0.2, 0.4, 0.6, 0.8, 1];
  const hollow = rows.filter(isHollow);
  const filled = rows.filter((row) => !hollow.includes(row));
  const tooltip = [{ field: "title" }, { field: "kind" }, { field: "tokens" }, { field: "recall" }];
  return {
    width: figureWidth,
    height,
    layer: [
      {
        data: { values: levels.map((level) => ({ level })) },
        mark: { type: "rule", style: "line", opacity: 0.3 },
        encoding: { x: { value: left }, x2: { value: right }, y: y("level") },
      },
      texts(
        "small",
        levels.map((level) => ({ x: left - 8, y: Math.round(yPixel(level) * 100) / 100, text: `${level * 100} %` })),
        { align: "right" },
      ),
      texts("heading", [{ x: 0, y: -2, text: "Recall" }], { fontSize: 11 }),
      {
        data: { values: frontier.map(({ tokens, recall }) => ({ tokens, recall })) },
        mark: { type: "line", interpolate: "step-after", style: "guide", strokeWidth: 1.5 },
        encoding: { x: x("tokens"), y: y("recall") },
      },
      {
        data: { values: rows },
        layer: [
          {
            mark: { type: "rule", strokeWidth: 1.5, opacity: 0.5 },
            encoding: { x: x("tokens"), y: y("lowRecall"), y2: { field: "highRecall" }, color: ownColour },
          },
          {
            mark: { type: "rule", strokeWidth: 1.5, opacity: 0.5 },
            encoding: { x: x("lowTokens"), x2: { field: "highTokens" }, y: y("recall"), color: ownColour },
          },
        ],
      },
      ...(hollow.length > 0
        ? [
            {
              data: { values: hollow },
              mark: { type: "point", filled: false, size: 80, strokeWidth: 1.8, opacity: 1 },
              encoding: { x: x("tokens"), y: y("recall"), color: ownColour, tooltip },
            },
          ]
        : []),
      {
        data: { values: filled },
        mark: { type: "point", filled: true, size: 90, opacity: 1 },
        encoding: { x: x("tokens"), y: y("recall"), color: ownColour, tooltip },
      },
      ...(["left", "right", "center"] as const).flatMap((align) => {
        const seated = (hollows: boolean): Row[] =>
          labels
            .filter((label) => label.align === align && label.isHollow === hollows)
            .map(({ x: at, y: down, text }) => ({
              x: Math.round(at * 100) / 100,
              y: Math.round(down * 100) / 100,
              text,
            }));
        const [own, others] = [seated(false), seated(true)];
        return [
          texts("halo", own, { align, fontWeight: 500 }),
          texts("arm", own, { align }),
          texts("halo", others, { align }),
          texts("note", others, { align }),
        ];
      }),
    ],
  };
}

function title(points: readonly Point[], frontier: readonly Point[]): string {
  const products = points.filter(({ arm }) => !arm.isControl);
  const onFrontier = frontier.filter(({ arm }) => !arm.isControl).map(({ arm }) => arm.title);
  const behind = products.filter(({ arm }) => !onFrontier.includes(arm.title)).map(({ arm }) => arm.title);
  const [only] = products;
  if (only === undefined) return "Size against recall";
  if (products.length === 1)
    return `${only.arm.title} recalls ${percent(only.recall)} with ${whole(only.tokens)} tokens`;
  if (onFrontier.length === 0) return `A control recalls as much as ${listed(behind)} with fewer tokens`;
  return behind.length === 0
    ? "Every product is on the frontier: more tokens buy more recall"
    : `${listed(onFrontier)} ${onFrontier.length > 1 ? "are" : "is"} on the frontier of size and recall, ${listed(behind)} ${behind.length > 1 ? "are" : "is"} not`;
}
