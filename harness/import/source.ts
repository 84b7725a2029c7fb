/** Where the bytes of a session come from. A source can be read from its start as often as a reader needs to. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { ArtifactError } from "../errors.ts";

export interface Source {
  /** As the user gave it, for messages. */
  readonly path: string;
  readonly bytes: number;
  /** The bytes in order, in pieces. A piece is valid until the next one is asked for. */
  chunks(): Iterable<Buffer>;
}

const chunkBytes = 1 << 18;

/**
 * A file, read in pieces of 256 KiB. What is appended after this call is not read, so several readings agree.
 * Throws ArtifactError for a file that is missing, unreadable or empty.
 */
export function fileSource(path: string): Source {
  let bytes: number;
  try {
    bytes = statSync(path).size;
  } catch (cause) {
    throw unreadable(path, cause);
  }
  if (bytes === 0) throw new ArtifactError(path, "is empty. Give a session file.");
  return {
    path,
    bytes,
    *chunks() {
      const buffer = Buffer.allocUnsafeSlow(chunkBytes);
      const file = opened(path);
      try {
        for (let at = 0; at < bytes;) {
          const read = readSync(file, buffer, 0, Math.min(chunkBytes, bytes - at), at);
          if (read === 0) throw new ArtifactError(path, "became shorter while it was read. Run the command again.");
          at += read;
          yield buffer.subarray(0, read);
        }
      } finally {
        closeSync(file);
      }
    },
  };
}

function opened(path: string): number {
  try {
    return openSync(path, "r");
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Why a file cannot be read, as an error of one line. */
export function unreadable(path: string, cause: unknown): ArtifactError {
  const code = (cause as NodeJS.ErrnoException).code ?? "unknown reason";
  const reason = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
  return new ArtifactError(path, `${reason}. Give a session file.`, { cause });
}

/** Bytes at hand, under a path for messages. */
export function bytesSource(path: string, content: string | Uint8Array): Source {
  const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
  if (bytes.length === 0) throw new ArtifactError(path, "is empty. Give a session file.");
  return { path, bytes: bytes.length, chunks: () => [bytes] };
}
