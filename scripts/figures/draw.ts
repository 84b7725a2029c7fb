/** A specification as SVG and PNG: no browser, no canvas, no network, and the same bytes every time. */
import { Resvg } from "@resvg/resvg-js";
import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { unknownFields } from "./fields.ts";
import { family, fontFiles, textWidth, weightOf, weights } from "./measure.ts";

/** A logger for which a warning is an error: a misspelt channel would be dropped in silence. */
const strict: ReturnType<typeof vega.logger> = vega.logger(vega.Warn, undefined, (_method, level, parts) => {
  throw new Error(`${level.toLowerCase()}: ${parts.map(String).join(" ")}`);
});

/** Compiles a figure. Throws for anything vega-lite would warn of, and for a field that no row has. */
export function compileFigure(spec: TopLevelSpec): vega.Spec {
  const unknown = unknownFields(spec);
  if (unknown.length > 0) throw new Error(`no row has the field ${unknown.join(", ")}`);
  return compile(spec, { logger: strict }).spec;
}

interface TextItem {
  readonly fontSize?: number;
  readonly fontWeight?: number | string;
}

type Text = string | null | undefined;

/** vega's own hook for measuring texts; its types hide that it may be set. */
const metrics = vega as unknown as { textMetrics: { width: (item: TextItem, text: Text | readonly Text[]) => number } };

/** Draws a figure as SVG. Equal specifications give equal bytes, whatever was drawn before. */
export async function toSvg(spec: TopLevelSpec): Promise<string> {
  const compiled = compileFigure(spec);
  metrics.textMetrics.width = ({ fontSize = 11, fontWeight }, text) =>
    Math.max(...[text].flat().map((line) => textWidth(line ?? "", fontSize, weightOf(fontWeight))));
  // Clip paths are numbered from where the last figure stopped.
  vega.resetSVGDefIds();
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logger: strict });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}

/** An SVG as PNG at twice its size, drawn with the package's fonts alone. */
export function toPng(svg: string): Buffer {
  const font = {
    fontFiles: weights.map((weight) => fontFiles[weight]),
    loadSystemFonts: false,
    defaultFontFamily: family,
    sansSerifFamily: family,
  };
  return new Resvg(svg, { fitTo: { mode: "zoom", value: 2 }, background: "white", font }).render().asPng();
}

/** Pixels of a PNG's picture, four bytes each. */
export function toPixels(svg: string): { readonly width: number; readonly height: number; readonly pixels: Buffer } {
  const font = {
    fontFiles: weights.map((weight) => fontFiles[weight]),
    loadSystemFonts: false,
    defaultFontFamily: family,
  };
  const { width, height, pixels } = new Resvg(svg, { background: "white", font }).render();
  return { width, height, pixels };
}
