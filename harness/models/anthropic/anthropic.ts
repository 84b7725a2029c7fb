/** Any server that speaks Anthropic's messages. */
import Anthropic from "@anthropic-ai/sdk";
import type { JsonObject } from "../../json.ts";
import type { ModelReply } from "../model.ts";
import { UnusableReply } from "../remote/faults.ts";
import type { Change } from "../remote/learned.ts";
import { remoteDefaults, type RemoteOptions, type RemoteProvider, withoutVariable } from "../remote/options.ts";
import { isAbout } from "../remote/problem.ts";
import { type Connection, remoteProvider } from "../remote/provider.ts";
import { anthropicDecided, encodeAnthropic } from "./encode.ts";
import { collector, replyOf } from "./reply.ts";

/** Without `/v1`, which the SDK adds. */
export const anthropicBaseUrl = "https://api.anthropic.com";
/** The environment variable that holds the key. */
export const anthropicVariable = "ANTHROPIC_API_KEY";

/** Raised whenever equal requests would be sent in another form than before. Part of a run's identity. */
const version = 1;

/** `--model anthropic:NAME`. Throws UsageError for a base URL, a key or an extra field that cannot be. A base URL may end in `/v1`. */
export function anthropicProvider(options: RemoteOptions): RemoteProvider {
  const { model, thinking, extra } = { ...remoteDefaults, ...options };
  const baseUrl = (options.baseUrl ?? anthropicBaseUrl).replace(/\/v1\/*$/, "");
  return remoteProvider(
    {
      id: "anthropic",
      variable: anthropicVariable,
      baseUrl,
      parameters: { version },
      decided: anthropicDecided,
      ladders: thinking === "off" ? quieter : {},
      refuses: isAbout,
      advice: { stream: "Use --no-stream.", thinking: otherThinking, output_config: otherThinking },
      transport: (stream) => ({ stream }),
      encode: (request) => encodeAnthropic(request, { model, thinking, extra }),
      exchange,
    },
    { ...options, baseUrl },
  );
}

const otherThinking = "Choose another --thinking.";

/** A model whose thinking cannot be switched off is not told to. */
const quieter: { readonly [parameter: string]: readonly Change[] } = { thinking: [{ kind: "left out" }] };

/** A client for one attempt: its retries, its own environment, its logs and its traces are off. */
const client = ({ baseUrl, apiKey, timeouts, fetch }: Connection): Anthropic =>
  withoutVariable(
    "ANTHROPIC_CUSTOM_HEADERS",
    () =>
      new Anthropic({
        baseURL: baseUrl,
        apiKey,
        maxRetries: 0,
        logLevel: "off",
        openTelemetry: false,
        // The attempt's own deadline comes first.
        timeout: 2 * Math.ceil(timeouts.firstByteMs),
        fetch,
      }),
  );

/**
 * By `post` and not by `messages.create`, which writes a warning to the console on every call of a model that is being
 * retired. A server that answers a stream with a whole message is taken at its word.
 */
async function exchange(connection: Connection, body: JsonObject): Promise<ModelReply> {
  const { signal } = connection;
  const stream = body["stream"] === true;
  const { data, response } = await client(connection)
    .post<unknown>("/v1/messages", { body, stream, signal })
    .withResponse();
  if (!stream) return replyOf(data);
  const type = response.headers.get("content-type") ?? "";
  if (/\bjson\b/.test(type)) return replyOf(await response.json());
  if (/\bhtml\b/.test(type)) throw new UnusableReply("the reply is text and no stream");
  const collected = collector();
  for await (const event of data as AsyncIterable<unknown>) collected.take(event);
  return collected.reply();
}
