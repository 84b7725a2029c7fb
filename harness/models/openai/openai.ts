/** Any server that speaks OpenAI's chat completions: OpenAI, DeepSeek, vLLM, llama.cpp, Ollama, gateways. */
import OpenAI from "openai";
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionCreateParamsStreaming,
} from "openai/resources/chat/completions";
import type { JsonObject } from "../../json.ts";
import type { ModelReply } from "../model.ts";
import { UnusableReply } from "../remote/faults.ts";
import type { Change } from "../remote/learned.ts";
import { remoteDefaults, type RemoteOptions, type RemoteProvider, withoutVariable } from "../remote/options.ts";
import { isAbout, type Problem } from "../remote/problem.ts";
import { type Connection, remoteProvider } from "../remote/provider.ts";
import { encodeOpenAi, openAiDecided } from "./encode.ts";
import { billsCacheWrites, isDeepSeek, isOpenAi } from "./flavours.ts";
import { collector } from "./reply.ts";

export const openAiBaseUrl = "https://api.openai.com/v1";
/** The environment variable that holds the key. */
export const openAiVariable = "OPENAI_API_KEY";

/** Raised whenever equal requests would be sent in another form than before. Part of a run's identity. */
const version = 1;

export interface OpenAiOptions extends RemoteOptions {
  /** Marks the end of the history as the one cache breakpoint. @default at OpenAI, for models that bill cache writes (GPT-5.6 and later) */
  readonly cacheBreakpoint?: boolean;
}

/** `--model openai:NAME`. Throws UsageError for a base URL, a key or an extra field that cannot be. */
export function openAiProvider(options: OpenAiOptions): RemoteProvider {
  const { model, thinking, extra, baseUrl } = { ...remoteDefaults, baseUrl: openAiBaseUrl, ...options };
  const { cacheBreakpoint = isOpenAi(baseUrl) && billsCacheWrites(model) } = options;
  const thinkingSwitch = isDeepSeek(baseUrl);
  return remoteProvider(
    {
      id: "openai",
      variable: openAiVariable,
      baseUrl: openAiBaseUrl,
      parameters: { cacheBreakpoint, ...(thinkingSwitch ? { thinkingSwitch } : {}), version },
      decided: openAiDecided,
      ladders: thinking === "off" ? { ...ladders, ...quieter } : ladders,
      refuses,
      advice: { stream: "Use --no-stream.", reasoning_effort: otherThinking, thinking: otherThinking },
      transport: (stream) => (stream ? { stream, stream_options: { include_usage: true } } : {}),
      encode: (request) => encodeOpenAi(request, { model, thinking, thinkingSwitch, cacheBreakpoint, extra }),
      exchange,
    },
    options,
  );
}

/**
 * What becomes of a parameter that a server refuses. The routing key and the request for usage decide nothing about the
 * reply. Thinking that cannot be switched off becomes as little as the model allows.
 */
const ladders: { readonly [parameter: string]: readonly Change[] } = {
  max_tokens: [{ kind: "renamed", to: "max_completion_tokens" }],
  prompt_cache_key: [{ kind: "left out" }],
  stream_options: [{ kind: "left out" }],
};
const quieter: { readonly [parameter: string]: readonly Change[] } = {
  reasoning_effort: [{ kind: "set", to: "minimal" }, { kind: "set", to: "low" }, { kind: "left out" }],
  thinking: [{ kind: "left out" }],
};

const otherThinking = "Choose another --thinking.";

/** A limit that is too large is no refusal of its name: only a message that offers the other name, or a code, is. */
const refuses = (problem: Problem, parameter: string): boolean =>
  parameter === "max_tokens"
    ? isAbout(problem, "max_tokens") &&
      (isAbout(problem, "max_completion_tokens") || problem.code === "unsupported_parameter")
    : isAbout(problem, parameter);

/** A client for one attempt: its retries, its own environment and its logs are off. */
const client = ({ baseUrl, apiKey, timeouts, fetch }: Connection): OpenAI =>
  withoutVariable(
    "OPENAI_CUSTOM_HEADERS",
    () =>
      new OpenAI({
        baseURL: baseUrl,
        apiKey,
        adminAPIKey: null,
        organization: null,
        project: null,
        maxRetries: 0,
        logLevel: "off",
        // The attempt's own deadline comes first.
        timeout: 2 * Math.ceil(timeouts.firstByteMs),
        fetch,
      }),
  );

/** A server that answers a stream with a whole completion is taken at its word. */
async function exchange(connection: Connection, body: JsonObject): Promise<ModelReply> {
  const { completions } = client(connection).chat;
  const { signal } = connection;
  const params = body as unknown as ChatCompletionCreateParamsNonStreaming | ChatCompletionCreateParamsStreaming;
  const collected = collector();
  if (params.stream !== true) {
    const reply: unknown = await completions.create(params, { signal });
    if (typeof reply === "string") throw new UnusableReply("the reply is text and no JSON");
    collected.take(reply);
    return collected.reply();
  }
  const { data, response } = await completions.create(params, { signal }).withResponse();
  const type = response.headers.get("content-type") ?? "";
  if (/\bjson\b/.test(type)) collected.take(await response.json());
  else if (/\bhtml\b/.test(type)) throw new UnusableReply("the reply is text and no stream");
  else for await (const chunk of data) collected.take(chunk);
  return collected.reply();
}
