/** `history_search` and `history_get`: looking into the journal by text and by entry. */
import * as z from "zod";
import { type Message, readable } from "../chain/message.ts";
import type { JsonObject } from "../json.ts";
import { entryText } from "../run/history.ts";
import { argsFault } from "./arguments.ts";
import { type Interface, type LookupResult, type Piece, refuse } from "./lookup.ts";
import { betweenPoints, excerptOf, findPlaces } from "./places.ts";

/** What a search shows of a place, on each side of the match. */
const sideChars = 60;
const defaultHits = 5;
/** Longest query: a longer one is no value and no phrase. */
const maxQueryChars = 500;
/** What one `history_get` shows at most. */
const maxTextChars = 4000;

const searchArgs = z.strictObject({
  query: z.string().min(1).max(maxQueryChars),
  limit: z.int().min(1).max(9).optional(),
});
const getArgs = z.strictObject({ entry: z.string().min(1), offset: z.int().min(0).optional() });

/** The journal by text and by entry. */
export const journalInterface: Interface = {
  id: "journal",
  title: "history_search and history_get",
  tools: [
    {
      name: "history_search",
      description:
        "Find where a text stands in the full history of this session. Shows a short excerpt of each place with the id of its entry: places where the text stands as a whole first, then others, each newest first. The text is taken literally; letter case does not matter.",
      parameters: {
        type: "object",
        properties: {
          query: { type: "string", description: "The text to look for" },
          limit: { type: "integer", description: "How many places to show, from one to nine. By default five" },
        },
        required: ["query"],
        additionalProperties: false,
      },
    },
    {
      name: "history_get",
      description:
        "Print an entry of the full history of this session by its id. A long entry comes in parts; give the offset that the last part ended at to read on.",
      parameters: {
        type: "object",
        properties: {
          entry: { type: "string", description: "Id of the entry, as history_search shows it" },
          offset: { type: "integer", description: "Character to start at. By default the entry's first" },
        },
        required: ["entry"],
        additionalProperties: false,
      },
    },
  ],
  guide:
    "history_search finds where a text stands in the full history. history_get prints one of its entries from any place on.",
  aim: (tool, { query }) => (tool === "history_search" && typeof query === "string" ? query : undefined),
  open: ({ journal }) => {
    const texts = searchable(journal);
    const entries = new Map(journal.map((message) => [message.id, message]));
    return {
      serve: (tool, args) => (tool === "history_search" ? search(texts, args) : get(entries, args)),
    };
  },
};

interface JournalText {
  readonly message: Message;
  readonly text: string;
  /** Where the text starts in its entry. */
  readonly offset: number;
}

/** Every readable block, newest first; the blocks of one entry in order. */
function searchable(journal: readonly Message[]): JournalText[] {
  return journal.toReversed().flatMap((message) => {
    let offset = 0;
    return readable(message).map((text): JournalText => {
      const start = offset;
      offset += text.length + 1;
      return { message, text, offset: start };
    });
  });
}

const spoken = { user: "user", assistant: "assistant", tool: "tool result" } as const;

function search(texts: readonly JournalText[], args: JsonObject): LookupResult {
  const read = searchArgs.safeParse(args);
  if (!read.success) return refuse("broken arguments", argsFault("history_search", read.error));
  const { query, limit = defaultHits } = read.data;
  const found = findPlaces(texts, query, limit + 1);
  const pieces = found.slice(0, limit).map(({ where: { message, text, offset }, at, chars }): Piece => ({
    head: `[entry ${message.id}, ${spoken[message.role]}, at character ${offset + at}]`,
    text: excerptOf(text, at, chars, sideChars),
  }));
  if (pieces.length === 0) return { kind: "served", pieces, note: "No place in the history has that text." };
  const note = found.length > limit ? "There are more places. Make the text longer to see fewer." : "";
  return { kind: "served", pieces, note };
}

function get(entries: ReadonlyMap<string, Message>, args: JsonObject): LookupResult {
  const read = getArgs.safeParse(args);
  if (!read.success) return refuse("broken arguments", argsFault("history_get", read.error));
  const { entry, offset = 0 } = read.data;
  const message = entries.get(entry);
  if (message === undefined)
    return refuse(
      "out of range",
      `history_get: the history has no entry ${JSON.stringify(entry)} up to here. Ids of entries come from history_search.`,
    );
  const whole = entryText(message);
  if (offset >= Math.max(1, whole.length))
    return refuse("out of range", `history_get: offset ${offset} is behind the entry's ${whole.length} characters.`);
  const from = betweenPoints(whole, offset);
  const to = betweenPoints(whole, Math.min(whole.length, from + maxTextChars));
  const head = `[entry ${message.id}, ${spoken[message.role]}, characters ${from} to ${to} of ${whole.length}]`;
  const note = to < whole.length ? `The entry goes on at offset ${to}.` : "";
  return { kind: "served", pieces: [{ head, text: whole.slice(from, to).toWellFormed() }], note };
}
