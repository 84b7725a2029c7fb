import { describe, expect, it } from "vitest";
import { toMessages } from "../chain/message.ts";
import type { ChainRecord } from "../chain/record.ts";
import { entryIdOf, entryText, searchJournal } from "./history.ts";

const records: ChainRecord[] = [
  { id: "u", position: 1, role: "user", kind: "text", text: "Look for Alpha (beta)." },
  { id: "a", position: 2, role: "assistant", kind: "text", text: "Reading both." },
  { id: "c1", position: 2, role: "assistant", kind: "tool_call", call: "1", tool: "read", args: { path: "src/a.ts" } },
  { id: "c2", position: 2, role: "assistant", kind: "tool_call", call: "2", tool: "read", args: { path: "src/b.ts" } },
  {
    id: "r1",
    position: 3,
    role: "tool",
    kind: "tool_result",
    call: "1",
    text: `${"x".repeat(100)}\nalpha\n${"y".repeat(100)}`,
  },
  { id: "r2", position: 4, role: "tool", kind: "tool_result", call: "2", text: "alpha alpha" },
];
const journal = toMessages(records);

describe("looking into a journal", () => {
  it("finds text in any letter case, newest entries first, one hit a block", () => {
    expect(searchJournal(journal, "ALPHA", 10).map(({ entry }) => entry)).toEqual(["r2", "r1", "u"]);
    expect(searchJournal(journal, "alpha", 2)).toHaveLength(2);
  });

  it("takes the searched text as text, not as a pattern", () => {
    expect(searchJournal(journal, "(beta).", 10).map(({ entry }) => entry)).toEqual(["u"]);
    expect(searchJournal(journal, "a.*a", 10)).toEqual([]);
  });

  it("gives offsets that lead to the match in the entry's text", () => {
    for (const hit of searchJournal(journal, "src/b.ts", 10)) {
      const entry = journal.find(({ id }) => id === hit.entry);
      expect(entry && entryText(entry).slice(hit.offset, hit.offset + 8)).toBe("src/b.ts");
    }
    expect(searchJournal(journal, "src/b.ts", 10)).toHaveLength(1);
  });

  it("keeps an excerpt on one line, with marks where text was left out", () => {
    const excerpt = searchJournal(journal, "alpha", 10).find(({ entry }) => entry === "r1")?.excerpt;
    expect(excerpt).toMatch(/^…x{59} alpha y{59}…$/);
  });

  it("leads from any record of a stored message to its entry", () => {
    expect(["u", "a", "c1", "c2", "r1", "none"].map((id) => entryIdOf(records, id))).toEqual([
      "u",
      "a",
      "a",
      "a",
      "r1",
      undefined,
    ]);
    for (const { id } of records) expect(journal.map((message) => message.id)).toContain(entryIdOf(records, id));
  });
});
