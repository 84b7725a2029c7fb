/** Figure 3: recall, size and cost of a point side by side, with intervals. */
import type { TopLevelSpec } from "vega-lite";
import {
  canvas,
  frame,
  lines,
  logDomain,
  logTicks,
  ownColour,
  pixels,
  type Row,
  scaleOf,
  type Spec,
  texts,
} from "./frame.ts";
import {
  amount,
  armsOf,
  cacheShares,
  listed,
  percent,
  provenance,
  type Subject,
  type SubjectArm,
  shareCurrency,
  whole,
} from "./subject.ts";
import { colourOf, figureWidth } from "./theme.ts";

const labelWidth = 154;
const headHeight = 22;

interface Measure {
  readonly name: string;
  /** Where its scale and its column of numbers stand. */
  readonly range: readonly [number, number];
  readonly numbersAt: number;
  readonly scale: "linear" | "log";
  readonly value: (arm: SubjectArm) => number | null;
  readonly interval: (arm: SubjectArm) => { readonly low: number | null; readonly high: number | null } | undefined;
  readonly text: (value: number) => string;
  readonly tickText: (value: number) => string;
}

const measures = (currency: string | null): readonly Measure[] => [
  {
    name: "Recall",
    range: [labelWidth, 228],
    numbersAt: 280,
    scale: "linear",
    value: ({ hits, of }) => (of === 0 ? null : hits / of),
    interval: ({ intervals }) => intervals?.recall,
    text: percent,
    tickText: (share) => `${100 * share} %`,
  },
  {
    name: "Projection, tokens (log)",
    range: [300, 394],
    numbersAt: 446,
    scale: "log",
    value: ({ medianProjectionTokens }) => medianProjectionTokens,
    interval: ({ intervals }) => intervals?.medianProjectionTokens,
    text: whole,
    tickText: (tokens) =>
      tokens >= 1_000_000 ? `${tokens / 1_000_000}M` : tokens >= 1000 ? `${tokens / 1000}k` : `${tokens}`,
  },
  {
    name: currency === null ? "A point: price unknown" : `${currency} a point (log)`,
    range: [468, 530],
    numbersAt: figureWidth,
    scale: "log",
    value: ({ cost }) => cost.costPerPointNano,
    interval: ({ intervals }) => intervals?.costPerPointNano,
    text: amount,
    tickText: (nano) => `${nano / 1e9}`,
  },
];

export function threeWay(subjects: readonly Subject[]): TopLevelSpec {
  const { conditions, source } = provenance(subjects);
  const [first] = subjects;
  // Amounts of two currencies have no common scale: then the run's alone are drawn.
  const priced = shareCurrency(subjects) ? subjects : subjects.slice(0, 1);
  const rowHeight = subjects.length > 1 ? 36 : 26;
  const arms = armsOf(subjects);
  const ids = arms.map(({ id }) => id);
  const hasIntervals = subjects.some((subject) => subject.arms.some(({ intervals }) => intervals !== undefined));
  const about = [
    ...(hasIntervals ? ["Lines: 95 % intervals, seeded bootstrap over sheets, 10,000 resamples."] : []),
    ...(subjects.length > 1 ? ["Filled: this run; hollow, with the second number: published."] : []),
    `A point: one compaction and ${first?.turns ?? 100} turns for each per cent of recall, cache ${cacheShares(priced)}.`,
    ...(priced.length < subjects.length ? ["Published costs are in another currency and left out."] : []),
  ].join(" ");
  const y = (id: string): number => headHeight + ids.indexOf(id) * rowHeight + rowHeight / 2;
  const bottom = headHeight + ids.length * rowHeight;
  return frame({
    title: title(first),
    subtitle: [about, conditions],
    source,
    views: [
      canvas(bottom + 16, [
        texts(
          "arm",
          arms.map(({ id, title }) => ({ x: 0, y: y(id), text: title })),
        ),
        ...measures(first?.currency ?? null).flatMap((measure, index, { length }) =>
          column(
            index === length - 1 ? priced : subjects,
            { ids, y, bottom, apart: subjects.length > 1 ? 7 : 0 },
            measure,
          ),
        ),
      ]),
    ],
  });
}

/** Rows of the arms; two subjects stand `apart` pixels above and below the middle of a row. */
interface Lines {
  readonly ids: readonly string[];
  readonly y: (id: string) => number;
  readonly bottom: number;
  readonly apart: number;
}

