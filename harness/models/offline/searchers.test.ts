import { describe, expect, it } from "vitest";
import type { Message } from "../../chain/message.ts";
import { sheetText } from "../../exam/prompt.ts";
import { fileInterface } from "../../open-book/file-tools.ts";
import { journalInterface } from "../../open-book/journal-tools.ts";
import { roundNamed, said, smallProjection, smallSheet } from "../../open-book/testing.ts";
import { roundSheetText } from "../../open-book/wording.ts";
import type { ModelReply, ModelRequest } from "../model.ts";
import { offlineProvider } from "./offline.ts";
import { type SearcherName, searcherNames, searcherProvider } from "./searchers.ts";

const sheet = said("sheet", "user", roundSheetText(roundNamed(1), smallSheet));
const requestOf = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  purpose: "answer",
  cacheKey: "",
  system: "",
  tools: journalInterface.tools,
  toolChoice: "auto",
  messages: [...smallProjection, sheet],
  maxOutputTokens: 8192,
  ...over,
});
const reply = (name: SearcherName, request: ModelRequest): Promise<ModelReply> => {
  const provider = searcherProvider(name, { windowTokens: 100_000 });
  return provider.send(provider.encode(request));
};
const queries = ({ calls }: ModelReply): unknown[] =>
  calls.map(({ args }) => (args as { readonly query: unknown }).query);
/** The messages of calls for these queries, and their results. */
const asked = (...lookups: readonly (readonly [query: string, result: string, error?: boolean])[]): Message[] => [
  {
    id: "calls",
    role: "assistant",
    blocks: lookups.map(([query], at) => ({ kind: "call", call: `c${at}`, tool: "history_search", args: { query } })),
  },
  ...lookups.map(([, text, error = false], at): Message => ({
    id: `r${at}`,
    role: "tool",
    blocks: [{ kind: "result", call: `c${at}`, text, error }],
  })),
];

describe("the scripted searchers", () => {
  it("look up what they do not see: nothing, everything, or every second value", async () => {
    expect(queries(await reply("offline-never", requestOf()))).toEqual([]);
    expect(queries(await reply("offline-search", requestOf()))).toEqual([
      "ver_lost1",
      "ver_lost2",
      "ver_lost3",
      "ver_never",
    ]);
    expect(queries(await reply("offline-half", requestOf()))).toEqual(["ver_lost1", "ver_lost3"]);
  });

  it("ask for nothing twice, and confirm what they see and what lookups showed", async () => {
    const lookups = asked(
      ["ver_lost1", "[entry ver_never, user, at character 3]\nhas ver_lost1 in it"],
      ["ver_lost2", "No place in the history has that text."],
      ["ver_lost3", "history_search: ver_lost3 cannot be read", true],
      ["ver_never", "No place in the history has that text."],
    );
    const answered = await reply("offline-search", requestOf({ messages: [...smallProjection, sheet, ...lookups] }));
    expect(answered).toMatchObject({ calls: [], text: '{"appeared":["ver_kept1","ver_lost1"]}' });
  });

  it("never take their own query, an error or an entry's id for evidence", async () => {
    const lookups = asked(["ver_lost1", "[entry ver_lost1, user, at character 3]\nnothing"]);
    const answered = await reply("offline-never", requestOf({ messages: [...smallProjection, sheet, ...lookups] }));
    expect(answered.text).toBe('{"appeared":["ver_kept1"]}');
  });

  it("confirm what stands before the sheet, as the offline model does, where they may not or cannot look up", async () => {
    const closed = requestOf({ messages: [...smallProjection, said("s", "user", sheetText(smallSheet))] });
    const offline = offlineProvider({ windowTokens: 100_000 });
    for (const name of searcherNames)
      for (const request of [
        requestOf({ toolChoice: "none" }),
        requestOf({ tools: [] }),
        { ...closed, toolChoice: "none" as const },
      ])
        expect((await reply(name, request)).text).toBe((await offline.send(offline.encode(request))).text);
  });

  it("use grep where that is the search they are given, with the value taken literally", async () => {
    const tools = fileInterface.tools;
    const { calls } = await reply("offline-search", requestOf({ tools }));
    expect(calls.map(({ tool }) => tool)).toEqual(["grep", "grep", "grep", "grep"]);
    const lookups: Message[] = calls.map(({ id, tool, args }) => ({
      id,
      role: "assistant",
      blocks: [{ kind: "call", call: id, tool, args: args as { readonly pattern: string } }],
    }));
    expect(
      (await reply("offline-search", requestOf({ tools, messages: [...smallProjection, sheet, ...lookups] }))).calls,
    ).toEqual([]);
  });

  it("summarise like the offline model", async () => {
    const request = requestOf({
      tools: [],
      messages: [...smallProjection, said("ask", "user", "Sum up.\n\n## Goal\n- …")],
    });
    const offline = offlineProvider({ windowTokens: 100_000 });
    expect((await reply("offline-search", request)).text).toBe((await offline.send(offline.encode(request))).text);
  });

  it("bill their calls as output and give each an id of its own", async () => {
    const { calls, usage, finish } = await reply("offline-search", requestOf());
    expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
    expect(finish).toBe("tool");
    expect(usage?.outputTokens).toBeGreaterThan(20);
  });

  it("say in their label that they are no LLM and what they do", () => {
    for (const name of searcherNames)
      expect(searcherProvider(name, { windowTokens: 1 }).label).toMatch(/looks up .*; not an LLM$/);
  });
});
