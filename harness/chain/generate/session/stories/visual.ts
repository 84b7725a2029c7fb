/** `sim-visual`: a board that draws charts on canvas in the browser. */
import { type Story, words } from "../story.ts";
import { visualAreas } from "./visual-areas.ts";
import { visualOutput } from "./visual-output.ts";
import { visualChoices, visualTurns } from "./visual-turns.ts";

export const visual: Story = {
  project: "glyphboard",
  language: "typescript",
  start: "2026-03-16T13:05:47Z",
  version: [1, 11, 4],
  firstPr: 873,
  tests: 241,
  people: ["Daan Visser", "Mira Kolar", "Rui Tavares"],
  tree: {
    ".": ["package.json", "CONTRIBUTING.md"],
    "src/scale": words("linear.ts log.ts time.ts ticks.ts domain.ts ticks.test.ts log.test.ts domain.test.ts"),
    "src/canvas": words("layer.ts paint.ts hitmap.ts dpr.ts glyphs.ts paint.test.ts hitmap.test.ts dpr.test.ts"),
    "src/chart": words(
      "line.ts bars.ts scatter.ts heatmap.ts legend.ts axis.ts palette.ts heatmap.test.ts axis.test.ts legend.test.ts",
    ),
    "src/state": words("store.ts undo.ts selection.ts theme.ts undo.test.ts selection.test.ts"),
    "src/io": words("csv.ts svg.ts png.ts fonts.ts clipboard.ts svg.test.ts png.test.ts csv.test.ts"),
    "src/ui": words("toolbar.tsx panel.tsx tooltip.tsx legend-list.tsx board.tsx tooltip.test.ts panel.test.ts"),
    styles: words("board.css panel.css tokens.css"),
    docs: words("rendering.md exports.md releases.md"),
    fixtures: words("sales.json weather.json"),
  },
  claims: {
    what: words("keeps clips rounds drops merges paints restores ignores orders moves measures hides"),
    when: [
      "at the edge of the domain",
      "on a high-dpi screen",
      "after undo",
      "when the series is empty",
      "in the dark theme",
      "while panning",
      "for one point",
      "with negative values",
      "across a resize",
    ],
  },
  choices: visualChoices,
  areas: visualAreas,
  turns: visualTurns,
  ...visualOutput,
};
