/** Two bars an arm on one scale, with their amounts written beside them: figures 5 and 6. */
import type { TopLevelSpec } from "vega-lite";
import { frame, ownColour, type Row, type Spec, texts } from "./frame.ts";
import { textWidth } from "./measure.ts";
import { amount, armsOf, provenance, shareCurrency, type Subject, type SubjectArm } from "./subject.ts";
import { colourOf, figureWidth, sizes } from "./theme.ts";

export interface Lanes {
  readonly title: string;
  readonly about: string;
  /** What the scale measures, in the currency of its panel. */
  readonly unit: string;
  readonly lanes: readonly [string, string];
  readonly amounts: (arm: SubjectArm) => readonly [number | null, number | null];
  /** Said where there is nothing to draw. */
  readonly nothing: string;
}

const labelWidth = 166;
const laneHeight = 15;
const armHeight = 2 * laneHeight + 12;

/** Products only: controls ask no model, and a subtitle says so. */
export function twoLanes(subjects: readonly Subject[], lanes: Lanes): TopLevelSpec {
  const { conditions, source } = provenance(subjects);
  const hasControls = subjects.some(({ arms }) => arms.some(({ isControl }) => isControl));
  return frame({
    title: lanes.title,
    subtitle: [lanes.about, `${hasControls ? "Controls are left out: they ask no model. " : ""}${conditions}`],
    source,
    views: subjects.map((subject) => panel(subject, subjects, lanes)),
    spacing: 22,
  });
}

const products = ({ arms }: Subject): readonly SubjectArm[] => arms.filter(({ isControl }) => !isControl);

function panel(subject: Subject, subjects: readonly Subject[], lanes: Lanes): Spec {
  const ids = armsOf(subjects).map(({ id }) => id);
  const arms = products(subject);
  const headHeight = subjects.length > 1 ? 24 : 0;
  const sameScale = shareCurrency(subjects) ? subjects : [subject];
  const all = sameScale.flatMap((one) => products(one).flatMap((arm) => lanes.amounts(arm)));
  const most = Math.max(1, ...all.map((nano) => nano ?? 0)) / 1e9;
  const currency = subject.currency ?? "unknown currency,";
  const room =
    Math.max(...arms.flatMap((arm) => [0, 1].map((lane) => textWidth(label(arm, lane, lanes), sizes.label)))) + 8;
  const rows = arms.flatMap((arm, index) =>
    [0, 1].map((lane): Row => {
      const nano = lanes.amounts(arm)[lane as 0 | 1];
      const top = headHeight + index * armHeight + lane * laneHeight;
      return {
        arm: arm.id,
        title: arm.title,
        lane: lanes.lanes[lane as 0 | 1],
        amount: (nano ?? 0) / 1e9,
        label: label(arm, lane, lanes),
        colour: colourOf(arm.id, ids),
        opacity: lane === 0 ? 0.4 : 1,
        top: top + 1,
        bottom: top + laneHeight - 1,
        middle: top + laneHeight / 2,
      };
    }),
  );
  const y = (field: string): Spec => ({ field, type: "quantitative", scale: null, axis: null });
  const x: Spec = {
    field: "amount",
    type: "quantitative",
    scale: { domain: [0, most], range: [labelWidth, figureWidth - room], nice: false },
    axis: { title: `${currency} ${lanes.unit}`, titleAnchor: "start", tickCount: 5, grid: true },
  };
  return {
    width: figureWidth,
    height: headHeight + arms.length * armHeight - 8,
    layer: [
      ...(subjects.length > 1 ? [texts("heading", [{ x: 0, y: 6, text: subject.name }])] : []),
      {
        data: { values: rows },
        layer: [
          {
            mark: { type: "rect", style: "paper" },
            encoding: { x, x2: { datum: 0 }, y: y("top"), y2: { field: "bottom" } },
          },
          {
            mark: { type: "rect" },
            encoding: {
              x,
              x2: { datum: 0 },
              y: y("top"),
              y2: { field: "bottom" },
              color: ownColour,
              opacity: { field: "opacity", type: "quantitative", scale: null },
              tooltip: [{ field: "title" }, { field: "lane" }, { field: "label" }],
            },
          },
          { mark: { type: "text", style: "halo", dx: 6 }, encoding: { x, y: y("middle"), text: { field: "label" } } },
          { mark: { type: "text", style: "value", dx: 6 }, encoding: { x, y: y("middle"), text: { field: "label" } } },
        ],
      },
      texts(
        "arm",
        arms.map((arm, index) => ({ x: 0, y: headHeight + index * armHeight + laneHeight, text: arm.title })),
      ),
    ],
  };
}

function label(arm: SubjectArm, lane: number, { amounts, lanes, nothing }: Lanes): string {
  const [first, second] = amounts(arm);
  const nano = lane === 0 ? first : second;
  if (first === second && (first === null || first === 0)) return lane === 0 ? nothing : "";
  return nano === null ? "not known" : `${amount(nano)} ${lanes[lane as 0 | 1]}`;
}
