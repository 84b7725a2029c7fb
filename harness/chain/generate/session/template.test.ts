import { describe, expect, it } from "vitest";
import { randomStream } from "../../../random.ts";
import {
  deck,
  makersOf,
  render,
  renderTogether,
  renderWith,
  template,
  writer,
  writeTemplate,
  writtenText,
} from "./template.ts";

const counting = () => {
  let count = 0;
  return makersOf({ n: () => `${++count}`, word: () => "tide" });
};

describe("templates", () => {
  it("fill slots from left to right and leave other braces alone", () => {
    expect(render(template("{n} { {word} } {n}${}"), counting())).toBe("1 { tide } 2${}");
  });

  it("fill equal slots equally when rendered together", () => {
    expect(renderTogether([template("{n} {word}"), template("{n}")], counting())).toEqual(["1 tide", "1"]);
  });

  it("name the slot that nobody fills", () => {
    expect(() => render(template("a {nobody} b"), counting())).toThrow(/"nobody"/);
    expect(() => writeTemplate(writer(), template("a {nobody} b"), counting())).toThrow(/"nobody"/);
  });

  it("prefer a given value to the maker's", () => {
    expect(renderWith(template("{word} {n}"), { word: "ebb" }, counting())).toBe("ebb 1");
  });

  it("are written as lines, and counted", () => {
    const out = writer();
    writeTemplate(out, template("first {n}"), counting());
    writeTemplate(out, template("{word}"), counting());
    expect(writtenText(out)).toBe("first 1\ntide");
    expect([out.chars, out.lines]).toEqual(["first 1\ntide".length + 1, 2]);
  });
});

describe("deck", () => {
  it("draws each item once before any comes again, and none twice in a row", () => {
    const draw = deck(randomStream(1, "deck"), ["a", "b", "c"]);
    const drawn = Array.from({ length: 300 }, () => draw());
    for (let round = 0; round < 100; round++) expect(new Set(drawn.slice(3 * round, 3 * round + 3)).size).toBe(3);
    expect(drawn.some((item, index) => item === drawn[index + 1])).toBe(false);
  });
});
