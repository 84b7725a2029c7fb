/// <reference lib="dom" />
/** The report page's program: reads the data that stands in the file, and fills the page. */
import type { PageData } from "../data.ts";
import { cellOpener } from "./cell.ts";
import { byId, element } from "./dom.ts";
import { figureGallery } from "./figures.ts";
import { questionBrowser } from "./questions.ts";

const data = JSON.parse(byId("data", HTMLScriptElement).textContent ?? "") as PageData;

const dark = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;
const theme = (): "light" | "dark" => (root.dataset["theme"] === "dark" ? "dark" : "light");
root.dataset["theme"] = dark.matches ? "dark" : "light";

const tables = byId("tables", HTMLElement);
for (const { title, head, rows } of data.tables)
  tables.append(
    element(
      "div",
      { class: "scroll", attributes: { tabindex: "0", role: "region", "aria-label": title } },
      element(
        "table",
        {},
        element("caption", {}, title),
        element(
          "thead",
          {},
          element("tr", {}, ...head.map((name) => element("th", { attributes: { scope: "col" } }, name))),
        ),
        element(
          "tbody",
          {},
          ...rows.map((row) =>
            element(
              "tr",
              {},
              ...row.map((cell, column) =>
                column === 0
                  ? element("th", { attributes: { scope: "row" } }, cell)
                  : element("td", { class: "number" }, cell),
              ),
            ),
          ),
        ),
      ),
    ),
  );

const browser = questionBrowser(data, cellOpener(data));
const gallery = figureGallery(data, browser, theme);

const toggle = byId("theme", HTMLButtonElement);
const change = (wanted: "light" | "dark"): void => {
  root.dataset["theme"] = wanted;
  toggle.textContent = wanted === "dark" ? "Light theme" : "Dark theme";
  gallery.redraw();
};
toggle.addEventListener("click", () => change(theme() === "dark" ? "light" : "dark"));
dark.addEventListener("change", ({ matches }) => change(matches ? "dark" : "light"));
toggle.textContent = theme() === "dark" ? "Light theme" : "Dark theme";
root.dataset["ready"] = "true";
