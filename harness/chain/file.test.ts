import * as fc from "fast-check";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ArtifactError } from "../errors.ts";
import { chainDigest } from "./digest.ts";
import { chainToJsonl, parseChain, readChainFile } from "./file.ts";
import { anyRecords, chainOf } from "./testing.ts";

const user = { id: "u", kind: "text", role: "user", text: "Go." };
const call = {
  id: "c",
  order: 2,
  kind: "tool_call",
  role: "assistant",
  call: "k",
  tool: "shell",
  args: { command: "ls" },
};
const result = { id: "r", kind: "tool_result", role: "tool", call: "k", text: "a\nb", error: true };
const records = [user, call, result];
const jsonl = records.map((record) => JSON.stringify(record)).join("\n");
const json = (changes: object = {}): string => JSON.stringify({ records, cuts: [3], ...changes });

/** The message of the error that an action throws. */
function complaint(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ArtifactError) return error.message;
    throw error;
  }
  throw new Error("no complaint");
}

describe("a chain from a file", () => {
  it("is JSON with records and cuts, named after the file without its extension", () => {
    expect(parseChain("some/where/my.session.json", json())).toEqual({
      name: "my.session",
      group: "file",
      records,
      cuts: { kind: "exact", ends: [3] },
    });
  });

  it.each([
    ["one record a line", jsonl],
    ["with a line end after the last", `${jsonl}\n`],
    ["with CRLF, blank lines and a byte order mark", `\ufeff${jsonl.replaceAll("\n", "\r\n\r\n")}\r\n`],
  ])("is JSONL with the cuts given apart: %s", (_, text) => {
    expect(parseChain("mine.jsonl", text, [1, 3])).toEqual({
      ...parseChain("mine.json", json()),
      cuts: { kind: "exact", ends: [1, 3] },
    });
  });

  it("is JSONL of one record, also when that is spread over lines", () => {
    expect(parseChain("a.jsonl", JSON.stringify(user), [1]).records).toEqual([user]);
    expect(parseChain("a.json", JSON.stringify(user, null, 2), [1]).records).toEqual([user]);
  });

  it("may be indented JSON with CRLF and a byte order mark", () => {
    const text = `\ufeff${JSON.stringify({ records, cuts: [3] }, null, 2).replaceAll("\n", "\r\n")}`;
    expect(parseChain("a.json", text).records).toEqual(records);
  });

  it("has the cuts of the command where both are given", () => {
    expect(parseChain("a.json", json(), [1]).cuts.ends).toEqual([1]);
  });

  it("keeps lone surrogates in texts and arguments", () => {
    const text = JSON.stringify({ ...call, args: { text: "\ud800", "\udc00": 1 } });
    expect(parseChain("a.jsonl", text, [1]).records[0]).toMatchObject({ args: { text: "\ud800", "\udc00": 1 } });
  });

  it("leaves out fields that the record format does not know", () => {
    expect(parseChain("a.jsonl", JSON.stringify({ ...user, model: "x" }), [1]).records).toEqual([user]);
  });

  it("is the same after it was written and read again, byte for byte", () => {
    fc.assert(
      fc.property(anyRecords, (anything) => {
        const chain = chainOf(anything);
        const text = chainToJsonl(chain);
        const again = parseChain("test.jsonl", Buffer.from(text).toString(), chain.cuts.ends);
        expect(again).toEqual(chain);
        expect(chainToJsonl(again)).toBe(text);
        expect(chainDigest(again)).toBe(chainDigest(chain));
      }),
    );
  });
});

