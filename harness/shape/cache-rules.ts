/**
 * What a provider's prompt cache makes of a request, given the requests before it: pure rules over the request's canonical
 * rendering, cut into blocks in cache order (tools, system, messages). Time is not modelled: nothing expires, and nothing is
 * evicted. A real cache is best effort and can only do worse.
 *
 * Sources: the providers' pages on prompt caching, and for GPT-5.6 the documentation in openai 6.49.0
 * (`prompt_cache_options`).
 */
import type { Message } from "../chain/message.ts";
import type { Usage } from "../models/model.ts";
import { entryTokens, type Position, positionsOf, sharedCount } from "./positions.ts";

/** How long what is written at a breakpoint is kept: the provider's default of minutes, or an hour at a higher price. */
export type Life = "minutes" | "hour";

/** One block of a request's canonical rendering. */
export interface PrefixBlock {
  readonly by: "tools" | "system" | Message["role"];
  /** What tells the block apart besides its text, such as its kind and ids: part of the compared bytes, free of tokens. */
  readonly head: string;
  readonly text: string;
  readonly tokens: number;
  /** Behind this block the request asks for a cache breakpoint. */
  readonly breakpoint?: Life;
}

export interface PrefixRequest {
  readonly blocks: readonly PrefixBlock[];
  /** No breakpoint of the provider's own choice (`prompt_cache_options.mode: "explicit"`). */
  readonly explicitOnly?: boolean;
  /** Requests of different pools share nothing: a routing key, where that decides. */
  readonly pool?: string;
}

export type CacheRules =
  /** The longest prefix that any earlier request had, rounded down. OpenAI before GPT-5.6. */
  | { readonly kind: "longest-prefix"; readonly minimumTokens: number; readonly grainTokens: number }
  /** Entries are written at breakpoints and read at or before one. Anthropic; OpenAI from GPT-5.6 on. */
  | {
      readonly kind: "breakpoints";
      readonly minimumTokens: number;
      /** Block ends that are looked at for each breakpoint, its own being the first; Infinity for all. */
      readonly lookBackBlocks: number;
      /** The latest so many count, one of the provider's own choice included. */
      readonly mostBreakpoints: number;
      /** The provider puts one behind the newest user or tool message. */
      readonly implicit: boolean;
    }
  /**
   * Prefixes that were stored as units, each matched in full: the end of every input, the end of every output, and the prefix
   * that a request was found to share with an earlier one. DeepSeek, whose further units at fixed intervals are of unknown
   * length and so not modelled. Shared prefixes are noticed at block ends, and inside a block every `grainTokens`.
   */
  | { readonly kind: "units"; readonly grainTokens: number };

/** The rules by name. The minimum of `anthropic` is that of most models; see `anthropicRules`. */
export const cacheRules = {
  openai: { kind: "longest-prefix", minimumTokens: 1024, grainTokens: 128 },
  "openai-5.6": {
    kind: "breakpoints",
    minimumTokens: 1024,
    lookBackBlocks: Infinity,
    mostBreakpoints: 4,
    implicit: true,
  },
  anthropic: { kind: "breakpoints", minimumTokens: 1024, lookBackBlocks: 20, mostBreakpoints: 4, implicit: false },
  deepseek: { kind: "units", grainTokens: 64 },
} as const satisfies { readonly [name: string]: CacheRules };

export type CacheRulesName = keyof typeof cacheRules;

/** Minimum prefix of the models that differ from 1,024 tokens, newest names first: the first that a model's name has in it. */
const anthropicMinima = [
  [/opus-5/, 512],
  [/opus-4[-.][56](?!\d)|haiku-4[-.]5/, 4096],
  [/opus-4[-.]7|haiku-3|3[-.]5-haiku|3-haiku/, 2048],
] as const;

/** Anthropic's rules for a model: below the model's own minimum a breakpoint does nothing, silently. */
export const anthropicRules = (model: string): CacheRules => ({
  ...cacheRules.anthropic,
  minimumTokens: anthropicMinima.find(([name]) => name.test(model))?.[1] ?? cacheRules.anthropic.minimumTokens,
});

/** Input tokens of one request in disjoint counts; `cacheWriteHourTokens` is a part of `cacheWriteTokens`. */
export type InputUsage = Required<Omit<Usage, "outputTokens">>;

export interface CachedRequest {
  readonly usage: InputUsage;
  /** Leaves behind what the request stores. `output`: its reply as the blocks that the next request would have. Call it once the reply has begun: until then nothing can be read. */
  keep(output?: readonly PrefixBlock[]): void;
}

