/** Figure 3: recall, size and cost of a point side by side, with intervals. */
import type { TopLevelSpec } from "vega-lite";
import { canvas, frame, lines, ownColour, pixels, type Row, scaleOf, type Spec, texts } from "./frame.ts";
import {
  amount,
  armsOf,
  cacheShares,
  listed,
  percent,
  provenance,
  type Subject,
  type SubjectArm,
  whole,
} from "./subject.ts";
import { colourOf, figureWidth } from "./theme.ts";

const labelWidth = 154;
const headHeight = 22;
const rowHeight = 26;

interface Measure {
  readonly name: string;
  /** Where its scale and its column of numbers stand. */
  readonly range: readonly [number, number];
  readonly numbersAt: number;
  readonly scale: "linear" | "log";
  readonly value: (arm: SubjectArm) => number | null;
  readonly interval: (arm: SubjectArm) => { readonly low: number | null; readonly high: number | null } | undefined;
  readonly text: (value: number) => string;
  readonly ticks: readonly number[];
  readonly tickText: (value: number) => string;
}

const measures = (currency: string): readonly Measure[] => [
  {
    name: "Recall",
    range: [labelWidth, 230],
    numbersAt: 280,
    scale: "linear",
    value: ({ hits, of }) => (of === 0 ? null : hits / of),
    interval: ({ intervals }) => intervals?.recall,
    text: percent,
    ticks: [0, 0.5, 1],
    tickText: (share) => `${100 * share} %`,
  },
  {
    name: "Projection, tokens (log)",
    range: [304, 394],
    numbersAt: 446,
    scale: "log",
    value: ({ medianProjectionTokens }) => medianProjectionTokens,
    interval: ({ intervals }) => intervals?.medianProjectionTokens,
    text: whole,
    ticks: [100, 1000, 10_000, 100_000, 1_000_000],
    tickText: (tokens) =>
      tokens >= 1_000_000 ? `${tokens / 1_000_000}M` : tokens >= 1000 ? `${tokens / 1000}k` : `${tokens}`,
  },
  {
    name: `${currency} a point (log)`,
    range: [470, 532],
    numbersAt: figureWidth,
    scale: "log",
    value: ({ cost }) => cost.costPerPointNano,
    interval: ({ intervals }) => intervals?.costPerPointNano,
    text: amount,
    ticks: [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000],
    tickText: (nano) => `${nano / 1e9}`,
  },
];

export function threeWay(subjects: readonly Subject[]): TopLevelSpec {
  const { conditions, source } = provenance(subjects);
  const [first] = subjects;
  const currency = first?.currency ?? "";
  const arms = armsOf(subjects);
  const ids = arms.map(({ id }) => id);
  const hasIntervals = subjects.some((subject) => subject.arms.some(({ intervals }) => intervals !== undefined));
  const about = [
    ...(hasIntervals ? ["Lines: 95 % intervals, seeded bootstrap over sheets, 10,000 resamples."] : []),
    ...(subjects.length > 1 ? ["Filled: this run, with its numbers; hollow: published."] : []),
    `A point: one compaction and ${first?.turns ?? 100} turns for each per cent of recall, cache ${cacheShares(subjects)}.`,
  ].join(" ");
  const y = (id: string): number => headHeight + ids.indexOf(id) * rowHeight + rowHeight / 2;
  return frame({
    title: title(first),
    subtitle: [about, conditions],
    source,
    views: [
      canvas(headHeight + arms.length * rowHeight + 16, [
        texts(
          "arm",
          arms.map(({ id, title }) => ({ x: 0, y: y(id), text: title })),
        ),
        ...measures(currency).flatMap((measure) => column(subjects, ids, y, measure)),
      ]),
    ],
  });
}

