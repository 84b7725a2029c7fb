/** The parts that every figure shares: title, subtitle, source line, and marks placed by hand. */
import type { TopLevelSpec } from "vega-lite";
import { textWidth, wrapped } from "./measure.ts";
import { configOf, figureWidth, sizes } from "./theme.ts";

/** A piece of a Vega-Lite specification. The whole is checked when it is compiled: a warning is an error. */
export type Spec = { readonly [key: string]: unknown };
export type Row = { readonly [field: string]: string | number | boolean | null };

export interface Frame {
  /** What is seen. */
  readonly title: string;
  /** The conditions, one paragraph each. */
  readonly subtitle: readonly string[];
  readonly source: string;
  readonly views: readonly Spec[];
  readonly spacing?: number;
}

/** A whole figure. Its description for readers who do not see it is its title and subtitle. */
export function frame({ title, subtitle, source, views, spacing = 18 }: Frame): TopLevelSpec {
  const spec: Spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    description: [title, ...subtitle].join(" "),
    title: {
      text: wrapped(title, figureWidth, sizes.title, 600),
      subtitle: subtitle.flatMap((text) => wrapped(text, figureWidth, sizes.subtitle)),
    },
    vconcat: [...views.flatMap(drawnParts), textView([...wrapped(source, figureWidth, sizes.small)], "small")],
    spacing,
    config: configOf("light"),
  };
  return spec as unknown as TopLevelSpec;
}

/** A view without those layers that have no rows: vega draws nothing for them, and their fields could not be checked. */
function drawnParts(view: Spec): Spec[] {
  const data = view["data"] as { readonly values?: readonly Row[] } | undefined;
  if (data?.values?.length === 0) return [];
  if (!Array.isArray(view["layer"])) return [view];
  const layer = (view["layer"] as Spec[]).flatMap(drawnParts);
  return layer.length === 0 ? [] : [{ ...view, layer }];
}

/** Lines of text as a view of their own. */
function textView(lines: readonly string[], style: string, lineHeight = 14): Spec {
  return {
    width: figureWidth,
    height: lineHeight * lines.length,
    data: { values: lines.map((text, line) => ({ text, y: lineHeight * (line + 0.5) })) },
    mark: { type: "text", style },
    encoding: { x: { value: 0 }, y: pixels("y"), text: { field: "text" } },
  };
}

/** A position in pixels. */
export const pixels = (field: string): Spec => ({ field, type: "quantitative", scale: null, axis: null });

/** A colour that stands in the row. */
export const ownColour: Spec = { field: "colour", type: "nominal", scale: null };

/** Texts placed in pixels: rows have x, y, text. */
export const texts = (style: string, values: readonly Row[], mark: Spec = {}): Spec => ({
  data: { values },
  mark: { type: "text", style, ...mark },
  encoding: { x: pixels("x"), y: pixels("y"), text: { field: "text" } },
});

/** Rectangles placed in pixels: rows have x, x2, y, y2 and colour. */
export const boxes = (values: readonly Row[], mark: Spec = {}): Spec => ({
  data: { values },
  mark: { type: "rect", style: "edge", ...mark },
  encoding: { x: pixels("x"), x2: { field: "x2" }, y: pixels("y"), y2: { field: "y2" }, color: ownColour },
});

/** Lines placed in pixels: rows have x, x2, y, y2. */
export const lines = (style: string, values: readonly Row[], mark: Spec = {}): Spec => ({
  data: { values },
  mark: { type: "rule", style, ...mark },
  encoding: { x: pixels("x"), x2: { field: "x2" }, y: pixels("y"), y2: { field: "y2" } },
});

/** A view whose marks are placed in pixels. Marks of no row, as a run on a very small session has some, are left out. */
export const canvas = (height: number, layer: readonly Spec[]): Spec => ({
  width: figureWidth,
  height,
  layer: layer.filter(({ data }) => (data as { readonly values: readonly Row[] } | undefined)?.values.length !== 0),
});

/** Pixels of a value, to a hundredth. A log scale takes positive values only. */
export function scaleOf(
  kind: "linear" | "log",
  [from, to]: readonly [number, number],
  [left, right]: readonly [number, number],
): (value: number) => number {
  const at = kind === "log" ? Math.log : (value: number): number => value;
  return (value) => Math.round(100 * (left + ((at(value) - at(from)) / (at(to) - at(from))) * (right - left))) / 100;
}

/** A domain on a log scale with room at its ends, and a whole decade at least. Takes positive values only. */
export function logDomain(values: readonly number[]): readonly [number, number] {
  const [from, to] = [Math.min(...values) * 0.75, Math.max(...values) * 1.33];
  const missing = Math.max(1, Math.sqrt((10 * from) / to));
  return [from / missing, to * missing];
}

/** Ticks of a log scale: whole decades, or with their doubles and halves where there is one decade alone. */
export function logTicks([from, to]: readonly [number, number]): number[] {
  const decades = Array.from({ length: 17 }, (_, power) => 10 ** power);
  const within = (ticks: readonly number[]): number[] => ticks.filter((tick) => tick >= from && tick <= to);
  const whole = within(decades);
  return whole.length > 1 ? whole : within(decades.flatMap((decade) => [decade, 3 * decade]));
}

/** Where the entries of a legend begin: a ten-pixel box, its text, and a gap. */
export function legendStarts(names: readonly string[], size: number, left = 0, gap = 16): number[] {
  let at = left;
  return names.map((name) => {
    const start = at;
    at = Math.round(at + 15 + textWidth(name, size) + gap);
    return start;
  });
}
