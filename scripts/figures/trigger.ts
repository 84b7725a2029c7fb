/** Figure 8: how a window and an output reservation become a trigger, and what a projection may cost. */
import type { TopLevelSpec } from "vega-lite";
import { budgetOf, expandedLimit, slotOf } from "../../arms/futureos/budget.ts";
import { upstreamSummarizedOptions } from "../../arms/futureos/options.ts";
import { boxes, canvas, frame, lines, type Row, type Spec, texts } from "./frame.ts";
import { listed, provenance, type Subject, whole } from "./subject.ts";
import { figureWidth, partColours } from "./theme.ts";

const greys = { room: "#66727f", margin: "#23292f", reserve: "#c6cdd5" } as const;

export function trigger(subjects: readonly Subject[]): TopLevelSpec {
  const { source } = provenance(subjects);
  const [first] = subjects;
  const derived = first === undefined ? undefined : derive(first);
  const shapes = differentShapes(subjects);
  return frame({
    title: derived === undefined ? "How the trigger is derived" : title(derived),
    subtitle: [
      "Bars to scale, in tokens. The trigger is the smaller of four fifths of the window and what output reservation and margin leave of it.",
      `FutureOS's rules for the call shape of ${shapeNames(subjects, shapes)}.`,
    ],
    source,
    views: shapes.flatMap((subject) => [windowPanel(subject, shapes.length > 1), projectionPanel(subject)]),
    spacing: 24,
  });
}

/** The subjects without those whose call shape an earlier one has. */
const differentShapes = (subjects: readonly Subject[]): Subject[] =>
  subjects.filter(
    ({ window }, index) =>
      subjects.findIndex(
        (other) =>
          other.window.windowTokens === window.windowTokens &&
          other.window.outputReserveTokens === window.outputReserveTokens,
      ) === index,
  );

function shapeNames(subjects: readonly Subject[], shapes: readonly Subject[]): string {
  const names = subjects.map(({ kind }) => (kind === "run" ? "this run" : "the article"));
  return `${listed(names)}${subjects.length > shapes.length ? ", which is the same" : ""}`;
}

interface Derived {
  readonly windowTokens: number;
  readonly reserveTokens: number;
  readonly marginTokens: number;
  readonly limitTokens: number;
  readonly economicTokens: number;
  readonly triggerTokens: number;
}

/** The quantities of a call shape, by the arm's own rules. */
export function derive({ window }: Pick<Subject, "window">): Derived {
  const { windowTokens, outputReserveTokens } = window;
  const budget = budgetOf(windowTokens, outputReserveTokens, upstreamSummarizedOptions);
  return {
    windowTokens,
    reserveTokens: Math.min(windowTokens, outputReserveTokens),
    marginTokens: budget.marginTokens,
    limitTokens: budget.inputLimitTokens,
    // Without a reservation only the margin could be smaller than a fifth of the window.
    economicTokens: budgetOf(windowTokens, 0, { ...upstreamSummarizedOptions, marginTokens: 0 }).triggerTokens,
    triggerTokens: budget.triggerTokens,
  };
}

function title({ triggerTokens, limitTokens, economicTokens }: Derived): string {
  return limitTokens < economicTokens
    ? `The output reservation sets the trigger at ${whole(triggerTokens)} tokens, before four fifths of the window do`
    : `Four fifths of the window set the trigger at ${whole(triggerTokens)} tokens`;
}

const left = 0;
const right = figureWidth;