export interface PrefixCache {
  /** What the cache holds of a request now. */
  ask(request: PrefixRequest): CachedRequest;
}

/** An empty cache. Deterministic: equal requests in equal order give equal counts. Linear in the text of a request. */
export function createPrefixCache(rules: CacheRules): PrefixCache {
  const pools = new Map<string, Stored>();
  return {
    ask: (request) => {
      const pool = request.pool ?? "";
      const stored = pools.get(pool) ?? { entries: new Set(), seen: new Set() };
      pools.set(pool, stored);
      const positions = positionsOf(request.blocks, rules.kind === "breakpoints" ? undefined : rules.grainTokens);
      switch (rules.kind) {
        case "longest-prefix":
          return longestPrefix(rules, positions, stored);
        case "breakpoints":
          return atBreakpoints(rules, request, positions, stored);
        case "units":
          return inUnits(rules, request, positions, stored);
      }
    },
  };
}

/** The input usage of a request after earlier ones, each of which ended before the next began. */
export function cachedUsage(rules: CacheRules, request: PrefixRequest, earlier: readonly PrefixRequest[]): InputUsage {
  const cache = createPrefixCache(rules);
  for (const one of earlier) cache.ask(one).keep();
  return cache.ask(request).usage;
}

/** What a pool holds, as keys of positions: what can be read, and (for units) every position that was seen. */
interface Stored {
  readonly entries: Set<string>;
  readonly seen: Set<string>;
}

const totalTokens = (positions: readonly Position[]): number => positions.at(-1)?.tokens ?? 0;

function readOnly(positions: readonly Position[], cacheReadTokens: number): InputUsage {
  const freshInputTokens = totalTokens(positions) - cacheReadTokens;
  return { freshInputTokens, cacheReadTokens, cacheWriteTokens: 0, cacheWriteHourTokens: 0 };
}

type RulesOf<Kind extends CacheRules["kind"]> = Extract<CacheRules, { kind: Kind }>;

function longestPrefix(
  { minimumTokens, grainTokens }: RulesOf<"longest-prefix">,
  positions: readonly Position[],
  { entries }: Stored,
): CachedRequest {
  const shared = positions[sharedCount(positions, entries) - 1]?.tokens ?? 0;
  const rounded = shared - (shared % grainTokens);
  return {
    usage: readOnly(positions, rounded >= minimumTokens ? rounded : 0),
    keep: () => positions.forEach(({ key }) => entries.add(key)),
  };
}

function atBreakpoints(
  rules: RulesOf<"breakpoints">,
  { blocks, explicitOnly = false }: PrefixRequest,
  positions: readonly Position[],
  { entries }: Stored,
): CachedRequest {
  const newestInput = blocks.findLastIndex(({ by }) => by === "user" || by === "tool");
  const lifeAt = (index: number): Life | undefined =>
    blocks[index]?.breakpoint ?? (rules.implicit && !explicitOnly && index === newestInput ? "minutes" : undefined);
  const breakpoints = positions
    .flatMap(({ tokens, key }, index) => {
      const life = lifeAt(index);
      return life === undefined ? [] : [{ index, life, tokens, key }];
    })
    .slice(-rules.mostBreakpoints)
    .filter(({ tokens }) => tokens >= rules.minimumTokens);
  const read = entryTokens(breakpoints, positions, entries, rules.lookBackBlocks);
  const end = breakpoints.at(-1)?.tokens ?? 0;
  const hourEnd = breakpoints.findLast(({ life }) => life === "hour")?.tokens ?? 0;
  return {
    usage: {
      freshInputTokens: totalTokens(positions) - end,
      cacheReadTokens: read,
      cacheWriteTokens: end - read,
      cacheWriteHourTokens: Math.max(0, hourEnd - read),
    },
    keep: () => breakpoints.forEach(({ key }) => entries.add(key)),
  };
}

function inUnits(
  { grainTokens }: RulesOf<"units">,
  { blocks }: PrefixRequest,
  positions: readonly Position[],
  { entries, seen }: Stored,
): CachedRequest {
  return {
    usage: readOnly(positions, positions.findLast(({ key }) => entries.has(key))?.tokens ?? 0),
    keep: (output = []) => {
      const withOutput = output.length === 0 ? positions : positionsOf([...blocks, ...output], grainTokens);
      const common = positions[sharedCount(positions, seen) - 1];
      for (const unit of [common, positions.at(-1), withOutput.at(-1)]) if (unit !== undefined) entries.add(unit.key);
      for (const { key } of withOutput) seen.add(key);
    },
  };
}
