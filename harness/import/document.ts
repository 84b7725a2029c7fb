/**
 * One JSON document read in pieces: the elements of its long lists come one at a time, so that a whole session is never in
 * memory. Only the outermost structure is followed here; each piece is a text for JSON.parse, exact in every detail.
 */
import { ArtifactError } from "../errors.ts";
import { capturer, closes, isSpace, opens, quote } from "./json-capture.ts";
import { markBytes, maxTextBytes } from "./lines.ts";
import type { Source } from "./source.ts";

export type DocumentPiece =
  /** An element of the document, or of the list under one of its keys. */
  | { readonly kind: "element"; readonly key: string | undefined; readonly index: number; readonly text: string }
  /** A value of another key; undefined where it is longer than a field is worth. */
  | { readonly kind: "field"; readonly key: string; readonly text: string | undefined };

/** A field that is longer is passed over: names, ids and settings are short, and nothing else is read out of fields. */
const maxFieldBytes = 1 << 20;

type State = "start" | "key" | "colon" | "value" | "after value" | "element" | "after element" | "end";
type Capture = "key" | "field" | "element";

/**
 * The pieces of a document that is an object or a list, in order. Lists under the keys `lists` come element by element.
 * Throws ArtifactError where it is no JSON document, is cut short, or one element exceeds 256 MiB.
 */
export function* documentPieces(source: Source, lists: readonly string[]): Generator<DocumentPiece> {
  let state = "start" as State;
  let isList = false;
  let key: string | undefined;
  let index = 0;
  let seen = 0;
  const capture = capturer(source.path);
  let capturing: Capture | undefined;

  const fault = (at: number): ArtifactError =>
    new ArtifactError(source.path, `is not JSON at byte ${at + 1}. Give a file as the agent wrote it.`);
  const finished = (): DocumentPiece | undefined => {
    const kind = capturing;
    capturing = undefined;
    const text = capture.take();
    if (kind === "key") {
      key = parsedKey(source.path, text ?? "");
      state = "colon";
      return undefined;
    }
    if (kind === "field") {
      state = "after value";
      return { kind, key: key ?? "", text };
    }
    state = "after element";
    return { kind: "element", key, index: index++, text: text ?? "" };
  };

  for (const chunk of source.chunks()) {
    let at = seen === 0 ? markBytes(chunk) : 0;
    if (capturing !== undefined) capture.resume(at);
    while (at < chunk.length) {
      if (capturing !== undefined) {
        at = capture.scan(chunk, at);
        if (!capture.complete) break;
        const piece = finished();
        if (piece !== undefined) yield piece;
        continue;
      }
      const byte = chunk[at] as number;
      if (isSpace(byte)) {
        at++;
        continue;
      }
      const begin = (kind: Capture, maxBytes: number): void => {
        capturing = kind;
        capture.begin(at, maxBytes);
      };
      switch (state) {
        case "start":
          if (!opens(byte)) throw fault(seen + at);
          isList = byte === 0x5b;
          state = isList ? "element" : "key";
          at++;
          break;
        case "key":
          if (byte === quote) begin("key", maxFieldBytes);
          else if (byte === 0x7d) {
            state = "end";
            at++;
          } else throw fault(seen + at);
          break;
        case "colon":
          if (byte !== 0x3a) throw fault(seen + at);
          state = "value";
          at++;
          break;
        case "value":
          if (byte === 0x5b && lists.includes(key ?? "")) {
            index = 0;
            state = "element";
            at++;
          } else if (closes(byte) || byte === 0x2c || byte === 0x3a) throw fault(seen + at);
          else begin("field", maxFieldBytes);
          break;
        case "element":
          if (byte === 0x5d && index === 0) {
            state = isList ? "end" : "after value";
            at++;
          } else if (closes(byte) || byte === 0x2c || byte === 0x3a) throw fault(seen + at);
          else begin("element", maxTextBytes);
          break;
        case "after element":
          if (byte === 0x2c) state = "element";
          else if (byte === 0x5d) state = isList ? "end" : "after value";
          else throw fault(seen + at);
          at++;
          break;
        case "after value":
          if (byte === 0x2c) state = "key";
          else if (byte === 0x7d) state = "end";
          else throw fault(seen + at);
          at++;
          break;
        case "end":
          throw fault(seen + at);
      }
    }
    capture.suspend(chunk);
    seen += chunk.length;
  }
  if (state !== "end")
    throw new ArtifactError(source.path, "ends in the middle of its JSON: it was cut short. Export it again.");
}

function parsedKey(path: string, text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch (cause) {
    throw new ArtifactError(path, "has a key that is not JSON. Give a file as the agent wrote it.", { cause });
  }
}