function column(subjects: readonly Subject[], { ids, y, bottom, apart }: Lines, measure: Measure): Spec[] {
  const isInAll = ({ id }: SubjectArm): boolean => subjects.every(({ arms }) => arms.some((arm) => arm.id === id));
  const yOf = (arm: SubjectArm, kind: Subject["kind"]): number =>
    y(arm.id) + (isInAll(arm) ? (kind === "published" ? apart : -apart) : 0);
  const rows = subjects.flatMap(({ kind, arms }) =>
    arms.flatMap((arm): Mark[] => {
      const value = measure.value(arm);
      if (value === null || (measure.scale === "log" && value <= 0)) return [];
      const { low, high } = measure.interval(arm) ?? { low: null, high: null };
      return [{ arm, kind, value, low: low ?? value, high: high ?? value }];
    }),
  );
  const numbers = subjects.map(({ kind, arms }) =>
    arms.map((arm): Row => {
      const value = measure.value(arm);
      return { x: measure.numbersAt, y: yOf(arm, kind), text: value === null ? "none" : measure.text(value) };
    }),
  );
  const written = [
    texts("heading", [{ x: measure.range[0], y: 6, text: measure.name }], { fontSize: 11 }),
    ...numbers.map((values, index) => texts(index === 0 ? "value" : "note", values, { align: "right" })),
  ];
  if (rows.length === 0) return written;
  const ends = rows.flatMap(({ low, high }) => [low, high]);
  const domain = measure.scale === "linear" ? ([0, 1] as const) : logDomain(ends);
  const at = scaleOf(measure.scale, domain, measure.range);
  const ticks = measure.scale === "linear" ? [0, 0.5, 1] : logTicks(domain);
  const placed = rows.map(({ arm, kind, value, low, high }): Row => ({
    arm: arm.id,
    title: arm.title,
    kind,
    value: measure.text(value),
    low: at(low),
    high: at(high),
    x: at(value),
    y: yOf(arm, kind),
    colour: colourOf(arm.id, ids),
  }));
  const isHollow = (row: Row): boolean => apart > 0 && row["kind"] === "published";
  const position = { x: pixels("x"), y: pixels("y"), color: ownColour };
  const tooltip = [{ field: "title" }, { field: "value" }, { field: "kind" }];
  const dots = (values: readonly Row[], mark: Spec): Spec[] =>
    values.length === 0
      ? []
      : [{ data: { values }, mark: { type: "point", opacity: 1, ...mark }, encoding: { ...position, tooltip } }];
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
    ...written,
  ];
}

interface Mark {
  readonly arm: SubjectArm;
  readonly kind: Subject["kind"];
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Who recalls most, carries least and has the cheapest point; of one product its numbers. */
function title(subject: Subject | undefined): string {
  const arms = subject?.arms.filter(({ isControl, of }) => !isControl && of > 0) ?? [];
  const [only] = arms;
  if (subject === undefined || only === undefined) return "Recall, size and cost of each arm";
  if (arms.length === 1) {
    const { medianProjectionTokens: tokens } = only;
    return `${only.title} recalls ${percent(only.hits / only.of)}${tokens === null ? "" : ` with ${whole(tokens)} tokens`}`;
  }
  const leaders = (value: (arm: SubjectArm) => number | null): string[] => {
    const least = Math.min(...arms.map((arm) => value(arm) ?? Infinity));
    return least === Infinity ? [] : arms.filter((arm) => value(arm) === least).map((arm) => arm.title);
  };
  const claims = [
    { who: leaders(({ hits, of }) => -hits / of), one: "recalls most", more: "recall most" },
    { who: leaders((arm) => arm.medianProjectionTokens), one: "carries least", more: "carry least" },
    {
      who: leaders(({ cost }) => cost.costPerPointNano),
      one: "has the cheapest point",
      more: "have the cheapest points",
    },
  ].filter(({ who }) => who.length > 0);
  const said = claims.reduce<{ who: string; does: string[] }[]>((sofar, { who, one, more }) => {
    const [name, does] = [listed(who), who.length > 1 ? more : one];
    const known = sofar.find((claim) => claim.who === name);
    if (known) known.does.push(does);
    else sofar.push({ who: name, does: [does] });
    return sofar;
  }, []);
  const clauses = said.map(({ who, does }) => `${who} ${listed(does)}`);
  return clauses.length < 2 ? clauses.join("") : `${clauses.slice(0, -1).join(", ")}, and ${clauses.at(-1)}`;
}
