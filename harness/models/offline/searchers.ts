/**
 * Three scripted models for the open book: the perfect reader, who looks up nothing, every value or every second value of
 * a sheet that does not stand before it. They show what the instrument measures; none is an LLM.
 */
import { type Block, callsOf, type Message } from "../../chain/message.ts";
import type { JsonObject } from "../../json.ts";
import { literalPattern } from "../../open-book/patterns.ts";
import type { Provider, ToolDefinition } from "../model.ts";
import { confirm, sheetIn, standing } from "./reader.ts";
import { type LocalCall, localProvider, type Seen } from "./seen.ts";
import { summarise } from "./summariser.ts";

/** Which of the values that a sheet asks and the model does not see it looks up. */
type Wants = (unseen: readonly string[]) => readonly string[];

const searchers = {
  "offline-never": { wants: () => [], script: "looks up nothing" },
  "offline-search": { wants: (unseen) => unseen, script: "looks up every value that it does not see" },
  "offline-half": {
    wants: (unseen) => unseen.filter((_, index) => index % 2 === 0),
    script: "looks up every second value that it does not see",
  },
} as const satisfies { readonly [name: string]: { readonly wants: Wants; readonly script: string } };

export type SearcherName = keyof typeof searchers;
export const searcherNames = Object.keys(searchers) as SearcherName[];

/** `--model offline-never`, `offline-search` or `offline-half`. Without tools to look up with, and for summaries, each is the offline model. */
export function searcherProvider(name: SearcherName, { windowTokens }: { readonly windowTokens: number }): Provider {
  const { wants, script } = searchers[name];
  const label = `offline model: perfect reader that ${script}; not an LLM`;
  return localProvider({ id: name, model: `${name}-1`, windowTokens, label }, (seen) => replyOf(seen, wants));
}

/** Lookups in one reply. */
const callsPerReply = 8;

function replyOf(seen: Seen, wants: Wants): string | readonly LocalCall[] {
  const { messages, toolChoice, tools } = seen;
  const sheet = sheetIn(messages);
  if (sheet === undefined) return summarise(seen);
  const kept = new Set(standing(sheet));
  const since = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
  const search = toolChoice === "none" ? undefined : searchIn(tools);
  if (search !== undefined) {
    const asked = new Set(since.flatMap(callsOf).map(({ args }) => args[search.argument]));
    const calls = wants(sheet.values.filter((value) => !kept.has(value))).map(search.args);
    const unasked = calls.filter((args) => !asked.has(args[search.argument] ?? null));
    if (unasked.length > 0) return unasked.slice(0, callsPerReply).map((args) => ({ tool: search.tool, args }));
  }
  const shown = new Set(standing({ values: sheet.values, before: shownIn(since) }));
  return confirm(sheet.values.filter((value) => kept.has(value) || shown.has(value)));
}

interface SearchTool {
  readonly tool: string;
  /** The argument that holds the text searched for. */
  readonly argument: string;
  readonly args: (value: string) => JsonObject;
}

const searchTools: readonly SearchTool[] = [
  { tool: "history_search", argument: "query", args: (query) => ({ query, limit: 1 }) },
  { tool: "grep", argument: "pattern", args: (value) => ({ pattern: literalPattern(value) }) },
];

const searchIn = (tools: readonly ToolDefinition[]): SearchTool | undefined =>
  searchTools.find(({ tool }) => tools.some(({ name }) => name === tool));

/** What lookups showed of the history: results that are no errors, without the bracketed lines that say where a piece stands. */
const shownIn = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ blocks }) => blocks.flatMap(shownOf)).filter((text) => text !== "");

function shownOf(block: Block): string[] {
  return block.kind === "result" && !block.error ? block.text.split(/^\[[a-z]+ .*\]$/m) : [];
}