describe("a file that is no chain is refused in one line that names it, the place and the next step:", () => {
  const line = (record: object): string => JSON.stringify(record);
  it.each([
    ["an empty file", "", /^x\.json: is empty\. Write \{"records":\[…\],"cuts":\[…\]\} or one record a line\.$/],
    ["white space", "\ufeff \n\r\n", /is empty/],
    ["no JSON at all", "hello\nworld", /line 1 is not JSON\. Write/],
    ["a broken line", `${line(user)}\n{"id":`, /line 2 is not JSON\. Write/],
    ["broken JSON over many lines", '{\n "records": [\n  {"id": "a"},,\n ]\n}\n', /line [1-5] is not JSON/],
    ["a list", "[1]", /holds no records\. Write/],
    ["another object", '{"messages":[]}', /holds no records\. Write/],
    ["records that are no list", json({ records: {} }), /"records" is not a list/],
    ["no records", json({ records: [] }), /has no records\. Write/],
    ["a number among the records", json({ records: [user, 7] }), /record 2 is not a record/],
    [
      "a record without an id",
      json({ records: [user, { ...call, id: undefined }] }),
      /record 2 has no id\. Give every record/,
    ],
    ["an empty id", `${line(user)}\n\n${line({ ...call, id: "" })}`, /line 3 has no id/],
    [
      "an id used twice",
      `${line(user)}\n${line({ ...result, id: "u" })}`,
      /line 2 has the id "u" of line 1\. Give every record an id of its own/,
    ],
    [
      "an unknown kind",
      json({ records: [{ ...user, kind: "image" }] }),
      /record 1 \(id "u"\) is of the unknown kind "image"\. Kinds: text, tool_call, tool_result\.$/,
    ],
    ["no kind", json({ records: [{ id: "u" }] }), /record 1 \(id "u"\) has no kind\. Kinds:/],
    [
      "a role that does not fit",
      json({ records: [{ ...user, role: "system" }] }),
      /record 1 \(id "u"\) has a bad "role": .*"user"\|"assistant"/,
    ],
    [
      "a result without a text",
      json({ records: [{ ...result, text: undefined }] }),
      /record 1 \(id "r"\) has a bad "text": expected string, received undefined\. Correct it/,
    ],
    ["a position that is no integer", json({ records: [{ ...user, position: 1.5 }] }), /bad "position": expected int/],
    ["arguments that are no object", json({ records: [{ ...call, args: "ls" }] }), /\(id "c"\) has a bad "args"/],
    ["no cuts", json({ cuts: undefined }), /has no cuts\. Give the record counts .* --cuts 28,112,224\.$/],
    ["JSONL without cuts", jsonl, /has no cuts\. Give/],
    ["an empty list of cuts", json({ cuts: [] }), /whole numbers above 0, but they are \[\]/],
    ["a cut that is no integer", json({ cuts: [1, 2.5] }), /whole numbers above 0, but they are 1, 2\.5\./],
    ["a cut that is a text", json({ cuts: "3" }), /whole numbers above 0, but they are "3"\./],
    ["cuts that do not increase", json({ cuts: [2, 2] }), /cuts have to increase, but they are 2, 2\. Give/],
  ])("%s", (_, text, message) => {
    const said = complaint(() => parseChain("x.json", text));
    expect(said).toMatch(message);
    expect(said.startsWith("x.json: ")).toBe(true);
    expect(said).not.toContain("\n");
  });

  it("cuts of the command that are no numbers", () => {
    expect(complaint(() => parseChain("x.jsonl", jsonl, [1, Number.NaN]))).toMatch(
      /whole numbers above 0, but they are 1, NaN/,
    );
  });

  const folder = mkdtempSync(join(tmpdir(), "chain-"));

  it("a path that does not exist, or is a folder", () => {
    const path = join(folder, "none.json");
    expect(complaint(() => readChainFile(path))).toBe(`${path}: does not exist. Give a chain as JSON or JSONL.`);
    expect(complaint(() => readChainFile(folder))).toBe(
      `${folder}: cannot be read (EISDIR). Give a chain as JSON or JSONL.`,
    );
  });

  it("bytes that are not UTF-8", () => {
    const path = join(folder, "latin.json");
    writeFileSync(path, Buffer.from(json().replace("Go.", "Sch\u00f6n."), "latin1"));
    expect(complaint(() => readChainFile(path))).toMatch(/is not UTF-8 text/);
  });

  it("and one that is a chain is read from the disk", () => {
    const path = join(folder, "good.jsonl");
    writeFileSync(path, jsonl);
    expect(readChainFile(path, [3])).toMatchObject({ name: "good", records: [user, call, result] });
  });
});
