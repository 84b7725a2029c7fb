/** closed-book capture-shape: takes down the session shape of a real agent, on its way through a proxy. */
import type { Argv, InferredOptionTypes, Options } from "yargs";
import { exitCodes, UsageError } from "../../harness/errors.ts";

export const command = "capture-shape";
export const describe = "Record an agent's system prompt and tools through a proxy, for run --shape";

const flags = {
  port: { type: "number", default: 8081, describe: "port to listen on; 0 for a free one" },
  host: { type: "string", default: "127.0.0.1", describe: "address to listen on" },
  forward: { type: "string", describe: "base URL to send requests on to [default: the offline model answers]" },
  out: {
    type: "string",
    describe: "file of the shape [default: .captures/<agent>-<version>-<digest>.json, ignored by git]",
  },
  once: { type: "boolean", default: false, describe: "stop after the first reply to a request that has tools" },
} as const satisfies { [name: string]: Options };

export const builder = (yargs: Argv) =>
  yargs
    .options(flags)
    .example("$0 capture-shape", "then point an agent at http://127.0.0.1:8081, with any key")
    .example("$0 capture-shape --forward https://api.anthropic.com", "between an agent and its real provider")
    .example("$0 run --shape .captures/<file>", "the comparison with that agent's own prompt and tools");

export async function handler(args: InferredOptionTypes<typeof flags>): Promise<void> {
  if (!Number.isInteger(args.port) || args.port < 0 || args.port > 65_535)
    throw new UsageError(`--port is "${args.port}", but it has to be a whole number from 0 to 65535.`);
  const { captureShape } = await import("../capture-shape/capture.ts");
  const { catchInterrupts } = await import("../interrupts.ts");
  const { signal, release } = catchInterrupts();
  try {
    const path = await captureShape({ ...args, signal });
    if (path === undefined) process.exitCode = exitCodes.failed;
  } finally {
    release();
  }
}
