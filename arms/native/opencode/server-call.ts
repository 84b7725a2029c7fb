/** Requests to OpenCode's own server. They wait as long as a model may take, which the built-in fetch does not. */
import { request } from "node:http";
import { CompactionRefusedError } from "../../../harness/errors.ts";
import type { JsonValue } from "../../../harness/json.ts";

/** For a slow model with all its retries. */
const longMs = 3_600_000;

export interface ServerCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Absolute path of the project's folder. */
  readonly directory: string;
  readonly sent?: JsonValue;
  /** @default an hour */
  readonly timeoutMs?: number;
}

/** What the server on this loopback port answers, null for nothing. Throws CompactionRefusedError where it refuses, is gone or stays silent. */
export async function callServer(
  port: number,
  { method, path, directory, sent, timeoutMs = longMs }: ServerCall,
): Promise<JsonValue> {
  const { status, text } = await new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const failed = (cause: Error): void =>
      reject(new CompactionRefusedError(`OpenCode does not answer ${method} ${path}: ${cause.message}.`, { cause }));
    const headers = { "content-type": "application/json", "x-opencode-directory": encodeURIComponent(directory) };
    const signal = AbortSignal.timeout(timeoutMs);
    request({ host: "127.0.0.1", port, method, path, headers, signal, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("error", failed)
        .on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }));
    })
      .on("error", failed)
      .end(sent === undefined ? undefined : JSON.stringify(sent));
  });
  if (status < 200 || status > 299)
    throw new CompactionRefusedError(`OpenCode refused ${method} ${path}: ${status} ${oneLine(text).slice(0, 400)}`);
  return text === "" ? null : (JSON.parse(text) as JsonValue);
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
