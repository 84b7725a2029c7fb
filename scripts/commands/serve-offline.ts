/** closed-book serve-offline: the offline model over HTTP, with prefix-cache accounting and faults on request. */
import { once } from "node:events";
import type { Argv, InferredOptionTypes, Options } from "yargs";
import { UsageError } from "../../harness/errors.ts";
import type { Totals } from "../../harness/serve/log.ts";
import { wholeNumber } from "../flags.ts";
import { catchInterrupts } from "../interrupts.ts";

export const command = "serve-offline";
export const describe = "Serve the offline model over HTTP, in OpenAI's and Anthropic's forms";

const flags = {
  port: {
    type: "string",
    default: "8080",
    coerce: wholeNumber("--port", 0),
    describe: "port to listen on; 0 for a free one",
  },
  host: { type: "string", default: "127.0.0.1", describe: "address to listen on" },
  model: {
    choices: ["offline", "yes", "offline-never", "offline-search", "offline-half"],
    default: "offline",
    describe: "which offline model answers; a request may call it anything",
  },
  window: {
    type: "string",
    default: "1000000",
    coerce: wholeNumber("--window", 1),
    describe: "context window in tokens",
  },
  "cache-rules": {
    choices: ["openai", "openai-5.6", "anthropic", "deepseek", "none"],
    describe: "whose prompt cache and usage fields, or no cache [default: by route]",
  },
  "cache-by-key": {
    type: "boolean",
    default: false,
    describe: "share cached prefixes only under an equal prompt_cache_key",
  },
  faults: { type: "string", describe: "file that says which calls go wrong, and how" },
  log: { type: "string", describe: "file to append one JSON line a request to" },
} as const satisfies { [name: string]: Options };

export const builder = (yargs: Argv) =>
  yargs
    .options(flags)
    .example("$0 serve-offline --port 8080", "for any OpenAI or Anthropic client, with any key")
    .example(
      "$0 serve-offline --cache-rules deepseek --log calls.jsonl",
      "DeepSeek's accounting, every request written down",
    )
    .example(
      "$0 serve-offline --faults faults.json",
      'with [{"on": {"share": 0.2}, "fault": ["reset-after", "rate-limit"]}]',
    );

type Flags = InferredOptionTypes<typeof flags>;

export async function handler(args: Flags): Promise<void> {
  const { port = 0, window: windowTokens = 1 } = args;
  if (port > 65_535) throw new UsageError(`--port is "${port}", but the largest port is 65535.`);
  const { startOfflineServer } = await import("../../harness/serve/server.ts");
  const { readFaults } = await import("../../harness/serve/faults.ts");
  const server = await startOfflineServer({
    port,
    host: args.host,
    model: args.model,
    windowTokens,
    cacheRules: args["cache-rules"],
    cacheByKey: args["cache-by-key"],
    faults: args.faults === undefined ? [] : readFaults(args.faults),
    logFile: args.log,
  });
  const { signal, release } = catchInterrupts();
  process.stdout.write(
    `Serving the ${args.model} model (not an LLM) at ${server.baseUrl}/v1 for OpenAI clients and ${server.baseUrl} for Anthropic's. Any key will do. Totals: ${server.baseUrl}/totals. Ctrl-C stops it.\n`,
  );
  if (!signal.aborted) await once(signal, "abort");
  await server.close();
  release();
  process.stdout.write(`${totalsText(server.totals())}\n`);
}

function totalsText({ requests, answered, refused, broken, tokens }: Totals): string {
  const number = (count: number): string => count.toLocaleString("en-US");
  return [
    `Requests: ${number(requests)} (${number(answered)} answered, ${number(refused)} refused, ${number(broken)} broken off).`,
    `Billed tokens: ${number(tokens.freshInputTokens)} fresh input, ${number(tokens.cacheReadTokens)} cache read, ${number(tokens.cacheWriteTokens)} cache write, ${number(tokens.outputTokens)} output.`,
  ].join("\n");
}
