import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdit, commentIn, hunks, isFree, lineAt, lineCount, linesWith, numbered, sourceFile } from "./files.ts";

const someLines = fc.array(fc.constantFrom("let a = 1;", "", "  b();", "// why not.", "fn f() {", "}"), {
  minLength: 1,
  maxLength: 60,
});
const someEdits = fc.array(
  fc.record({
    at: fc.nat({ max: 59 }),
    count: fc.nat({ max: 1 }),
    after: fc.array(fc.constantFrom("new();", "x"), { minLength: 1, maxLength: 3 }),
  }),
  { maxLength: 8 },
);

/** Applies hunks to lines as `patch` does. Throws where a line that should be there is not. */
function patch(old: readonly string[], diff: readonly string[]): string[] {
  const out: string[] = [];
  let at = 0;
  for (const line of diff) {
    const start = /^@@ -(\d+),(\d+)/.exec(line);
    if (start !== null) while (at < Number(start[1]) - 1) out.push(old[at++] ?? "?");
    else if (line.startsWith("+")) out.push(line.slice(1));
    else {
      if (old[at] !== line.slice(1)) throw new Error(`line ${at + 1} is "${old[at]}", not "${line.slice(1)}"`);
      if (line.startsWith(" ")) out.push(line.slice(1));
      at++;
    }
  }
  return [...out, ...old.slice(at)];
}

describe("files", () => {
  it("turn the old text into the new when their hunks are applied", () => {
    fc.assert(
      fc.property(someLines, someEdits, fc.integer({ min: 0, max: 3 }), (lines, edits, contextLines) => {
        const file = sourceFile("a.rs", lines.join("\n"), []);
        for (const { at, count, after } of edits)
          if (at + count <= lineCount(file) && at < lineCount(file) && isFree(file, at, count, 7))
            applyEdit(file, at, count, after);
        expect(
          patch(
            lines,
            hunks(file, () => true, contextLines),
          ),
        ).toEqual(file.text.split("\n"));
      }),
    );
  });

  it("give the lines that a split gives, with and without numbers", () => {
    fc.assert(
      fc.property(someLines, (lines) => {
        const file = sourceFile("a.rs", lines.join("\n"), []);
        const all = lines.map((_, index) => lineAt(file, index));
        expect(all).toEqual(lines);
        const shown = numbered(file, 0, lines.length).split("\n");
        expect(shown).toEqual(lines.map((line, index) => `${String(index + 1).padStart(5)}\t${line}`));
      }),
    );
  });

  it("find a text by line, and the last comment of a stretch", () => {
    const file = sourceFile("a.rs", "fn f() {\n    // one line.\n    g();\n    // two lines.\n    g(); g();\n}", []);
    expect(linesWith(file, "g()")).toEqual([2, 4]);
    expect(commentIn(file, "// ", 0, 6)).toEqual({ text: "two lines", line: 4 });
    expect(commentIn(file, "// ", 0, 3)).toEqual({ text: "one line", line: 2 });
    expect(commentIn(file, "// ", 2, 3)).toBeUndefined();
  });

  it("keep declarations at their functions when lines are put above them", () => {
    const file = sourceFile("a.rs", "use x;\n\nfn f() {\n}", [{ name: "f", line: 2 }]);
    applyEdit(file, 0, 0, ["use w;", "use v;"]);
    expect(file.declarations.map(({ line }) => lineAt(file, line))).toEqual(["fn f() {"]);
  });
});
