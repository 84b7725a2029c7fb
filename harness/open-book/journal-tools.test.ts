import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readable, toMessages } from "../chain/message.ts";
import { anyRecords } from "../chain/testing.ts";
import { stands } from "../exam/stands.ts";
import type { JsonObject } from "../json.ts";
import { entryText } from "../run/history.ts";
import { journalInterface } from "./journal-tools.ts";
import { type LookupResult, resultText } from "./lookup.ts";
import { said, smallJournal } from "./testing.ts";

const open = (journal = smallJournal) => journalInterface.open({ journal, compactedAt: [] });
const search = (args: JsonObject, journal = smallJournal): LookupResult => open(journal).serve("history_search", args);
const get = (args: JsonObject, journal = smallJournal): LookupResult => open(journal).serve("history_get", args);
const piecesOf = (result: LookupResult) => (result.kind === "served" ? result.pieces : []);

describe("history_search", () => {
  it("shows a bounded excerpt of each place with the id of its entry and the place in it", () => {
    const [place, ...others] = piecesOf(search({ query: "ver_lost3" }));
    expect(others).toEqual([]);
    expect(place?.head).toBe("[entry e6, tool result, at character 11700]");
    expect(place?.text).toMatch(/^….*ver_lost3\n$/s);
    expect(place?.text.length).toBeLessThan(140);
  });

  it("shows newer entries first and at most as many as asked", () => {
    const result = search({ query: "ver_", limit: 2 });
    expect(piecesOf(result).map(({ head }) => head.split(",")[0])).toEqual(["[entry e6", "[entry e4"]);
    expect(resultText(result)).toContain("There are more places");
  });

  it("does not repeat the query where nothing is found, so that asking is no evidence", () => {
    const result = search({ query: "ver_never" });
    expect(result.kind).toBe("served");
    expect(resultText(result)).not.toContain("ver_never");
  });

  it("finds what stands in a call's arguments", () => {
    expect(piecesOf(search({ query: "src/a.ts" }))[0]?.head).toContain("entry e2, assistant");
  });

  it("shows nothing of what comes after the boundary", () => {
    for (let end = 0; end <= smallJournal.length; end++) {
      const texts = smallJournal.slice(end).flatMap(readable);
      const before = smallJournal.slice(0, end);
      for (const value of ["ver_lost1", "ver_lost2", "ver_lost3"]) {
        const isBefore = before.flatMap(readable).some((text) => text.includes(value));
        expect(piecesOf(search({ query: value }, before)).length > 0, `${value} at ${end}`).toBe(isBefore);
        expect(isBefore || texts.some((text) => text.includes(value))).toBe(true);
      }
    }
  });

  it("finds, in any history, every word that stands in it, and shows it as a whole", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const journal = toMessages(records);
        const words = new Set(journal.flatMap(readable).flatMap((text) => text.match(/[a-z0-9]{2,}/gi) ?? []));
        const isShown = (word: string): boolean =>
          piecesOf(search({ query: word, limit: 1 }, journal)).some(({ text }) => stands(text, word));
        const standing = [...words].filter((word) => journal.flatMap(readable).some((text) => stands(text, word)));
        expect(standing.filter((word) => !isShown(word))).toEqual([]);
      }),
    );
  });

  it.each([
    [{}, /"query"/],
    [{ query: "" }, /"query"/],
    [{ query: 7 }, /"query"/],
    [{ query: "a", limit: 0 }, /"limit"/],
    [{ query: "a", regex: true }, /regex/],
    [{ query: "x".repeat(501) }, /"query"/],
  ])("refuses %j as broken arguments, in one line that names the tool", (args: JsonObject, message) => {
    const result = search(args);
    expect(result).toMatchObject({ kind: "refused", why: "broken arguments" });
    expect(resultText(result)).toMatch(message);
    expect(resultText(result)).toMatch(/^history_search: [^\n]*\.$/);
  });
});

describe("history_get", () => {
  it("prints an entry in parts that join to the whole, whatever is in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 40 }), fc.nat(600), (unit, times) => {
        const journal = [said("long", "assistant", unit.repeat(times + 1))];
        let whole = "";
        for (let offset: number | undefined = 0; offset !== undefined;) {
          const result = get({ entry: "long", offset }, journal);
          whole += piecesOf(result)[0]?.text ?? "";
          const next: RegExpExecArray | null = /at offset (\d+)\.$/.exec(resultText(result));
          offset = next === null ? undefined : Number(next[1]);
        }
        expect(whole).toBe(entryText(journal[0] ?? said("", "user", "")).toWellFormed());
      }),
      { numRuns: 30 },
    );
  });

  it("reads on from the place that a search named", () => {
    const result = get({ entry: "e6", offset: 11700 });
    expect(piecesOf(result)).toEqual([
      { head: "[entry e6, tool result, characters 11700 to 11710 of 11710]", text: "ver_lost3\n" },
    ]);
  });

  it("reads an entry without text", () => {
    expect(get({ entry: "x" }, [said("x", "user", "")])).toMatchObject({ kind: "served" });
  });

  it.each([
    [{ entry: "e7" }, "out of range", /no entry "e7" up to here/],
    [{ entry: "e6", offset: 11710 }, "out of range", /offset 11710 is behind the entry's 11710 characters/],
    [{ entry: "e6", offset: -1 }, "broken arguments", /"offset"/],
    [{ offset: 3 }, "broken arguments", /"entry"/],
  ])("refuses %j as %s", (args: JsonObject, why, message) => {
    const result = get(args);
    expect(result).toMatchObject({ kind: "refused", why });
    expect(resultText(result)).toMatch(message);
  });

  it("refuses an entry after the boundary as one that does not exist", () => {
    expect(get({ entry: "e6" }, smallJournal.slice(0, 5))).toMatchObject({ kind: "refused", why: "out of range" });
  });
});
