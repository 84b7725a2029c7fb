import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArtifactError } from "../errors.ts";
import { documentPieces } from "./document.ts";
import { lines } from "./lines.ts";
import { bytesSource, type Source } from "./source.ts";

/** Bytes in pieces of a few, so that everything is split somewhere. */
const inPieces = (text: string, size: number): Source => {
  const bytes = Buffer.from(text);
  return {
    path: "file",
    bytes: bytes.length,
    *chunks() {
      const buffer = Buffer.alloc(size);
      for (let at = 0; at < bytes.length; at += size) {
        const length = bytes.copy(buffer, 0, at, at + size);
        yield buffer.subarray(0, length);
      }
    },
  };
};

const anyJson = fc.jsonValue({ maxDepth: 3 });
const spaces = fc.constantFrom(0, 1, "\t");

describe("a document read in pieces", () => {
  it("gives every element and field as JSON.parse has them, wherever the bytes are split", () => {
    const documents = fc.record({ info: anyJson, messages: fc.array(anyJson, { maxLength: 5 }), model: anyJson });
    fc.assert(
      fc.property(documents, spaces, fc.integer({ min: 1, max: 9 }), (document, indent, size) => {
        const pieces = [...documentPieces(inPieces(JSON.stringify(document, null, indent), size), ["messages"])];
        const elements = pieces.flatMap((piece) =>
          piece.kind === "element" ? [JSON.parse(piece.text) as unknown] : [],
        );
        const fields = pieces.flatMap((piece) =>
          piece.kind === "field" ? [[piece.key, JSON.parse(piece.text ?? "")]] : [],
        );
        const plain = JSON.parse(JSON.stringify(document)) as typeof document;
        expect(elements).toEqual(plain.messages);
        expect(Object.fromEntries(fields)).toEqual({ info: plain.info, model: plain.model });
      }),
    );
  });

  it("gives the elements of a list", () => {
    fc.assert(
      fc.property(fc.array(anyJson, { maxLength: 5 }), fc.integer({ min: 1, max: 9 }), (list, size) => {
        const pieces = [...documentPieces(inPieces(JSON.stringify(list), size), [])];
        expect(pieces.map((piece) => JSON.parse(piece.text ?? "") as unknown)).toEqual(
          JSON.parse(JSON.stringify(list)),
        );
      }),
    );
  });

  it("ends in an error of one line where a document was cut anywhere", () => {
    const whole = JSON.stringify({ info: { id: "s" }, messages: [{ a: "x}]," }, [1, 2], "t"], n: 12 });
    for (let length = 1; length < whole.length; length++)
      expect(() => [...documentPieces(bytesSource("file", whole.slice(0, length)), ["messages"])]).toThrow(
        /^file: (ends in the middle of its JSON|is not JSON at byte)/,
      );
  });

  it.each(['{"a" 1}', "{1:2}", "[1,,2]", "[1,]", '{"a":1}}', "[1] 2", '{"a":}', '{"a":1 "b":2}'])(
    "refuses %s",
    (text) => {
      expect(() => [...documentPieces(bytesSource("file", text), [])]).toThrow(ArtifactError);
    },
  );

  it("passes over a field that is too long to be worth reading", () => {
    const text = JSON.stringify({ big: "x".repeat(1 << 20), messages: [1] });
    expect([...documentPieces(inPieces(text, 65_536), ["messages"])]).toEqual([
      { kind: "field", key: "big", text: undefined },
      { kind: "element", key: "messages", index: 0, text: "1" },
    ]);
  });
});

describe("lines", () => {
  it("are the text split at line feeds alone, wherever the bytes are split", () => {
    const texts = fc.array(fc.constantFrom("a", "é", "👩‍💻", "\n", "\n\n", "\r\n", "\u2028", "\u0085", "\ufeff", ""), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 7 }), (parts, size) => {
        const text = parts.join("");
        const split = text.replace(/^\ufeff/, "").split("\n");
        if (split.at(-1) === "") split.pop();
        const read = [...lines(inPieces(text, size))];
        expect(read.map((line) => line.text)).toEqual(text === "\ufeff" ? [""] : split);
        expect(read.map((line) => line.number)).toEqual(read.map((_, index) => index + 1));
        expect(read.every((line, index) => line.whole === (index < read.length - 1 || text.endsWith("\n")))).toBe(true);
      }),
    );
  });

  it("say where bytes are not UTF-8", () => {
    const [first, second] = lines(bytesSource("file", Buffer.from([0x61, 0x0a, 0x62, 0xff])));
    expect(first).toEqual({ number: 1, text: "a", whole: true, utf8: true });
    expect(second).toEqual({ number: 2, text: "b\ufffd", whole: false, utf8: false });
  });
});
