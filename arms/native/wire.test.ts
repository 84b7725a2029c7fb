import { describe, expect, it } from "vitest";
import type { Message } from "../../harness/chain/message.ts";
import { asked, called, result, said, told } from "../testing-histories.ts";
import { historyOf, inputItems, instructionsOf, messagesOfInput, plainItem } from "./codex/wire.ts";
import { compactionEvents } from "./opencode/compaction-events.ts";
import { Minter } from "./opencode/minter.ts";
import { messageEvents, type StoredSession } from "./opencode/session.ts";
import { chatMessages, messageOfChat } from "./opencode/wire.ts";

const image = { kind: "image" as const, mediaType: "image/png", data: "AAAA" };
const history: readonly Message[] = [
  said("u1", "user", "one part", "another"),
  { id: "u2", role: "user", blocks: [{ kind: "text", text: "look" }, image] },
  told("a0", "first"),
  called("a1", ["1", "2"], "both"),
  result("r2", "2", "second"),
  result("r1", "1", "first"),
  called("a2", ["3"]),
  result("r3", "3", "third"),
  told("a3", ""),
];
const contents = (messages: readonly Message[]) => messages.map(({ role, blocks }) => ({ role, blocks }));

describe("a history in the Responses API", () => {
  it("comes back as the messages that it was", () => {
    expect(contents(messagesOfInput(inputItems(history), "p"))).toEqual(contents(history));
  });

  it("is told from the instructions, wherever a release puts them", () => {
    const input = inputItems(history);
    const first = { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] };
    for (const body of [{ instructions: "Be brief.", input }, { input: [first, ...input] }]) {
      expect(instructionsOf(body)).toBe("Be brief.");
      expect(historyOf(body)).toEqual(input);
    }
  });

  it("is compared without what the program numbers", () => {
    const [item] = inputItems([asked("u", "x")]);
    expect(plainItem({ ...item, id: "msg_1", status: "completed" })).toEqual(item);
  });
});

describe("a history in chat completions", () => {
  const projection = history.map((message) => ({ message, spans: [] }));

  it("has one message a step: neighbouring assistant messages are one", () => {
    const roles = chatMessages(projection, history).map(({ role }) => role);
    expect(roles).toEqual(["user", "user", "assistant", "tool", "tool", "assistant", "tool", "assistant"]);
    expect(chatMessages(projection, history)[2]).toMatchObject({
      content: "firstboth",
      tool_calls: [{ id: "1" }, { id: "2" }],
    });
  });

  it("keeps assistant messages apart that the journal does not have", () => {
    expect(chatMessages(projection.slice(2, 4), []).map(({ content }) => content)).toEqual(["first", "both"]);
  });

  it("comes back as the messages that it was", () => {
    const apart = history.filter(({ id }) => id !== "a0");
    const wire = chatMessages(
      apart.map((message) => ({ message, spans: [] })),
      apart,
    );
    expect(contents(wire.map((item, index) => messageOfChat(item, `m${index}`)))).toEqual(contents(apart));
  });
});

describe("a stored session", () => {
  const session = (): StoredSession => ({ id: "ses_1", folder: "/work", model: "m", events: 0, user: undefined });
  const infos = (messages: readonly Message[]) =>
    messageEvents(session(), messages, new Minter(1_000_000), 77).events.flatMap(({ type, data }) =>
      type === "message.updated.1" ? [(data as { info: Record<string, unknown> }).info] : [],
    );
  const parts = (messages: readonly Message[]) =>
    messageEvents(session(), messages, new Minter(1_000_000)).events.flatMap(({ data }) =>
      "part" in (data as object) ? [(data as { part: Record<string, unknown> }).part] : [],
    );

  it("has one message a user message and one a step, and tells which message begins each", () => {
    const { begins } = messageEvents(session(), history, new Minter(1_000_000));
    expect([...begins.values()].map(({ id }) => id)).toEqual(["u1", "u2", "a0", "a2", "a3"]);
    expect(infos(history).map(({ id }) => id)).toEqual([...begins.keys()]);
    expect(infos(history).at(-1)).toMatchObject({ role: "assistant", tokens: { total: 77 } });
  });

  it("has ids that sort in the order of storage, also beyond a millisecond's worth", () => {
    const many = Array.from({ length: 3_000 }, (_, nth) => asked(`u${nth}`, "x"));
    const ids = infos(many).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3_000);
    expect(ids.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual(ids);
  });

  it("has a result as the state of its call, an error and an open call as such", () => {
    const tools = parts([
      asked("u", "x"),
      called("a", ["1", "2", "3"]),
      result("r2", "2", "bad", true),
      result("r1", "1", "good"),
    ]).filter(({ type }) => type === "tool");
    expect(tools.map(({ state }) => state)).toMatchObject([
      { status: "completed", output: "good" },
      { status: "error", error: "bad" },
      { status: "pending" },
    ]);
  });

  it("refuses a result whose call it was not given", () => {
    expect(() => parts([asked("u", "x"), result("r", "1", "out")])).toThrow('result of an unknown call "1"');
  });

  it("has an earlier compaction as a question and a summary, whose text is left out where it is empty", () => {
    const of = (summary: string, tailStart?: string) =>
      JSON.stringify(compactionEvents(session(), new Minter(1_000_000), summary, tailStart));
    expect(of("kept", "msg_1")).toContain('"type":"compaction","auto":false,"tail_start_id":"msg_1"');
    expect(of("kept")).toContain('"type":"text","text":"kept"');
    expect(of("")).not.toContain('"type":"text"');
  });
});
