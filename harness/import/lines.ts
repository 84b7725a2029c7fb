/**
 * Lines of a source, one at a time. Only a line feed ends a line: Node's own line reader also splits at U+2028, which JSON
 * allows inside a text.
 */
import { isUtf8 } from "node:buffer";
import { ArtifactError } from "../errors.ts";
import type { Source } from "./source.ts";

export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** Without its line feed; bytes that are not UTF-8 are replaced by U+FFFD. */
  readonly text: string;
  /** Whether a line feed ended it. */
  readonly whole: boolean;
  readonly utf8: boolean;
}

/** A longer line, or a longer message of a JSON document, is refused: a text of this size is no session's. */
export const maxTextBytes = 1 << 28;

/** Every line, blank ones too; a text that ends in a line feed has no further line after it. Memory of the longest line. */
export function* lines(source: Source): Generator<Line> {
  let number = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  const line = (last: Buffer, whole: boolean): Line => {
    const bytes = held.length === 0 ? last : Buffer.concat([...held, last]);
    held = [];
    heldBytes = 0;
    number++;
    const start = number === 1 ? markBytes(bytes) : 0;
    return { number, text: bytes.toString("utf8", start), whole, utf8: isUtf8(bytes) };
  };
  for (const chunk of source.chunks()) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      yield line(chunk.subarray(start, end), true);
      start = end + 1;
    }
    if (start === chunk.length) continue;
    heldBytes += chunk.length - start;
    if (heldBytes > maxTextBytes)
      throw new ArtifactError(source.path, `line ${number + 1} is longer than 256 MiB, so this is no session file.`);
    held.push(Buffer.from(chunk.subarray(start)));
  }
  if (held.length > 0) yield line(Buffer.alloc(0), false);
}

/** Bytes of a UTF-8 byte order mark at the start. */
export const markBytes = (bytes: Buffer): number =>
  bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
