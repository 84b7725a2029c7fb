import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeAfter } from "./boundaries.ts";
import { type Block, callsOf, type Message, pairFaults, paired, readable, textOf, toMessages } from "./message.ts";
import { argsOf, type ChainRecord, toolOf } from "./record.ts";
import { anyRecords, orderlyRecords } from "./testing.ts";

const call = (id: string): Block => ({ kind: "call", call: id, tool: "read", args: {} });
const result = (id: string): Block => ({ kind: "result", call: id, text: "", error: false });
const speaker = (id: string, ...blocks: Block[]): Message => ({ id, role: "assistant", blocks });
const tool = (id: string, ...blocks: Block[]): Message => ({ id, role: "tool", blocks });

describe("messages of records", () => {
  it("join the texts and calls of one stored message and keep each result as a message of its own", () => {
    const records: ChainRecord[] = [
      { id: "u", position: 1, kind: "text", role: "user", text: "Look." },
      { id: "a", position: 2, kind: "text", role: "assistant", text: "First" },
      { id: "b", position: 2, kind: "tool_call", role: "assistant", call: "k", path: "x.ts" },
      { id: "c", position: 2, kind: "text", role: "assistant", text: "second" },
      { id: "d", position: 2, kind: "tool_call", role: "assistant", call: "l", tool: "shell", args: { command: "ls" } },
      { id: "e", position: 3, kind: "tool_result", role: "tool", call: "l", text: "one", error: true },
      { id: "f", position: 3, kind: "tool_result", role: "tool", call: "k", text: "" },
    ];
    expect(toMessages(records)).toEqual([
      { id: "u", role: "user", blocks: [{ kind: "text", text: "Look." }] },
      {
        id: "a",
        role: "assistant",
        blocks: [
          { kind: "text", text: "First\nsecond" },
          { kind: "call", call: "k", tool: "read", args: { path: "x.ts" } },
          { kind: "call", call: "l", tool: "shell", args: { command: "ls" } },
        ],
      },
      { id: "e", role: "tool", blocks: [{ kind: "result", call: "l", text: "one", error: true }] },
      { id: "f", role: "tool", blocks: [{ kind: "result", call: "k", text: "", error: false }] },
    ]);
  });

  it("are one a record where no record shares its place", () => {
    const records: ChainRecord[] = ["a", "b"].map((id) => ({ id, kind: "text", role: "user", text: id }));
    expect(toMessages(records).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("drop nothing: every text, call and result is there, in order", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const messages = toMessages(records);
        const blocks = messages.flatMap((message) => message.blocks);
        expect(
          messages
            .map(textOf)
            .filter((text) => text !== "")
            .join("\n"),
        ).toBe(joinedTexts(records));
        expect(messages.flatMap(callsOf)).toEqual(
          records.flatMap((record) =>
            record.kind === "tool_call"
              ? [{ kind: "call", call: record.call, tool: toolOf(record), args: argsOf(record) }]
              : [],
          ),
        );
        expect(blocks.flatMap((block) => (block.kind === "result" ? [block.text] : []))).toEqual(
          records.flatMap((record) => (record.kind === "tool_result" ? [record.text] : [])),
        );
      }),
    );
  });

  it("of a prefix that ends between stored messages are a prefix of the messages", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const all = toMessages(records);
        records.forEach((record, index) => {
          if (records[index + 1]?.position === record.position && index + 1 < records.length) return;
          const some = toMessages(records.slice(0, index + 1));
          expect(some).toEqual(all.slice(0, some.length));
        });
      }),
    );
  });

  it("take their ids from records, each id once", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const known = new Set(records.map(({ id }) => id));
        const ids = toMessages(records).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((id) => known.has(id))).toBe(true);
      }),
    );
  });
});

/** The texts of stored messages, those of one message joined, blank ones left out. */
function joinedTexts(records: readonly ChainRecord[]): string {
  const byPosition = new Map<unknown, string[]>();
  for (const record of records)
    if (record.kind === "text")
      byPosition.set(record.position ?? record.id, [
        ...(byPosition.get(record.position ?? record.id) ?? []),
        record.text,
      ]);
  return [...byPosition.values()]
    .map((texts) => texts.join("\n"))
    .filter((text) => text !== "")
    .join("\n");
}

describe("paired messages of records", () => {
  it("have no fault for any prefix, answered or not, parallel or repeated", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        for (let end = 0; end <= records.length; end++)
          expect(pairFaults(paired(toMessages(records.slice(0, end))))).toEqual([]);
      }),
    );
  });

  it("hold nothing empty", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        for (const { role, blocks } of paired(toMessages(records))) {
          expect(blocks.length).toBeGreaterThan(0);
          for (const block of blocks) expect(role !== "tool" && block.kind === "text" && block.text === "").toBe(false);
        }
      }),
    );
  });

  it("keep every text that is not empty, and leave their input as it was", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const messages = toMessages(records);
        const before = JSON.stringify(messages);
        const texts = (list: readonly Message[]): string[] => list.map(textOf).filter((text) => text !== "");
        expect(texts(paired(messages))).toEqual(texts(messages));
        expect(JSON.stringify(messages)).toBe(before);
      }),
    );
  });

  it("of a prefix with a safe end are a prefix of the whole", () => {
    fc.assert(
      fc.property(orderlyRecords, (records) => {
        const all = paired(toMessages(records));
        safeAfter(records).forEach((safe, index) => {
          if (!safe) return;
          const some = paired(toMessages(records.slice(0, index + 1)));
          expect(some).toEqual(all.slice(0, some.length));
        });
      }),
    );
  });

  it("are the very same objects where a session is in order, so that cached estimates are kept", () => {
    const messages = [speaker("a", call("k"), call("l")), tool("b", result("k")), tool("c", result("l"))];
    paired(messages).forEach((message, index) => expect(message).toBe(messages[index]));
  });
});

describe("pair faults", () => {
  it.each<[string, Message[], string[]]>([
    ["nothing", [speaker("a", call("k"), call("l")), tool("b", result("l")), tool("c", result("k"))], []],
    [
      "a call left open by the next speaker",
      [speaker("a", call("k")), speaker("b")],
      ['call "k" has no result before message "b"'],
    ],
    ["a call left open at the end", [speaker("a", call("k"))], ['call "k" has no result before the end']],
    ["a result without a call", [tool("a", result("k"))], ['result "k" has no open call before it']],
    [
      "a second result",
      [speaker("a", call("k")), tool("b", result("k")), tool("c", result("k"))],
      ['result "k" has no open call before it'],
    ],
    [
      "an id that is used twice",
      [speaker("a", call("k")), tool("b", result("k")), speaker("c", call("k")), tool("d", result("k"))],
      ['call "k" is used twice'],
    ],
  ])("are found: %s", (_, messages, faults) => {
    expect(pairFaults(messages)).toEqual(faults);
  });
});

describe("what a model can read", () => {
  it("is a text, a result's body, a tool name with its compact arguments, and nothing of an image", () => {
    const message = speaker(
      "a",
      { kind: "text", text: "hello" },
      { kind: "reasoning", text: "thinking" },
      { kind: "call", call: "k", tool: "shell", args: { command: "ls", all: true } },
      { kind: "image", mediaType: "image/png", data: "AAAA" },
    );
    expect(readable(message)).toEqual(["hello", "thinking", 'shell {"command":"ls","all":true}', ""]);
    expect(readable(tool("b", { kind: "result", call: "k", text: "out", error: true }))).toEqual(["out"]);
  });
});
