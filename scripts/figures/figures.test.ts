import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TopLevelSpec } from "vega-lite";
import { beforeAll, describe, expect, it } from "vitest";
import { asJson } from "../../harness/run/manifest.ts";
import { compactJson } from "./compact-json.ts";
import { compileFigure, toPixels, toPng, toSvg } from "./draw.ts";
import { unknownFields } from "./fields.ts";
import { type Figure, figures, fileName, type Input } from "./index.ts";
import { loadRun } from "./load.ts";
import { isCovered, textWidth } from "./measure.ts";
import { armReport, smallReport, smallRun } from "./testing.ts";
import { figurePadding, figureWidth } from "./theme.ts";

const run = smallRun();
const inputs: readonly Input[] = [{ kind: "run", run }, { kind: "published" }, { kind: "compare", run }];
const cases = inputs.flatMap((input) =>
  figures.map((figure) => [fileName(figure.name, input.kind), figure, input] as const),
);

const specOf = (figure: Figure, input: Input): TopLevelSpec | undefined => {
  const drawing = figure.draw(input);
  return "spec" in drawing ? drawing.spec : undefined;
};
const drawn = cases.flatMap(([name, figure, input]) => {
  const spec = specOf(figure, input);
  return spec === undefined ? [] : [[name, spec] as const];
});

/** Every text that a specification writes. */
const textsOf = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : value !== null && typeof value === "object"
      ? Object.values(value).flatMap(textsOf)
      : [];

describe("the figures", () => {
  it("are nine, and all of them are drawn from a run", () => {
    expect(figures.map(({ name }) => name.split("-")[0])).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    expect(figures.every((figure) => specOf(figure, { kind: "run", run }) !== undefined)).toBe(true);
  });

  it("say why one is missing: an anatomy needs a projection of a run", () => {
    const anatomy = figures.find(({ name }) => name === "7-anatomy");
    expect(anatomy?.draw({ kind: "published" })).toHaveProperty("missing");
    expect(anatomy?.draw({ kind: "run", run: { ...run, anatomy: undefined } })).toHaveProperty("missing");
  });

  it.each(drawn)("%s compiles without a warning, and every field it names is in its rows", (_name, spec) => {
    expect(unknownFields(spec)).toEqual([]);
    expect(() => compileFigure(spec)).not.toThrow();
  });

  it.each(drawn)("%s is a pure function of its input, and says where its numbers are from", (name, spec) => {
    const again = drawn.find(([other]) => other === name);
    expect(again?.[1]).toBe(spec);
    const [, figure, input] = cases.find(([other]) => other === name) ?? [];
    expect(figure && input && asJson(specOf(figure, input))).toEqual(asJson(spec));
    const texts = textsOf(spec).join(" ");
    if (!name.startsWith("9") && !name.includes("published")) expect(texts).toContain(run.report.runId);
    if (name.includes("published")) expect(texts).toContain("not results of this project");
  });

  it.each(drawn)("%s has only glyphs that the font draws", (_name, spec) => {
    const missing = new Set(
      textsOf(spec)
        .flatMap((text) => Array.from(text))
        .filter((character) => !isCovered(character)),
    );
    expect([...missing]).toEqual([]);
  });
});

/** Titles of the figures of a run with these arms; compiled, and so free of fields that no row has. */
function titlesOf(arms: Parameters<typeof smallReport>[0], kind: "run" | "compare" = "run"): string[] {
  const input: Input = { kind, run: { ...run, report: smallReport(arms) } };
  return figures.map((figure) => {
    const drawing = figure.draw(input);
    if ("missing" in drawing) return drawing.missing;
    compileFigure(drawing.spec);
    return (drawing.spec as unknown as { title: { text: string[] } }).title.text.join(" ");
  });
}

describe("figures of a run with few arms", () => {
  const one = armReport("codex", "Codex", "mirror", { hits: 8, tokens: 2000, coldNano: 9000, cachedNano: 9000 });
  const control = armReport("empty", "Nothing kept", "control", { hits: 0, tokens: 0 });

  it.each(["run", "compare"] as const)("of one product can be drawn (%s), and praise it over no other", (kind) => {
    const [kept, , threeWay, size] = titlesOf([one], kind);
    expect(kept).toBe("Codex keeps 8 of 20 values; Codex confirms decoys too");
    expect(threeWay).toBe("Codex recalls 40.0 % with 2,000 tokens");
    expect(size).toBe("Codex recalls 40.0 % with 2,000 tokens");
  });

  it.each(["run", "compare"] as const)("of controls alone are missing where there is nothing to draw (%s)", (kind) => {
    const [, , , size, compaction, point] = titlesOf([control], kind);
    expect(size).toContain("no arm whose projections have a size");
    expect([compaction, point]).toEqual(Array(2).fill("this run has no arm but controls"));
  });
});

