import { describe, expect, it } from "vitest";
import { textTokens } from "../../harness/chain/tokens.ts";
import { handoffHeading, indexHeader, retentionNote, summaryHeader, summaryInstruction } from "./prompt.ts";

it("keeps both headers within 111 tokens and the heading of the summary within 48", () => {
  expect(textTokens(indexHeader)).toBeLessThanOrEqual(111);
  expect(textTokens(summaryHeader)).toBeLessThanOrEqual(111);
  expect(textTokens(handoffHeading)).toBeLessThanOrEqual(48);
});

it("says in the note whether a summary covers what was given up", () => {
  expect(retentionNote("deterministic", 3)).toMatch(/^\[.*\b3\b.*not summarized.*\]$/);
  expect(retentionNote("summarized", 3)).toMatch(/^\[.*\b3\b.*summary.*\]$/);
});

describe("the summary instruction", () => {
  const first = summaryInstruction(undefined, undefined, 4_096);

  it("opens with an empty conversation element when nothing was compacted before", () => {
    expect(first.startsWith("<conversation></conversation>\n\n")).toBe(true);
    expect(first).not.toContain("<prior-summary>");
  });

  it("puts the whole prior text between its tags, before the conversation element", () => {
    const text = summaryInstruction("header\nindex\n\nhandoff", undefined, 4_096);
    expect(text).toContain(
      "<prior-summary>\nheader\nindex\n\nhandoff\n</prior-summary>\n\n<conversation></conversation>\n\n",
    );
    expect(text.endsWith(first)).toBe(true);
    expect(text.indexOf("<prior-summary>")).toBeGreaterThan(0);
  });

  it("asks for the sections in order, each on a line of its own", () => {
    const headings = first.split("\n").filter((line) => line.startsWith("#"));
    expect(headings).toEqual([
      "## Objective",
      "## Important Details",
      "## Work State",
      "### Completed",
      "### Active",
      "### Blocked",
      "## Next Move",
      "## Relevant Files",
    ]);
  });

  it("states the limit in tokens, three quarters of it in words, and puts the note before the template", () => {
    expect(first).toContain("at most 4096 tokens");
    expect(first).toContain("3072 words");
    const noted = summaryInstruction(undefined, "mind the cap", 1_000);
    expect(noted.indexOf('"mind the cap"\n\n')).toBeGreaterThan(noted.indexOf("</conversation>\n\n"));
    expect(noted.indexOf('"mind the cap"')).toBeLessThan(noted.indexOf("## Objective"));
    expect(noted).toContain("at most 1000 tokens");
  });
});
