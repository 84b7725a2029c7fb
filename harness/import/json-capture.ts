/** The bytes of one JSON value, collected while they arrive. Only its end is looked for; whether it is JSON is for JSON.parse. */
import { ArtifactError } from "../errors.ts";
import { maxTextBytes } from "./lines.ts";

export const quote = 0x22;
const backslash = 0x5c;
export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
export const opens = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
export const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d;

/** Collects the bytes of one value, which may run over several chunks. */
export function capturer(path: string) {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let maxBytes = 0;
  let from = 0;
  let active = false;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let scalar = false;
  const capture = {
    complete: false,
    /** A value begins at this index of the current chunk. */
    begin(at: number, limit: number): void {
      from = at;
      maxBytes = limit;
      active = true;
      depth = 0;
      inString = escaped = scalar = capture.complete = false;
    },
    /** The value goes on in a new chunk. */
    resume(at: number): void {
      from = at;
    },
    /** Index after the value's last byte, or the chunk's length where it goes on. */
    scan(chunk: Buffer, start: number): number {
      let at = start;
      for (; at < chunk.length; at++) {
        const byte = chunk[at] as number;
        if (inString) {
          if (escaped) escaped = false;
          else if (byte === backslash) escaped = true;
          else if (byte === quote) {
            inString = false;
            if (depth === 0) return done(chunk, at + 1);
          }
        } else if (scalar) {
          if (byte === 0x2c || closes(byte) || isSpace(byte)) return done(chunk, at);
        } else if (byte === quote) inString = true;
        else if (opens(byte)) depth++;
        else if (closes(byte)) {
          if (--depth === 0) return done(chunk, at + 1);
        } else if (depth === 0) scalar = true;
      }
      return at;
    },
    /** The chunk is about to become invalid. */
    suspend(chunk: Buffer): void {
      if (active) hold(chunk.subarray(from));
    },
    /** The text of the value; undefined for a field that was too long. */
    take(): string | undefined {
      const text = heldBytes > maxBytes ? undefined : Buffer.concat(held).toString("utf8");
      held = [];
      heldBytes = 0;
      active = false;
      return text;
    },
  };
  const hold = (bytes: Buffer): void => {
    heldBytes += bytes.length;
    if (heldBytes <= maxBytes) held.push(Buffer.from(bytes));
    else if (maxBytes === maxTextBytes)
      throw new ArtifactError(path, "holds a message longer than 256 MiB, so this is no session file.");
    else held = [];
  };
  const done = (chunk: Buffer, end: number): number => {
    hold(chunk.subarray(from, end));
    active = false;
    capture.complete = true;
    return end;
  };
  return capture;
}
