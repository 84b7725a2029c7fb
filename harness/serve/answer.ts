/** From a decoded call to the reply that is due and what it is billed. No network: the middle of the server. */
import { textTokens } from "../chain/tokens.ts";
import { ContextOverflowError } from "../errors.ts";
import type { Message } from "../chain/message.ts";
import type { Provider } from "../models/model.ts";
import { inputTokens } from "../models/offline/seen.ts";
import {
  anthropicRules,
  type CacheRulesName,
  cacheRules,
  createPrefixCache,
  type PrefixCache,
} from "../shape/cache-rules.ts";
import { type BadReplyName, badReplies } from "./bad-replies.ts";
import type { UsageFaultName } from "./faults.ts";
import { messageBlocks, prefixBlocks } from "./prefix.ts";
import { overflow } from "./refusals.ts";
import { type Billed, usageForm } from "./usage.ts";
import type { Decoded, Reply, Route, UsageForm } from "./wire.ts";
import { argsOf } from "./history.ts";

/** Output limit of a request that names none, or less where the window has less left. */
const defaultOutputTokens = 32_000;

export interface Answer {
  readonly reply: Reply;
  readonly billed: Billed;
  readonly usage: UsageForm | undefined;
  /** Leaves the request in the prefix cache. */
  keep(): void;
}

export interface Answerer {
  /** The answer to a call. Throws Refusal (400) where it does not fit the window. */
  answer(decoded: Decoded, route: Route, spoilt: BadReplyName | UsageFaultName | undefined): Promise<Answer>;
}

/** `none`: nothing is cached, and usage comes in the form of the route's own provider. */
export type ServedCache = CacheRulesName | "none";

export interface AnswererOptions {
  /** An offline model. */
  readonly provider: Provider;
  /** Undefined: those of the route's own provider. */
  readonly rules: ServedCache | undefined;
  /** Requests share cached prefixes only under an equal `prompt_cache_key`. */
  readonly cacheByKey: boolean;
}

/** An answerer with an empty prefix cache of each model's own. */
export function createAnswerer({ provider, rules, cacheByKey }: AnswererOptions): Answerer {
  const caches = new Map<string, PrefixCache>();
  const cacheOf = (name: CacheRulesName, model: string): PrefixCache => {
    const known = caches.get(`${name} ${model}`);
    const cache = known ?? createPrefixCache(name === "anthropic" ? anthropicRules(model) : cacheRules[name]);
    caches.set(`${name} ${model}`, cache);
    return cache;
  };
  return {
    answer: async (decoded, route, spoilt) => {
      const made = await modelReply(provider, decoded);
      const reply = isBadReply(spoilt) ? badReplies[spoilt](made, decoded.tools[0]?.name) : made;
      const own = route === "messages" ? "anthropic" : "openai";
      const name = rules === undefined || rules === "none" ? own : rules;
      const cache = rules === "none" ? createPrefixCache(cacheRules.openai) : cacheOf(name, decoded.model);
      const cached = cache.ask({
        blocks: prefixBlocks(decoded),
        explicitOnly: decoded.explicitOnly,
        ...(cacheByKey && decoded.cacheKey !== undefined && { pool: decoded.cacheKey }),
      });
      const reasoningTokens = textTokens(reply.reasoning);
      const billed = { ...cached.usage, outputTokens: outputTokens(reply), reasoningTokens };
      return {
        reply,
        billed,
        usage: usageForm(name, route, billed, isBadReply(spoilt) ? undefined : spoilt),
        keep: () => cached.keep(messageBlocks(asMessage(reply))),
      };
    },
  };
}

const isBadReply = (name: BadReplyName | UsageFaultName | undefined): name is BadReplyName =>
  name !== undefined && Object.hasOwn(badReplies, name);

async function modelReply(provider: Provider, decoded: Decoded): Promise<Reply> {
  const request = {
    system: decoded.system.map(({ text }) => text).join("\n"),
    tools: decoded.tools,
    messages: decoded.messages,
  };
  const left = (): number => provider.windowTokens - inputTokens(request);
  const maxOutputTokens = decoded.maxOutputTokens ?? Math.max(1, Math.min(defaultOutputTokens, left()));
  const body = provider.encode({
    ...request,
    purpose: "answer",
    cacheKey: "",
    toolChoice: decoded.toolChoice,
    maxOutputTokens,
  });
  try {
    const { text, calls, finish } = await provider.send(body);
    const made = calls.map(({ id, tool, args }) => ({ id, tool, args: JSON.stringify(args) }));
    return { text: text === "" && made.length > 0 ? null : text, reasoning: "", refusal: "", calls: made, finish };
  } catch (error) {
    if (error instanceof ContextOverflowError) throw overflow(error.message);
    throw error;
  }
}

const outputTokens = ({ text, reasoning, refusal, calls }: Reply): number =>
  [text ?? "", reasoning, refusal, ...calls.flatMap(({ tool, args }) => [tool, args])].reduce(
    (total, part) => total + textTokens(part),
    0,
  );

/** A reply as the message that the next request of its session would have. */
function asMessage({ text, refusal, calls }: Reply): Message {
  const said = refusal === "" ? text : refusal;
  return {
    id: "reply",
    role: "assistant",
    blocks: [
      ...(said === null ? [] : [{ kind: "text", text: said } as const]),
      ...calls.map(({ id, tool, args }) => ({ kind: "call", call: id, tool, args: argsOf(args) }) as const),
    ],
  };
}
