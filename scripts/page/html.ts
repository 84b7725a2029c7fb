/** The report page as one file: markup, styles, program and data. Nothing is fetched when it is opened. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { family, fontFiles, weights } from "../figures/measure.ts";
import type { PageData } from "./data.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The client's program with all that it imports, vega-embed included, as one script. */
async function program(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [at("client/main.ts")],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    legalComments: "none",
    charset: "utf8",
  });
  return outputFiles[0]?.text ?? "";
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? "");

/** A script that holds no end of itself; a "<" before anything else may be an operator or part of an expression. */
const insideScript = (text: string): string => text.replaceAll(/<\/(?=script)/gi, String.raw`<\/`);
/** JSON that no script element ends early. */
const dataText = (data: PageData): string =>
  JSON.stringify(data)
    .replaceAll("<", String.raw`\u003c`)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`);

/** The figures' own font: with another one their labels would not stand where there is room for them. */
const fontFaces = (): string =>
  weights
    .map((weight) => {
      const base64 = readFileSync(fontFiles[weight]).toString("base64");
      return `@font-face{font-family:${family};font-weight:${weight};src:url(data:font/ttf;base64,${base64})}`;
    })
    .join("\n");

const list = (lines: readonly string[]): string =>
  `<ul class="plain">${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>`;

/** The page of this data. Equal data gives equal bytes. */
export async function pageHtml(data: PageData): Promise<string> {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:">
<title>closed-book ${escaped(data.runId)}</title>
<style>
${fontFaces()}
${readFileSync(at("page.css"), "utf8")}</style>
</head>
<body>
<header>
<h1>${escaped(data.runId)}</h1>
<p class="mute">Model ${escaped(data.model)}. What a coding agent can still answer after context compaction, and what that cost.</p>
${list(data.conditions)}
<nav aria-label="Sections"><a href="#tables">Tables</a><a href="#figures">Figures</a><a href="#questions">Questions</a><button id="theme" type="button">Dark theme</button></nav>
</header>
<main>
<section><h2>Results</h2><div id="tables"></div>${list(data.notes)}</section>
<section id="figures"><h2>Figures</h2><p class="mute">Select a square, a point or a bar to see the questions behind it.</p><div id="gallery"></div></section>
<section id="questions"><h2>Questions</h2>
<form id="filters" aria-label="Filters"></form>
<p class="mute"><span id="count" role="status"></span>; ● kept, ○ lost, · not asked, one an arm in the order of the tables. Arrow keys move through the list, / searches.</p>
<div class="browser"><ul id="list" aria-label="Questions"></ul><section id="detail" aria-label="The selected question" tabindex="0"></section></div>
</section>
</main>
<dialog id="cell" aria-label="A cell of the run"></dialog>
<script id="data" type="application/json">${dataText(data)}</script>
<script>${insideScript(await program())}</script>
</body>
</html>
`;
}