describe("a run in another currency than the article's", () => {
  const dollars = (): Input => {
    const report = smallReport();
    return { kind: "compare", run: { ...run, report: { ...report, money: { ...report.money, currency: "USD" } } } };
  };
  const specAt = (name: string): string =>
    JSON.stringify(specOf(figures.find((figure) => figure.name === name) as Figure, dollars()));

  it("shares no scale of amounts with it: two axes, and no published dot among the run's", () => {
    expect(specAt("5-compaction-cost")).toContain('"CNY a compaction"');
    expect(specAt("5-compaction-cost")).toContain('"USD a compaction"');
    expect(specAt("3-three-way")).toContain("USD a point");
    expect(specAt("3-three-way")).toContain("in another currency and left out");
    expect(specAt("3-three-way")).not.toContain("0.0013");
  });
});

describe("a drawn figure", () => {
  const svgs = new Map<string, string>();
  beforeAll(async () => {
    for (const [name, spec] of drawn) svgs.set(name, await toSvg(spec));
  });

  it("is 600 pixels wide, a column of a page, and never more", () => {
    for (const [name, svg] of svgs) {
      const width = Number(/width="([\d.]+)"/.exec(svg)?.[1]);
      expect(width, name).toBeLessThanOrEqual(figureWidth + 2 * figurePadding + 8);
    }
  });

  it("keeps every line of its title and subtitle inside the figure", () => {
    for (const [name, spec] of drawn) {
      const { title } = spec as unknown as { title: { text: string[]; subtitle: string[] } };
      for (const line of title.text)
        expect(textWidth(line, 15, 600), `${name}: ${line}`).toBeLessThanOrEqual(figureWidth);
      for (const line of title.subtitle)
        expect(textWidth(line, 11.5), `${name}: ${line}`).toBeLessThanOrEqual(figureWidth);
    }
  });

  it("is the same bytes when it is drawn again after all the others, as SVG and as PNG", async () => {
    const [name, spec] = drawn[3] ?? [];
    if (name === undefined || spec === undefined) throw new Error("nothing was drawn");
    const first = svgs.get(name) ?? "";
    const second = await toSvg(spec);
    expect(second).toBe(first);
    expect(toPng(second).equals(toPng(first))).toBe(true);
  });

  it("leaves ink where its title stands: a missing font would leave none", () => {
    const svg = svgs.get("3-three-way") ?? "";
    const { width, pixels } = toPixels(svg);
    const dark = (from: number, to: number): number => {
      let count = 0;
      for (let at = from * width * 4; at < to * width * 4; at += 4) if ((pixels[at] ?? 255) < 100) count++;
      return count;
    };
    expect(dark(10, 32)).toBeGreaterThan(300);
    const withoutText = toPixels(svg.replaceAll(/<text[^>]*>[^<]*<\/text>/g, ""));
    expect(withoutText.pixels.equals(pixels)).toBe(false);
  });
});

describe("a misspelt specification", () => {
  const rows = { data: { values: [{ arm: "codex", hits: 3 }] }, mark: "bar" };

  it("is an error where a channel is misspelt", () => {
    const spec = { ...rows, encoding: { x: { field: "hits", type: "quantitative" }, colour: { field: "arm" } } };
    expect(() => compileFigure(spec as unknown as TopLevelSpec)).toThrow("colour");
  });

  it("is an error where a field is misspelt, in a channel, a transform or an expression", () => {
    expect(unknownFields({ ...rows, encoding: { x: { field: "hit" } } })).toEqual(["hit"]);
    expect(unknownFields({ ...rows, transform: [{ flatten: ["armz"] }] })).toEqual(["armz"]);
    expect(
      unknownFields({
        ...rows,
        transform: [{ calculate: "datum.hits + datum.misses", as: "of" }],
        encoding: { x: { field: "of" } },
      }),
    ).toEqual(["misses"]);
    expect(() =>
      compileFigure({ ...rows, encoding: { x: { field: "hit", type: "quantitative" } } } as TopLevelSpec),
    ).toThrow("field hit");
  });
});

/** The reference run's figures as they are checked in: `npm run figures`, `-- --published` and `-- --compare` write them. */
describe("the checked specifications", () => {
  const checked = (name: string): string =>
    readFileSync(new URL(`../../figures/${name}.vl.json`, import.meta.url), "utf8");

  it.each(figures.map(({ name }) => name).filter((name) => name !== "7-anatomy"))(
    "of %s are what the published numbers give",
    (name) => {
      const figure = figures.find((one) => one.name === name);
      const spec = figure && specOf(figure, { kind: "published" });
      expect(`${compactJson(asJson(spec))}\n`).toBe(checked(fileName(name, "published")));
    },
  );

  it("are what the reference run gives, and are drawn", { timeout: 30_000 }, async () => {
    const reference = await loadRun(fileURLToPath(new URL("../../results/reference", import.meta.url)));
    for (const figure of figures) {
      const spec = specOf(figure, { kind: "run", run: reference });
      expect(`${compactJson(asJson(spec))}\n`, figure.name).toBe(checked(figure.name));
      for (const ending of ["svg", "png"])
        expect(existsSync(new URL(`../../figures/${figure.name}.${ending}`, import.meta.url)), figure.name).toBe(true);
    }
  });
});
