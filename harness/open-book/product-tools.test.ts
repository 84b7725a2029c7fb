import { describe, expect, it } from "vitest";
import { UsageError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { fileInterface } from "./file-tools.ts";
import { interfaceOf } from "./interfaces.ts";
import { type LookupResult, resultText } from "./lookup.ts";
import { called, resulted, said, smallJournal } from "./testing.ts";
import { windowInterface } from "./window-tools.ts";

const journal = [
  called("w1", "c1", "write", { path: "src/a.ts", content: "const limit = ver_one;\nexport {};" }),
  resulted("r1", "c1", "done"),
  called("w2", "c2", "read", { path: "lib/b.py", offset: 2, limit: 1 }),
  resulted("r2", "c2", "    2\tlimit = ver_two"),
  called("w3", "c3", "shell", { command: "echo ver_three" }),
  resulted("r3", "c3", "ver_three"),
];
const files = (tool: string, args: JsonObject, upTo = journal.length): LookupResult =>
  fileInterface.open({ journal: journal.slice(0, upTo), compactedAt: [] }).serve(tool, args);
const windows = (tool: string, args: JsonObject, compactedAt: readonly number[] = [2, 6]): LookupResult =>
  windowInterface.open({ journal: smallJournal, compactedAt }).serve(tool, args);
const textsOf = (result: LookupResult): string[] =>
  result.kind === "served" ? result.pieces.map(({ text }) => text) : [];

describe("glob, grep and read", () => {
  it("look into the files as the session last left them", () => {
    expect(textsOf(files("glob", { pattern: "**/*" }))).toEqual(["lib/b.py\nsrc/a.ts"]);
    expect(textsOf(files("grep", { pattern: "ver_one|ver_two" }))).toEqual([
      "src/a.ts: const limit = ver_one;",
      "lib/b.py: limit = ver_two",
    ]);
    expect(textsOf(files("grep", { pattern: "limit", include: "*.py" }))).toEqual(["lib/b.py: limit = ver_two"]);
    expect(textsOf(files("read", { path: "src/a.ts" }))).toEqual(["const limit = ver_one;\nexport {};"]);
  });

  it("say which lines the session never showed", () => {
    expect(resultText(files("read", { path: "lib/b.py" }))).toMatch(
      /^\[lines 1 to 2 of 2\]\nlimit = ver_two\n\n1 of these lines were never shown/,
    );
  });

  it("know nothing of what commands printed, nor of what comes after the boundary", () => {
    expect(resultText(files("grep", { pattern: "ver_three" }))).toBe("No line has that.");
    expect(resultText(files("grep", { pattern: "ver_two" }, 2))).toBe("No line has that.");
    expect(files("read", { path: "lib/b.py" }, 2)).toMatchObject({ kind: "refused", why: "out of range" });
  });

  it("refuse broken arguments and places that do not exist", () => {
    expect(files("glob", { pattern: "*".repeat(7).split("").join("a") })).toMatchObject({ why: "broken arguments" });
    expect(files("grep", {})).toMatchObject({ why: "broken arguments" });
    expect(files("read", { path: "src/a.ts", offset: 3 })).toMatchObject({ why: "out of range" });
  });
});

describe("windows and items", () => {
  it("split the history where it was condensed", () => {
    expect(resultText(windows("list_windows", {}))).toBe("Window 1 has 2 items.\nWindow 2 has 4 items.");
    expect(resultText(windows("list_windows", {}, []))).toBe("Window 1 has 6 items.");
  });

  it("list and read items by their number in the window", () => {
    expect(resultText(windows("list_items", { window: 2, from: 2, count: 1 }))).toBe(
      "[item 2, assistant]\nIt was ver_lost2, not ver_lost2x.\n\nThe window goes on at item 3.",
    );
    expect(textsOf(windows("read_item", { window: 2, item: 1 }))).toEqual(["one\nver_lost1 here\nthree"]);
    expect(textsOf(windows("read_item", { window: 2, item: 4, offset: 11_700 }))).toEqual(["ver_lost3\n"]);
  });

  it.each<[string, JsonObject, string]>([
    ["list_items", { window: 3 }, "there is no window 3; there are 2"],
    ["list_items", { window: 1, from: 3 }, "there is no item 3 in that window; it has 2"],
    ["read_item", { window: 1, item: 9 }, "there is no item 9"],
    ["read_item", { window: 1, item: 1, offset: 999 }, "offset 999 is behind"],
    ["list_items", { window: 0 }, '"window"'],
    ["list_windows", { all: true }, "all"],
  ])("refuse %s with %j", (tool, args, message) => {
    const result = windows(tool, args);
    expect(result.kind).toBe("refused");
    expect(resultText(result)).toContain(message);
  });
});

describe("the interface of an arm", () => {
  it("is the journal's by default and the design's own where that is asked", () => {
    expect(interfaceOf("journal", "codex").id).toBe("journal");
    expect(interfaceOf("product", "codex").id).toBe("windows");
    expect(interfaceOf("product", "opencode").id).toBe("files");
    expect(interfaceOf("product", "futureos-summarized").id).toBe("journal");
    expect(() => interfaceOf("product", "recent")).toThrow(UsageError);
  });

  it("says what a call was looking for", () => {
    expect(fileInterface.aim("grep", { pattern: String.raw`a\|b` })).toBe("a|b");
    expect(fileInterface.aim("read", { path: "a" })).toBeUndefined();
    expect(windowInterface.aim("read_item", { window: 1, item: 1 })).toBeUndefined();
  });

  it("names no tool twice and describes every argument", () => {
    for (const { tools } of [fileInterface, windowInterface, interfaceOf("journal", "codex")]) {
      expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
      for (const { parameters } of tools)
        for (const property of Object.values(parameters["properties"] as { readonly [name: string]: JsonObject }))
          expect(property["description"]).toMatch(/\S/);
    }
  });
});

it("a user's words are an item too", () => {
  const [first] = [said("u", "user", "Keep it short.")];
  const lookups = windowInterface.open({ journal: first === undefined ? [] : [first], compactedAt: [] });
  expect(resultText(lookups.serve("list_items", { window: 1 }))).toBe("[item 1, user]\nKeep it short.");
});
