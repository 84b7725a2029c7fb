import { describe, expect, it } from "vitest";
import profiles from "../../../../fixtures/profiles.json" with { type: "json" };
import { stream } from "./stories/stream.ts";
import { visual } from "./stories/visual.ts";
import { yt } from "./stories/yt.ts";
import { causes, findings, fitting, type Story } from "./story.ts";
import { renderWith, template } from "./template.ts";

const stories = { "sim-yt": yt, "sim-visual": visual, "sim-stream": stream } as const;
const slotsOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot ?? "");

describe.each(Object.entries(stories))("the story of %s", (name, story: Story) => {
  it("has a turn for every user text of its profile", () => {
    expect(story.turns).toHaveLength(profiles[name as keyof typeof stories].userTexts);
  });

  it("works in directories that it has words and files for", () => {
    for (const { area } of story.turns) {
      expect(Object.keys(story.areas)).toContain(area);
      expect(Object.keys(story.tree)).toContain(area);
    }
  });

  it("asks for nothing that it has no value for, and says the same in both languages", () => {
    for (const { user, rule } of story.turns) {
      expect(slotsOf(user.zh).toSorted()).toEqual(slotsOf(user.en).toSorted());
      expect(slotsOf(rule?.zh ?? "")).toEqual(slotsOf(rule?.en ?? ""));
      for (const slot of slotsOf(user.en + (rule?.en ?? ""))) expect(Object.keys(story.choices)).toContain(slot);
    }
  });

  it("lays down constraints and changes some of them later", () => {
    const keys = story.turns.flatMap(({ rule }) => rule?.key ?? []);
    expect(new Set(keys).size).toBeGreaterThan(2);
    expect(keys.length).toBeGreaterThan(new Set(keys).size);
  });

  it("has a test for no subject twice and enough words for its functions", () => {
    for (const { verbs, nouns, subjects, remarks, causes } of Object.values(story.areas)) {
      expect(new Set(subjects).size).toBe(subjects.length);
      expect(new Set(verbs).size * new Set(nouns).size).toBeGreaterThan(72);
      expect(new Set(nouns).size).toBeGreaterThan(5);
      expect(Math.min(remarks.length, causes.length)).toBeGreaterThan(1);
    }
  });
});

describe("findings and causes", () => {
  it("are read from their lines", () => {
    const [finding] = findings("\nWARN late {n}\n -> {n} is late -> {n} 迟到\n");
    const values = { n: "7" };
    expect(
      [finding?.line, finding?.en, finding?.zh].map((each) => renderWith(each ?? template(""), values, [])),
    ).toEqual(["WARN late 7", "7 is late", "7 迟到"]);
    expect(causes("1 | {off} | off by one | 差一").map(({ why }) => why)).toEqual([{ en: "off by one", zh: "差一" }]);
  });
});

describe("fitting", () => {
  it("prefers what is about the directory, then what is about none", () => {
    const [own, general, other] = [{ about: ["a"] }, {}, { about: ["b"] }];
    expect(fitting([own, general, other], "a")).toEqual([own]);
    expect(fitting([own, general, other], "c")).toEqual([general]);
    expect(fitting([own, other], "c")).toEqual([own, other]);
  });
});