function column(
  subjects: readonly Subject[],
  ids: readonly string[],
  y: (id: string) => number,
  measure: Measure,
): Spec[] {
  const rows = subjects.flatMap(({ kind, arms }) =>
    arms.flatMap((arm): Mark[] => {
      const value = measure.value(arm);
      if (value === null || (measure.scale === "log" && value <= 0)) return [];
      const { low, high } = measure.interval(arm) ?? { low: null, high: null };
      return [{ arm, kind, value, low: low ?? value, high: high ?? value }];
    }),
  );
  const ends = rows.flatMap(({ low, high }) => [low, high]);
  const domain =
    measure.scale === "linear" ? ([0, 1] as const) : ([Math.min(...ends) * 0.75, Math.max(...ends) * 1.3] as const);
  const at = scaleOf(measure.scale, domain, measure.range);
  const ticks = measure.ticks.filter((tick) => tick >= domain[0] && tick <= domain[1]);
  const placed = rows.map(({ arm, kind, value, low, high }): Row => ({
    arm: arm.id,
    title: arm.title,
    kind,
    value: measure.text(value),
    low: at(low),
    high: at(high),
    x: at(value),
    y: y(arm.id),
    colour: colourOf(arm.id, ids),
  }));
  const main = subjects[0];
  const isHollow = (row: Row): boolean => subjects.length > 1 && row["kind"] === "published";
  const position = { x: pixels("x"), y: pixels("y"), color: ownColour };
  const tooltip = [{ field: "title" }, { field: "value" }, { field: "kind" }];
  const dots = (values: readonly Row[], mark: Spec): Spec[] =>
    values.length === 0
      ? []
      : [{ data: { values }, mark: { type: "point", opacity: 1, ...mark }, encoding: { ...position, tooltip } }];
  const numberOf = (arm: SubjectArm): Row => {
    const value = measure.value(arm);
    return { x: measure.numbersAt, y: y(arm.id), text: value === null ? "none" : measure.text(value) };
  };
  const numbers = (main?.arms ?? []).map(numberOf);
  const mainIds = main?.arms.map(({ id }) => id) ?? [];
  const others = subjects.slice(1).flatMap(({ arms }) => arms.filter(({ id }) => !mainIds.includes(id)).map(numberOf));
  const bottom = headHeight + ids.length * rowHeight;
  return [
    lines(
      "line",
      ticks.map((tick) => ({ x: at(tick), x2: at(tick), y: headHeight, y2: bottom })),
      { opacity: 0.3 },
    ),
    texts(
      "small",
      ticks.map((tick) => ({ x: at(tick), y: bottom + 9, text: measure.tickText(tick) })),
      { align: "center" },
    ),
    texts("heading", [{ x: measure.range[0], y: 6, text: measure.name }], { fontSize: 11 }),
    {
      data: { values: placed },
      mark: { type: "rule", strokeWidth: 1.5, opacity: 0.55 },
      encoding: { x: pixels("low"), x2: { field: "high" }, y: pixels("y"), color: ownColour },
    },
    ...dots(
      placed.filter((row) => !isHollow(row)),
      { filled: true, size: 60 },
    ),
    ...dots(placed.filter(isHollow), { filled: false, size: 100, strokeWidth: 1.6 }),
    texts("value", numbers, { align: "right" }),
    ...(others.length > 0 ? [texts("note", others, { align: "right" })] : []),
  ];
}

interface Mark {
  readonly arm: SubjectArm;
  readonly kind: Subject["kind"];
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

function title(subject: Subject | undefined): string {
  const arms = subject?.arms.filter(({ isControl, of }) => !isControl && of > 0) ?? [];
  const best = Math.max(...arms.map(({ hits, of }) => hits / of));
  const cheapest = [...arms].sort(
    (a, b) => (a.cost.costPerPointNano ?? Infinity) - (b.cost.costPerPointNano ?? Infinity),
  )[0];
  const smallest = [...arms].sort(
    (a, b) => (a.medianProjectionTokens ?? Infinity) - (b.medianProjectionTokens ?? Infinity),
  )[0];
  if (cheapest === undefined || smallest === undefined) return "Recall, size and cost of each arm";
  const leaders = arms.filter(({ hits, of }) => hits / of === best).map((arm) => arm.title);
  return `${listed(leaders)} ${leaders.length > 1 ? "recall" : "recalls"} most, ${smallest.title} carries least, and ${cheapest.title} has the cheapest point`;
}
