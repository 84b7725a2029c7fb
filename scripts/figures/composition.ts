/** Figure 2: what fills a window against where the questions point. */
import type { TopLevelSpec } from "vega-lite";
import published from "../../fixtures/published.json" with { type: "json" };
import { type Composition, compositionSum, toolShare } from "../../harness/report/composition.ts";
import { boxes, canvas, frame, legendStarts, type Row, type Spec, texts } from "./frame.ts";
import { shortened } from "./measure.ts";
import { listed, percent, provenance, type Subject, whole } from "./subject.ts";
import { figureWidth, sizes, sourceColours } from "./theme.ts";

type Source = keyof typeof sourceColours;

/** One bar: shares that add up to 1. A missing one is not known apart from the others. */
interface Bar {
  readonly name: string;
  readonly about: string;
  readonly shares: readonly (readonly [Source | "text", number])[];
  /** Leaves a space above. */
  readonly apart: boolean;
}

/** What a figure 2 is drawn from: a subject and the chains that fill its windows; undefined for the published ones. */
export interface Window {
  readonly subject: Subject;
  readonly chains: readonly Composition[] | undefined;
  /** Whether the chains are imported sessions, all of them in the exam. */
  readonly imported: boolean;
}

const barHeight = 20;
const pitch = 27;
const apartBy = 14;
const left = 96;
const right = figureWidth - 98;

export function composition(windows: readonly Window[]): TopLevelSpec {
  const { source } = provenance(windows.map(({ subject }) => subject));
  const [first] = windows;
  return frame({
    title: title(first),
    subtitle: [
      `Bars to scale: characters of ${first === undefined ? "sessions" : namesOf(first)} by who wrote them, and the exam's targets by where they were drawn from.`,
      ...windows.map(
        (window) =>
          `${windows.length > 1 ? `${window.subject.name}: ` : ""}${aboutChains(window)} ${window.subject.exam}`,
      ),
    ],
    source: windows.some(({ chains, imported }) => chains !== undefined && !imported)
      ? `${source}; chains generated, no model`
      : source,
    views: windows.map((window) => panel(window, windows.length > 1)),
  });
}

function namesOf({ chains, imported }: Window): string {
  if (chains === undefined) return "the article's five sessions";
  if (!imported) return "five session-shaped chains";
  return chains.length === 1 ? "one imported session" : `${chains.length} imported sessions`;
}

const aboutChains = ({ chains, subject }: Window): string => {
  const { records, characters } = chains === undefined ? published.composition : compositionSum("", chains);
  const unasked = chains?.map(({ chain }) => chain).filter((name) => !subject.chains.includes(name)) ?? [];
  const extra = unasked.length === 0 ? "" : ` ${listed(unasked)} ${unasked.length > 1 ? "are" : "is"} not in the exam.`;
  return `${whole(records)} records, ${whole(characters)} characters.${extra}`;
};

function totals(window: Window): { readonly tool: number; readonly assistant: number; readonly user: number } {
  const sum = window.chains === undefined ? undefined : compositionSum("", window.chains);
  const kinds = published.composition.kinds;
  const [tool, assistant, user, all] =
    sum === undefined
      ? [
          kinds.toolResult.characters,
          kinds.assistantText.characters,
          kinds.userText.characters,
          published.composition.characters,
        ]
      : [sum.toolResult.characters, sum.assistantText.characters, sum.userText.characters, sum.characters];
  return { tool: share(tool, all), assistant: share(assistant, all), user: share(user, all) };
}

/** Of nothing, nothing: a session may have no text at all. */
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

function title(window: Window | undefined): string {
  if (window === undefined) return "What fills the window";
  const filled = totals(window);
  const { assistant } = window.subject.bySource;
  const asked = assistant / window.subject.targets;
  return `Tool results fill ${Math.round(100 * filled.tool)} % of the window, and ${Math.round(100 * asked)} % of the questions point to the assistant's ${Math.round(100 * filled.assistant)} %`;
}

