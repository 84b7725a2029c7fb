import { describe, expect, it } from "vitest";
import type { Message } from "../chain/message.ts";
import type { JsonObject } from "../json.ts";
import { sessionFiles } from "./session-files.ts";
import { called, resulted } from "./testing.ts";

type Act = readonly [tool: string, args: JsonObject, result?: string, error?: boolean];
const history = (...acts: readonly Act[]): Message[] =>
  acts.flatMap(([tool, args, result = "done", error = false], at) => [
    called(`m${at}`, `c${at}`, tool, args),
    resulted(`r${at}`, `c${at}`, result, error),
  ]);
const fileAfter = (...acts: readonly Act[]) => sessionFiles(history(...acts)).get("a.ts");
const write: Act = ["write", { path: "a.ts", content: "one\ntwo\nthree" }];

describe("the files of a session", () => {
  it("are what was written, with later edits in them", () => {
    expect(fileAfter(write)).toEqual(["one", "two", "three"]);
    expect(fileAfter(write, ["edit", { path: "a.ts", old: "two\nthree", new: "2\n2.5\n3" }])).toEqual([
      "one",
      "2",
      "2.5",
      "3",
    ]);
    expect(fileAfter(write, ["edit", { path: "a.ts", old: "two", new: "$& $1" }])).toEqual(["one", "$& $1", "three"]);
  });

  it("replace the first place only, unless every place was meant", () => {
    const twice: Act = ["write", { filePath: "a.ts", content: "x\nx" }];
    expect(fileAfter(twice, ["edit", { filePath: "a.ts", oldString: "x", newString: "y" }])).toEqual(["y", "x"]);
    const all = { filePath: "a.ts", oldString: "x", newString: "y", replaceAll: true };
    expect(fileAfter(twice, ["edit", all])).toEqual(["y", "y"]);
  });

  it.each([
    ["tabs", "    1\tone\n    2\ttwo"],
    ["arrows", "     1→one\n     2→two"],
    ["bars", "00001| one\n00002| two"],
  ])("are what was read, without line numbers printed with %s", (_how, shown) => {
    expect(fileAfter(["read", { path: "a.ts" }, shown])).toEqual(["one", "two"]);
  });

  it("are what was read, with the numbers that a file's own lines begin with", () => {
    expect(fileAfter(["read", { path: "a.ts" }, "7\tseven\n8\teight"])).toEqual(["7\tseven", "8\teight"]);
    expect(fileAfter(["read", { path: "a.ts" }, "plain\ntext"])).toEqual(["plain", "text"]);
  });

  it("know only the lines that a part of a file showed, and keep what is known around it", () => {
    const part: Act = ["read", { path: "a.ts", offset: 3, limit: 2 }, "    3\tthree\n    4\tfour"];
    expect(fileAfter(part)).toEqual([undefined, undefined, "three", "four"]);
    expect(fileAfter(write, part)).toEqual(["one", "two", "three", "four"]);
    expect(fileAfter(part, ["edit", { path: "a.ts", old: "three", new: "3" }])).toEqual([
      undefined,
      undefined,
      "3",
      "four",
    ]);
    expect(fileAfter(["read", { path: "a.ts", offset: 3 }, "no numbers"])).toBeUndefined();
  });

  it("do not change by calls that failed, that name no known text, or that are no file's", () => {
    expect(fileAfter(write, ["write", { path: "a.ts", content: "x" }, "denied", true])).toEqual([
      "one",
      "two",
      "three",
    ]);
    expect(fileAfter(write, ["edit", { path: "a.ts", old: "four", new: "x" }])).toEqual(["one", "two", "three"]);
    expect(fileAfter(write, ["shell", { path: "a.ts", content: "x" }])).toEqual(["one", "two", "three"]);
    expect(fileAfter(["edit", { path: "a.ts", old: "a", new: "b" }])).toBeUndefined();
  });

  it("are as they were before a call whose result has not come", () => {
    const journal = history(write, ["write", { path: "a.ts", content: "later" }]);
    expect(sessionFiles(journal.slice(0, -1)).get("a.ts")).toEqual(["one", "two", "three"]);
  });

  it("ignore a line number that no part can have", () => {
    expect(fileAfter(["read", { path: "a.ts" }, "    1\tone\n99999999\tfar"])).toEqual(["one"]);
  });
});
