/** Whose prompt cache a run's requests meet, as far as provider, model and base URL tell. */
import type { Provider } from "../models/model.ts";
import { billsCacheWrites, isDeepSeek } from "../models/openai/flavours.ts";
import { anthropicRules, type CacheRules, type CacheRulesName, cacheRules } from "./cache-rules.ts";

type Served = Pick<Provider, "id" | "model" | "parameters">;

/** The rules by name. An offline model has no cache: it is reckoned with DeepSeek's, whose prices the article's are. */
export function cacheRulesNameOf({ id, model, parameters }: Served): CacheRulesName {
  if (id === "anthropic") return "anthropic";
  const { baseUrl } = parameters;
  if (id !== "openai" || (typeof baseUrl === "string" && isDeepSeek(baseUrl))) return "deepseek";
  return billsCacheWrites(model) ? "openai-5.6" : "openai";
}

/** The same as rules, with the model's own minimum. */
export function cacheRulesOf(provider: Served): CacheRules {
  const name = cacheRulesNameOf(provider);
  return name === "anthropic" ? anthropicRules(provider.model) : cacheRules[name];
}
