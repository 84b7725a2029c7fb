/// <reference lib="dom" />
/** The figures, drawn when they come into sight. A mark leads to the questions behind it. */
import embed, { type VisualizationSpec } from "vega-embed";
import type { PageData, PageFigure } from "../data.ts";
import { byId, element } from "./dom.ts";
import { behindMark, type Mark } from "./filters.ts";
import type { Browser } from "./questions.ts";

type Theme = keyof PageData["themes"];

/** Draws all figures in the page's theme, and draws them anew when the theme changes. */
export function figureGallery(data: PageData, browser: Browser, theme: () => Theme): { redraw(): void } {
  const gallery = byId("gallery", HTMLElement);
  const drawn = new Map<HTMLElement, PageFigure>();
  const known = {
    arms: data.arms.map(({ id }) => id),
    chains: [...new Set(data.questions.map(({ chain }) => chain))],
  };
  const draw = async (holder: HTMLElement, figure: PageFigure): Promise<void> => {
    const spec = { ...(figure.spec as object), config: data.themes[theme()] } as VisualizationSpec;
    // Texts are measured when a figure is laid out, so the font has to be there.
    await Promise.all([400, 500, 600].map((weight) => document.fonts.load(`${weight} 11px Inter`)));
    const { view } = await embed(holder, spec, {
      renderer: "svg",
      actions: { export: true, source: true, compiled: false, editor: false },
      downloadFileName: `${data.runId}-${figure.name}`,
    });
    view.addEventListener("click", (_event, item) => {
      const behind = behindMark((item?.datum ?? {}) as Mark, known);
      if (behind !== undefined) browser.show(behind.filters, behind.at);
    });
  };
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const figure = figures.get(target as HTMLElement);
        if (!isIntersecting || figure === undefined) continue;
        seen.unobserve(target);
        drawn.set(target as HTMLElement, figure);
        void draw(target as HTMLElement, figure);
      }
    },
    { rootMargin: "300px" },
  );
  const figures = new Map<HTMLElement, PageFigure>();
  for (const figure of data.figures) {
    const holder = element("div", { class: "drawing", attributes: { "data-figure": figure.name } });
    figures.set(holder, figure);
    gallery.append(element("figure", { attributes: { "aria-label": figure.title } }, holder));
    seen.observe(holder);
  }
  for (const missing of data.missingFigures) gallery.append(element("p", { class: "mute" }, `Not drawn: ${missing}.`));
  return {
    redraw: () => {
      for (const [holder, figure] of drawn) void draw(holder, figure);
    },
  };
}
