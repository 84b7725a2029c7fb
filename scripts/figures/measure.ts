/** Real text widths, from the font that the figures are drawn with: vega guesses without them, and labels would not fit. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type * as opentype from "opentype.js";

const require = createRequire(import.meta.url);
/** The package has no named exports as an ES module in Node. */
const { parse } = require("opentype.js") as typeof opentype;

export const family = "Inter";

export const weights = [400, 500, 600] as const;
export type Weight = (typeof weights)[number];

/** Font files by weight; drawn and measured with the same. */
export const fontFiles: Readonly<Record<Weight, string>> = {
  400: require.resolve("@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf"),
  500: require.resolve("@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf"),
  600: require.resolve("@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf"),
};

const fonts = new Map<Weight, opentype.Font>();

function fontOf(weight: Weight): opentype.Font {
  const known = fonts.get(weight);
  if (known !== undefined) return known;
  const bytes = readFileSync(fontFiles[weight]);
  const font = parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  fonts.set(weight, font);
  return font;
}

const advances = new Map<string, number>();

/** Width of one character in em. */
function advance(character: string, weight: Weight): number {
  const key = `${weight}${character}`;
  const known = advances.get(key);
  if (known !== undefined) return known;
  const font = fontOf(weight);
  const width = (font.charToGlyph(character).advanceWidth ?? 0) / font.unitsPerEm;
  advances.set(key, width);
  return width;
}

/** Width of a text in pixels. Kerning is left out: it only makes lines shorter. */
export function textWidth(text: string, size: number, weight: Weight = 400): number {
  let em = 0;
  for (const character of text) em += advance(character, weight);
  return em * size;
}

/** The weight whose file draws a CSS weight. */
export const weightOf = (css: unknown): Weight => {
  const number = css === "bold" ? 700 : Number(css ?? 400);
  return number >= 600 ? 600 : number >= 500 ? 500 : 400;
};

/** Lines of at most `width` pixels, broken at spaces; a longer word stays whole on a line of its own. */
export function wrapped(text: string, width: number, size: number, weight: Weight = 400): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer, size, weight) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** The text cut to `width` pixels, with an ellipsis where something was cut. Never cuts a character in two. */
export function shortened(text: string, width: number, size: number, weight: Weight = 400): string {
  if (textWidth(text, size, weight) <= width) return text;
  const room = width - advance("…", weight) * size;
  let used = 0;
  let kept = "";
  for (const character of text) {
    used += advance(character, weight) * size;
    if (used > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Whether the font draws this character: glyph 0 is the empty box. */
export const isCovered = (character: string): boolean => fontOf(400).charToGlyphIndex(character) !== 0;

/** The text with white space as single spaces and every character that the font lacks as "·", runs of them as one. */
export function coveredText(text: string): string {
  let kept = "";
  for (const character of text.toWellFormed().replaceAll(/\s+/gu, " ")) {
    const drawn = isCovered(character) ? character : "·";
    if (drawn === character || !kept.endsWith("·")) kept += drawn;
  }
  return kept;
}
