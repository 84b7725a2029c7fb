/** The wire styles that requests are checked in: an encoding, the SDK that sends it, and the cache rules of its servers. */
import type { JsonObject } from "../json.ts";
import { encodeAnthropic } from "../models/anthropic/encode.ts";
import type { ModelRequest, Provider } from "../models/model.ts";
import { encodeOpenAi } from "../models/openai/encode.ts";
import { remoteDefaults, type RemoteOptions } from "../models/remote/options.ts";
import { anthropicRules, type CacheRules, type CacheRulesName, cacheRules } from "./cache-rules.ts";

export interface Style {
  /** What files and tables call it. */
  readonly id: string;
  readonly form: "chat" | "messages";
  /** Another style that it differs from in nothing but cache breakpoints. */
  readonly variantOf?: string;
  /** By name: the rules of the servers that take this style. */
  readonly rules: { readonly [Name in CacheRulesName]?: CacheRules };
  /** The body that the provider of `connect` sends, without loading its SDK. Pure. */
  encode(request: ModelRequest): JsonObject;
  /** The real adapter over its SDK, talking to the server at `baseUrl` (without `/v1`). */
  connect(baseUrl: string, windowTokens: number): Promise<Provider>;
}

/** Models that the styles name in their bodies. A model decides nothing about a request but its minimum for a cache. */
const models = { openai: "gpt-5", "openai-5.6": "gpt-5.6", anthropic: "claude-sonnet-4-5" } as const;

const plain = { thinking: remoteDefaults.thinking, extra: {} } as const;
const options = (model: string, baseUrl: string, windowTokens: number): RemoteOptions => ({
  model,
  apiKey: "no-key-is-needed",
  windowTokens,
  baseUrl,
});

const openAi = (id: "openai" | "openai-5.6", cacheBreakpoint: boolean, rules: Style["rules"]): Style => ({
  id,
  form: "chat",
  ...(cacheBreakpoint && { variantOf: "openai" }),
  rules,
  encode: (request) => encodeOpenAi(request, { model: models[id], cacheBreakpoint, ...plain }).body,
  connect: async (baseUrl, windowTokens) => {
    const { openAiProvider } = await import("../models/openai/openai.ts");
    return openAiProvider({ ...options(models[id], `${baseUrl}/v1`, windowTokens), cacheBreakpoint });
  },
});

/**
 * In the order of tables. `openai` is also what DeepSeek and compatible servers take; `openai-5.6` has the one explicit
 * cache breakpoint that models with billed cache writes need.
 */
export const styles: readonly Style[] = [
  openAi("openai", false, { openai: cacheRules.openai, deepseek: cacheRules.deepseek }),
  openAi("openai-5.6", true, { "openai-5.6": cacheRules["openai-5.6"] }),
  {
    id: "anthropic",
    form: "messages",
    rules: { anthropic: anthropicRules(models.anthropic) },
    encode: (request) => encodeAnthropic(request, { model: models.anthropic, ...plain }).body,
    connect: async (baseUrl, windowTokens) => {
      const { anthropicProvider } = await import("../models/anthropic/anthropic.ts");
      return anthropicProvider(options(models.anthropic, baseUrl, windowTokens));
    },
  },
];