function bars(window: Window): Bar[] {
  const { chains, subject } = window;
  const { tool, assistant, user } = totals(window);
  const byChain =
    chains?.map((one): Bar => ({
      name: one.chain,
      about: `${percent(toolShare(one))} tool`,
      shares: [
        ["tool", share(one.toolResult.characters, one.characters)],
        ["assistant", share(one.assistantText.characters, one.characters)],
        ["user", share(one.userText.characters, one.characters)],
      ],
      apart: false,
    })) ??
    published.composition.toolShareByChain.map((share, index): Bar => ({
      name: `Session ${index + 1}`,
      about: `${percent(share)} tool`,
      shares: [
        ["tool", share],
        ["text", 1 - share],
      ],
      apart: false,
    }));
  const { targets, bySource } = subject;
  const drawn = (source: Source): readonly [Source, number] => [source, bySource[source] / targets];
  return [
    ...byChain,
    {
      name: window.imported ? "All" : "All five",
      about: `${percent(tool)} tool`,
      shares: [
        ["tool", tool],
        ["assistant", assistant],
        ["user", user],
      ],
      apart: true,
    },
    {
      name: `${targets} questions`,
      about: `${percent(bySource.tool / targets)} tool`,
      shares: [drawn("tool"), drawn("assistant"), drawn("user")],
      apart: true,
    },
  ];
}

const names: Record<Source | "text", string> = {
  tool: "tool results",
  assistant: "assistant",
  user: "user",
  text: "all text",
};

function panel(window: Window, named: boolean): Spec {
  const top = named ? 48 : 24;
  const ys: number[] = [];
  let y = top;
  const all = bars(window);
  for (const { apart } of all) {
    if (apart) y += apartBy;
    ys.push(y);
    y += pitch;
  }
  const chainCount = window.chains?.length ?? 0;
  const parts = all.flatMap(({ name, shares }, index): Row[] => {
    const top = ys[index] ?? 0;
    let from = left;
    return shares.map(([source, share]): Row => {
      const to = from + share * (right - left);
      const row = {
        bar: name,
        source: names[source],
        // What the page shows of a chosen bar: a chain's questions, or all of them, by source.
        chain: index < chainCount ? name : "",
        drawnFrom: source === "text" ? "" : source,
        share,
        x: round(from),
        x2: round(to),
        y: top,
        y2: top + barHeight,
        colour: source === "text" ? sourceColours.assistant : sourceColours[source],
      };
      from = to;
      return row;
    });
  });
  const last = all.length - 1;
  const inside = parts
    .filter(({ bar, share }) => bar === all[last]?.name && Number(share) > 0.07)
    .map((row): Row => ({
      x: round((Number(row["x"]) + Number(row["x2"])) / 2),
      y: Number(row["y"]) + barHeight / 2,
      text: `${Math.round(100 * Number(row["share"]))} %`,
      chain: row["chain"] ?? "",
      drawnFrom: row["drawnFrom"] ?? "",
      pale: row["source"] === names.tool,
    }));
  return canvas(y, [
    ...(named ? [texts("heading", [{ x: 0, y: 6, text: window.subject.name }])] : []),
    ...legend(named ? 30 : 6, window.chains === undefined),
    {
      ...boxes(parts),
      encoding: {
        ...boxesEncoding,
        tooltip: [{ field: "bar" }, { field: "source" }, { field: "share", type: "quantitative", format: ".1%" }],
      },
    },
    texts(
      "arm",
      all.map(({ name }, index) => ({
        x: 0,
        y: (ys[index] ?? 0) + barHeight / 2,
        text: shortened(name, left - 6, sizes.label, 500),
      })),
    ),
    texts(
      "note",
      all.map(({ about }, index) => ({ x: right + 10, y: (ys[index] ?? 0) + barHeight / 2, text: about })),
    ),
    texts(
      "insidePale",
      inside.filter(({ pale }) => pale === true),
      { align: "center" },
    ),
    texts(
      "inside",
      inside.filter(({ pale }) => pale !== true),
      { align: "center" },
    ),
  ]);
}

const boxesEncoding = boxes([])["encoding"] as Spec;

const round = (value: number): number => Math.round(100 * value) / 100;

function legend(y: number, apartUnknown: boolean): Spec[] {
  const entries: readonly (readonly [Source, string])[] = [
    ["tool", "tool results"],
    ["assistant", apartUnknown ? "assistant (all text, where it is not known apart)" : "assistant"],
    ["user", "user"],
  ];
  const starts = legendStarts(
    entries.map(([, text]) => text),
    sizes.label,
    left,
  );
  return [
    boxes(
      entries.map(([source], index) => ({
        x: starts[index] ?? 0,
        x2: (starts[index] ?? 0) + 10,
        y: y - 5,
        y2: y + 5,
        colour: sourceColours[source],
      })),
    ),
    texts(
      "note",
      entries.map(([, text], index) => ({ x: (starts[index] ?? 0) + 15, y, text })),
    ),
  ];
}
