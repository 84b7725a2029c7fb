/** JSON-RPC with a program over its standard streams, one message a line. */
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { CompactionRefusedError } from "../../../harness/errors.ts";
import type { JsonObject } from "../../../harness/json.ts";
import { lastLine } from "../process.ts";

/** For a slow model with all its retries. */
const timeoutMs = 3_600_000;

export interface Rpc {
  request(method: string, params: JsonObject): Promise<JsonObject>;
  notify(method: string, params: JsonObject): void;
  /** The next notification of a method that passes. */
  notification(method: string, passes: (params: JsonObject) => boolean): Promise<JsonObject>;
}

interface Waiting {
  readonly passes: (message: JsonObject) => boolean;
  readonly resolve: (message: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

/** Connects to a program. What it asks of its client is declined. */
export function connect(child: ChildProcess): Rpc {
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error("the program has no streams");
  let waiting: Waiting[] = [];
  let complaints = "";
  let last = 0;
  stderr.on("data", (data: Buffer) => (complaints = `${complaints}${data.toString()}`.slice(-2_000)));
  child.once("exit", () => {
    for (const { reject } of waiting)
      reject(new CompactionRefusedError(`Codex ended by itself.${lastLine(complaints)}`));
  });
  // A program that is gone is told of by its exit.
  stdin.on("error", () => undefined);
  const write = (message: JsonObject): void => void stdin.write(`${JSON.stringify(message)}\n`);
  createInterface({ input: stdout }).on("line", (line) => {
    const message = JSON.parse(line) as JsonObject;
    if (message["id"] !== undefined && message["method"] !== undefined)
      write({ id: message["id"], error: { code: -32_601, message: "declined" } });
    for (const one of waiting.filter(({ passes }) => passes(message))) {
      waiting = waiting.filter((other) => other !== one);
      one.resolve(message);
    }
  });
  const wait = (what: string, passes: Waiting["passes"]): Promise<JsonObject> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new CompactionRefusedError(`Codex did not answer "${what}".${lastLine(complaints)}`)),
        timeoutMs,
      );
      waiting.push({
        passes,
        resolve: (message) => {
          clearTimeout(timer);
          resolve(message);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
    });
  return {
    request: async (method, params) => {
      const id = ++last;
      const answered = wait(method, (message) => message["id"] === id && message["method"] === undefined);
      write({ id, method, params });
      const { result, error } = await answered;
      if (error !== undefined) throw new CompactionRefusedError(`Codex refused "${method}": ${JSON.stringify(error)}`);
      return (result ?? {}) as JsonObject;
    },
    notify: (method, params) => write({ method, params }),
    notification: async (method, passes) => {
      const message = await wait(
        method,
        (one) => one["method"] === method && passes((one["params"] ?? {}) as JsonObject),
      );
      return message["params"] as JsonObject;
    },
  };
}