function windowPanel(subject: Subject, named: boolean): Spec {
  const derived = derive(subject);
  const { windowTokens, marginTokens, limitTokens, economicTokens, triggerTokens, reserveTokens } = derived;
  const at = (tokens: number): number => Math.round(100 * (left + (tokens / windowTokens) * (right - left))) / 100;
  const top = named ? 62 : 44;
  const box = (from: number, to: number, y: number, colour: string): Row => ({
    x: at(from),
    x2: at(to),
    y,
    y2: y + 26,
    colour,
  });
  const middle = (from: number, to: number): number => (at(from) + at(to)) / 2;
  const byReserve = limitTokens < economicTokens;
  const wideReserve = reserveTokens / windowTokens > 0.28;
  const labelAt = Math.min(right - 50, Math.max(50, at(triggerTokens)));
  return canvas(top + 104, [
    ...(named ? [texts("heading", [{ x: 0, y: 6, text: subject.name }])] : []),
    texts("heading", [{ x: 0, y: top - 38, text: "The window" }], { fontSize: 11.5 }),
    boxes([
      box(0, limitTokens, top, greys.room),
      box(limitTokens, limitTokens + marginTokens, top, greys.margin),
      box(windowTokens - reserveTokens, windowTokens, top, greys.reserve),
      box(0, economicTokens, top + 54, greys.room),
      box(economicTokens, windowTokens, top + 54, greys.reserve),
    ]),
    texts(
      "inside",
      [
        { x: middle(0, limitTokens), y: top + 13, text: `input limit ${whole(limitTokens)}` },
        { x: middle(0, economicTokens), y: top + 67, text: `four fifths of the window, ${whole(economicTokens)}` },
      ],
      { align: "center" },
    ),
    texts(
      "insidePale",
      [
        ...(wideReserve
          ? [
              {
                x: middle(windowTokens - reserveTokens, windowTokens),
                y: top + 13,
                text: `output reservation ${whole(reserveTokens)}`,
              },
            ]
          : []),
        { x: middle(economicTokens, windowTokens), y: top + 67, text: "one fifth" },
      ],
      { align: "center" },
    ),
    lines("value", [{ x: at(triggerTokens), x2: at(triggerTokens), y: top - 12, y2: top + 92 }], {
      strokeWidth: 1.5,
      strokeDash: [4, 3],
    }),
    texts("heading", [{ x: labelAt, y: top - 20, text: `trigger ${whole(triggerTokens)}` }], {
      align: "center",
      fontSize: 11,
    }),
    texts(
      "small",
      [
        {
          x: wideReserve ? at(limitTokens) + 4 : right,
          y: top + 36,
          text: `margin ${whole(marginTokens)}${wideReserve ? "" : `, output reservation ${whole(reserveTokens)}`}`,
        },
      ],
      { align: wideReserve ? "left" : "right" },
    ),
    texts("small", [
      {
        x: 0,
        y: top + 96,
        text: byReserve
          ? "The reservation leaves less than four fifths, so it decides."
          : "The reservation leaves more than four fifths, so the window decides.",
      },
    ]),
  ]);
}

function projectionPanel(subject: Subject): Spec {
  const { windowTokens, outputReserveTokens } = subject.window;
  const options = upstreamSummarizedOptions;
  const budget = budgetOf(windowTokens, outputReserveTokens, options);
  const mostTokens = expandedLimit(budget.inputLimitTokens, 0, options.maxExpandedTokens);
  const slotCap = options.slotTokens + options.summaryTokens + options.handoffTokens;
  const slotTokens = slotOf(windowTokens, slotCap);
  const target = Math.min(options.targetTokens, mostTokens);
  const at = (tokens: number): number => Math.round(100 * (left + (tokens / mostTokens) * (right - left))) / 100;
  const top = 26;
  const rows: readonly (readonly [string, number, string])[] = [
    ["target of the whole history", target, partColours.original],
    ["tail: newest messages, at most", Math.min(budget.keepTokens, mostTokens), partColours.tail],
    ["slot: evidence, summary and headers", slotTokens, partColours.summary],
  ];
  return canvas(top + 20 + rows.length * 22 + 14, [
    texts("heading", [{ x: 0, y: 6, text: `The projection, at most ${whole(mostTokens)}` }], { fontSize: 11.5 }),
    boxes([{ x: 0, x2: right, y: top, y2: top + 14, colour: greys.reserve }]),
    texts(
      "insidePale",
      [
        {
          x: right - 6,
          y: top + 7,
          text: `most the history may grow to if what has to stay needs it, ${whole(mostTokens)}`,
        },
      ],
      { align: "right", fontWeight: 400, fontSize: 10 },
    ),
    boxes(
      rows.map(([, tokens, colour], index) => ({
        x: 0,
        x2: at(tokens),
        y: top + 22 + index * 22,
        y2: top + 36 + index * 22,
        colour,
      })),
    ),
    texts(
      "value",
      rows.map(([text, tokens], index) => ({
        x: at(tokens) + 7,
        y: top + 29 + index * 22,
        text: `${text}, ${whole(tokens)}`,
      })),
    ),
    texts("small", [
      {
        x: 0,
        y: top + 30 + rows.length * 22,
        text: "User texts always stay; assistant texts stay while they fit, newest first. Fixed tokens of the session come on top.",
      },
    ]),
  ]);
}
