/** How every figure looks: one colour an arm, one kind of text for each task, on white and on black. */
import type { Config } from "vega-lite";
import { family } from "./measure.ts";

/** Inner width of every figure in pixels: with padding 600, a column of a page. */
export const figureWidth = 576;
export const figurePadding = 12;

export const sizes = { title: 15, subtitle: 11.5, heading: 12, label: 11, small: 10 } as const;

/** Okabe and Ito's colours, safe for the colour-blind, and two greys for the controls. */
const armColours: { readonly [arm: string]: string } = {
  "futureos-summarized": "#0072b2",
  "futureos-deterministic": "#56b4e9",
  "futureos-main": "#cc79a7",
  opencode: "#d55e00",
  codex: "#009e73",
  recent: "#e69f00",
  full: "#6b7683",
  empty: "#a3acb6",
};
const otherColours = ["#8c6bb1", "#b15928", "#7a8f00", "#41b6c4", "#ae017e"] as const;

/** The colour of an arm, the same in every figure. An arm from a file gets one by its place among such arms. */
export function colourOf(arm: string, arms: readonly string[]): string {
  const known = armColours[arm];
  if (known !== undefined) return known;
  const others = arms.filter((id) => armColours[id] === undefined);
  return otherColours[Math.max(0, others.indexOf(arm)) % otherColours.length] as string;
}

/** Who wrote a value: greys, because colours are arms. */
export const sourceColours = { tool: "#c6cdd5", assistant: "#66727f", user: "#23292f" } as const;

/** What a projection is made of: shades of the arm that is shown, from the text that was kept to the text that was written. */
export const partColours = { original: "#0b4f7d", evidence: "#0072b2", summary: "#56b4e9", tail: "#bcdcf2" } as const;

const inks = {
  light: { paper: "white", ink: "#1f2328", mute: "#57606a", grid: "#e4e7eb", axis: "#8c959f", pale: "#b6bec7" },
  dark: { paper: "#0d1117", ink: "#e6edf3", mute: "#9ea7b3", grid: "#262c34", axis: "#6e7681", pale: "#58616c" },
} as const;
export type Theme = keyof typeof inks;

/** The Vega-Lite configuration of a theme. Marks say what they are with `style`, so a page can change the theme and nothing else. */
export function configOf(theme: Theme): Config {
  const { paper, ink, mute, grid, axis, pale } = inks[theme];
  return {
    background: paper,
    font: family,
    padding: figurePadding,
    aria: false,
    view: { stroke: null },
    concat: { spacing: 18 },
    title: {
      anchor: "start",
      frame: "bounds",
      color: ink,
      fontSize: sizes.title,
      fontWeight: 600,
      lineHeight: 20,
      offset: 14,
      subtitleColor: mute,
      subtitleFontSize: sizes.subtitle,
      subtitleFontWeight: 400,
      subtitleLineHeight: 16,
      subtitlePadding: 8,
    },
    axis: {
      domain: false,
      ticks: false,
      gridColor: grid,
      labelColor: mute,
      labelFontSize: sizes.small,
      labelPadding: 5,
      labelFlush: false,
      titleColor: ink,
      titleFontSize: sizes.label,
      titleFontWeight: 500,
      titlePadding: 8,
      domainColor: axis,
      tickColor: axis,
    },
    text: { baseline: "middle", align: "left" },
    style: {
      arm: { color: ink, fontSize: sizes.label, fontWeight: 500 },
      heading: { color: ink, fontSize: sizes.heading, fontWeight: 600 },
      value: { color: ink, fontSize: sizes.label },
      note: { color: mute, fontSize: sizes.label },
      small: { color: mute, fontSize: sizes.small },
      halo: { color: paper, fontSize: sizes.label, stroke: paper, strokeWidth: 3.5, strokeJoin: "round" },
      inside: { color: "white", fontSize: sizes.label, fontWeight: 500 },
      insidePale: { color: "#1f2328", fontSize: sizes.label, fontWeight: 500 },
      outline: { color: pale, filled: false, strokeWidth: 1 },
      dot: { color: pale },
      // Dark greys need an edge on a dark page; on paper they need none.
      edge: theme === "dark" ? { stroke: axis, strokeWidth: 1 } : {},
      paper: { color: paper },
      line: { color: axis, strokeWidth: 1 },
      guide: { color: pale, strokeWidth: 1 },
    },
  };
}
