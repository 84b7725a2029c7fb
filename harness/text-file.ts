/** Text that a user gives in a file. */
import { readFileSync } from "node:fs";
import { ArtifactError } from "./errors.ts";

/** The UTF-8 text of a file, without its byte order mark. `expected` says in an error what to give instead, as in "a chain as JSON or JSONL". */
export function readTextFile(path: string, expected: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown reason";
    const reason = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new ArtifactError(path, `${reason}. Give ${expected}.`, { cause });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ArtifactError(path, `is not UTF-8 text. Give ${expected}.`, { cause });
  }
}
