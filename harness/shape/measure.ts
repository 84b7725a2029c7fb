/** How much of a request an earlier one has already paid for: in bytes, in tokens, and by each provider's cache rules. */
import { quarterTokens } from "../chain/tokens.ts";
import type { JsonObject } from "../json.ts";
import { chatWire } from "../serve/chat.ts";
import { messagesWire } from "../serve/messages.ts";
import { bound, plainBlocks } from "../serve/prefix.ts";
import { Refusal } from "../serve/wire.ts";
import type { CacheRules, CacheRulesName, InputUsage, PrefixBlock, PrefixRequest } from "./cache-rules.ts";
import { createPrefixCache } from "./cache-rules.ts";
import { cacheOrder, commonPrefix, sharedBytes, type SharedBytes } from "./prefix.ts";
import type { Style } from "./styles.ts";

export interface SharedPrefix extends SharedBytes {
  /** Estimated tokens of the common prefix, and of the whole later request. */
  readonly tokens: number;
  readonly ofTokens: number;
  /** The same for system prompt and messages alone, as if tools came last. */
  readonly besideTools: { readonly tokens: number; readonly ofTokens: number };
  /** The whole earlier request is a prefix of the later one. */
  readonly isWhole: boolean;
  /** What each provider would read from its cache, if the earlier request were all that it holds. */
  readonly usage: { readonly [Name in CacheRulesName]?: InputUsage };
}

const wires = { chat: chatWire, messages: messagesWire } as const;

/** A body as cache rules see it. */
export interface Blocks {
  readonly request: PrefixRequest;
  /** The blocks without what settings add to them. */
  readonly blocks: readonly PrefixBlock[];
}

/** A body with all that is measured of it. */
export interface Weighed extends Blocks {
  readonly pieces: ReturnType<typeof cacheOrder>;
}

/** Throws Refusal where the body is none of its form. */
export const weighed = ({ form }: Pick<Style, "form">, body: JsonObject): Weighed => ({
  ...blocksOf({ form }, body),
  pieces: cacheOrder(form, body),
});

/** Throws Refusal where the body is none of its form. */
export function blocksOf({ form }: Pick<Style, "form">, body: JsonObject): Blocks {
  const decoded = wires[form].decode(body);
  const blocks = plainBlocks(decoded);
  const request = { blocks: bound(blocks, decoded.messageSettings ?? ""), explicitOnly: decoded.explicitOnly };
  return { request, blocks };
}

/** What `measure` gives, or why a body cannot be measured: a server that reads its form would refuse it. */
export function unlessRefused<Value>(measure: () => Value): Value | Refusal {
  try {
    return measure();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** What `later` shares with `earlier`. Linear in both. `known`: the bytes, where they have been counted in another style of the same form. */
export function sharedPrefix(
  { rules }: Pick<Style, "rules">,
  earlier: Weighed,
  later: Weighed,
  known?: SharedBytes,
): SharedPrefix {
  const { bytes, ofBytes } = known ?? sharedBytes(earlier.pieces, later.pieces);
  const [before, after] = [earlier.request.blocks, later.request.blocks];
  const usage = Object.entries(rules).map(([name, one]) => [name, usageAfter(one, earlier.request, later.request)]);
  return {
    bytes,
    ofBytes,
    ...sharedTokens(before, after),
    besideTools: sharedTokens(earlier.blocks.filter(isNoTool), later.blocks.filter(isNoTool)),
    isWhole: before.every((block, at) => isSame(block, after[at])),
    usage: Object.fromEntries(usage) as SharedPrefix["usage"],
  };
}

/** What a provider with these rules would read of `later`, if `earlier` were all that its cache holds. Linear in both. */
export function usageAfter(rules: CacheRules, earlier: PrefixRequest, later: PrefixRequest): InputUsage {
  const [short, shorter] = abridged(earlier.blocks, later.blocks);
  const isWhole = earlier.blocks.every((block, at) => isSame(block, later.blocks[at]));
  const cache = createPrefixCache(rules);
  cache.ask({ ...earlier, blocks: short }).keep(isWhole ? replyAfter(short, shorter) : []);
  return cache.ask({ ...later, blocks: shorter }).usage;
}

const isNoTool = ({ by }: PrefixBlock): boolean => by !== "tools";

/** Whether two blocks are equal for a cache. */
export const isSame = (left: PrefixBlock, right: PrefixBlock | undefined): boolean =>
  left.by === right?.by && left.head === right.head && left.text === right.text;

/**
 * Both lists with short names instead of texts, which is all that cache rules need to tell equal blocks from different ones;
 * only the first pair that differs keeps its texts, because a cache may hold a part of it.
 */
function abridged(
  before: readonly PrefixBlock[],
  after: readonly PrefixBlock[],
): readonly [readonly PrefixBlock[], readonly PrefixBlock[]] {
  const differs = before.findIndex((block, at) => !isSame(block, after[at]));
  const shared = differs < 0 ? before.length : differs;
  const short = (blocks: readonly PrefixBlock[], whose: string): PrefixBlock[] =>
    blocks.map((block, at) => {
      if (at === shared && differs >= 0) return block;
      return { ...block, head: "", text: at < shared ? `shared ${at}` : `${whose} ${at}` };
    });
  return [short(before, "earlier"), short(after, "later")];
}

/** What the assistant said to the earlier request, as the later one has it. */
function replyAfter(before: readonly PrefixBlock[], after: readonly PrefixBlock[]): readonly PrefixBlock[] {
  const rest = after.slice(before.length);
  const end = rest.findIndex(({ by }) => by !== "assistant");
  return end < 0 ? rest : rest.slice(0, end);
}

function sharedTokens(
  before: readonly PrefixBlock[],
  after: readonly PrefixBlock[],
): { readonly tokens: number; readonly ofTokens: number } {
  const ofTokens = after.reduce((sum, block) => sum + block.tokens, 0);
  let tokens = 0;
  for (const [at, block] of after.entries()) {
    const other = before[at];
    if (other === undefined) break;
    if (isSame(block, other)) tokens += block.tokens;
    else {
      const begun = block.by === other.by && block.head === other.head;
      if (begun) tokens += Math.floor(quarterTokens(commonPrefix(block.text, other.text)) / 4);
      break;
    }
  }
  return { tokens, ofTokens };
}
