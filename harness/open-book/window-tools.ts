/** `list_windows`, `list_items` and `read_item`: the history by context window and item, as Codex's design keeps it. There is no search by text. */
import * as z from "zod";
import { type Message, readable } from "../chain/message.ts";
import type { JsonObject } from "../json.ts";
import { entryText } from "../run/history.ts";
import { argsFault } from "./arguments.ts";
import { type Interface, type LookupResult, type Piece, refuse } from "./lookup.ts";
import { betweenPoints, excerptOf } from "./places.ts";

/** What a list shows of an item. */
const beginChars = 100;
const defaultItems = 20;
const maxTextChars = 4000;

const index = z.int().min(1);
const noArgs = z.strictObject({});
const listArgs = z.strictObject({ window: index, from: index.optional(), count: index.max(99).optional() });
const readArgs = z.strictObject({ window: index, item: index, offset: z.int().min(0).optional() });

const integer = (description: string): JsonObject => ({ type: "integer", description });

/** Windows and their items. */
export const windowInterface: Interface = {
  id: "windows",
  title: "list_windows, list_items and read_item",
  tools: [
    {
      name: "list_windows",
      description:
        "List the context windows of this session, oldest first: each ends where the history was condensed. Shows how many items each has.",
      parameters: { type: "object", properties: {}, additionalProperties: false },
    },
    {
      name: "list_items",
      description: "List items of a context window in order, each with the beginning of its text.",
      parameters: {
        type: "object",
        properties: {
          window: integer("Number of the window"),
          from: integer("Item to start at. By default the window's first"),
          count: integer("How many items to list"),
        },
        required: ["window"],
        additionalProperties: false,
      },
    },
    {
      name: "read_item",
      description: "Read an item. A long one comes in parts; give the offset that the last part ended at to read on.",
      parameters: {
        type: "object",
        properties: {
          window: integer("Number of the window"),
          item: integer("Number of the item in its window"),
          offset: integer("Character to start at. By default the item's first"),
        },
        required: ["window", "item"],
        additionalProperties: false,
      },
    },
  ],
  guide:
    "The session's past context windows are kept with all their items. list_windows and list_items show what there is, and read_item reads an item from any place on.",
  aim: () => undefined,
  open: ({ journal, compactedAt }) => {
    const windows = windowsOf(journal, compactedAt);
    return {
      serve: (tool, args) => {
        if (tool === "list_windows") return listWindows(windows, args);
        return tool === "list_items" ? listItems(windows, args) : readItem(windows, args);
      },
    };
  },
};

type Windows = readonly (readonly Message[])[];

/** The journal between the lengths at which it was compacted; the last window may end without one. */
function windowsOf(journal: readonly Message[], compactedAt: readonly number[]): Windows {
  const ends = [...compactedAt.filter((end) => end < journal.length), journal.length];
  return ends.map((end, at) => journal.slice(ends[at - 1] ?? 0, end)).filter((window) => window.length > 0);
}

function listWindows(windows: Windows, args: JsonObject): LookupResult {
  const parsed = noArgs.safeParse(args);
  if (!parsed.success) return refuse("broken arguments", argsFault("list_windows", parsed.error));
  const lines = windows.map((window, at) => `Window ${at + 1} has ${window.length} items.`);
  return { kind: "served", pieces: [], note: lines.join("\n") };
}

function listItems(windows: Windows, args: JsonObject): LookupResult {
  const parsed = listArgs.safeParse(args);
  if (!parsed.success) return refuse("broken arguments", argsFault("list_items", parsed.error));
  const { window: number, from = 1, count = defaultItems } = parsed.data;
  const window = windows[number - 1];
  if (window === undefined) return noWindow("list_items", number, windows);
  if (from > window.length) return noItem("list_items", from, window);
  const pieces = window.slice(from - 1, from - 1 + count).map((message, at): Piece => {
    const body = entryText(message);
    return { head: `[item ${from + at}, ${kindOf(message)}]`, text: excerptOf(body, 0, 0, beginChars) };
  });
  const next = from + count;
  return { kind: "served", pieces, note: next <= window.length ? `The window goes on at item ${next}.` : "" };
}

function readItem(windows: Windows, args: JsonObject): LookupResult {
  const parsed = readArgs.safeParse(args);
  if (!parsed.success) return refuse("broken arguments", argsFault("read_item", parsed.error));
  const { window: number, item, offset = 0 } = parsed.data;
  const window = windows[number - 1];
  if (window === undefined) return noWindow("read_item", number, windows);
  const message = window[item - 1];
  if (message === undefined) return noItem("read_item", item, window);
  const whole = entryText(message);
  if (offset >= Math.max(1, whole.length))
    return refuse("out of range", `read_item: offset ${offset} is behind the item's ${whole.length} characters.`);
  const from = betweenPoints(whole, offset);
  const to = betweenPoints(whole, Math.min(whole.length, from + maxTextChars));
  const head = `[item ${item}, ${kindOf(message)}, characters ${from} to ${to} of ${whole.length}]`;
  const note = to < whole.length ? `The item goes on at offset ${to}.` : "";
  return { kind: "served", pieces: [{ head, text: whole.slice(from, to).toWellFormed() }], note };
}

/** What an item is, in a word or two. */
function kindOf(message: Message): string {
  if (message.role === "tool") return "tool result";
  return readable(message).length > 0 && message.blocks.every(({ kind }) => kind === "call")
    ? "tool call"
    : message.role;
}

const noWindow = (tool: string, number: number, windows: Windows): LookupResult =>
  refuse("out of range", `${tool}: there is no window ${number}; there are ${windows.length}.`);
const noItem = (tool: string, number: number, window: readonly Message[]): LookupResult =>
  refuse("out of range", `${tool}: there is no item ${number} in that window; it has ${window.length}.`);
