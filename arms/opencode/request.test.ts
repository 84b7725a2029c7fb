import { describe, expect, it } from "vitest";
import type { Message } from "../../harness/chain/message.ts";
import { asked, called, result, step, told } from "../testing-histories.ts";
import { openCodeDefaults } from "./limits.ts";
import { ownPrompts } from "./prompts.ts";
import { headText, summaryRequest } from "./request.ts";
import type { Item } from "./storage.ts";
import { spokenJournal, storedMessages } from "./stored.ts";

const stored = (...journal: Message[]): Item[] => storedMessages(spokenJournal(journal), 0, journal.length);
const head = (...journal: Message[]): string => headText(stored(...journal), ownPrompts, openCodeDefaults.resultChars);
const shown = (text: string, error = false): string => head(called("a", ["c"]), result("r", "c", text, error));

const limits = { resultChars: 2_000, maxOutputTokens: 32_000 };
const request = (history: readonly Item[], prior: string | undefined) => {
  const { messages, ...rest } = summaryRequest("id", history, prior, ownPrompts, limits);
  const [block] = messages[0]?.blocks ?? [];
  return { messages, ...rest, text: block?.kind === "text" ? block.text : "" };
};

describe("the head", () => {
  it("has a block for each stored message and a line for each part, results after their calls", () => {
    const journal = [
      asked("u", "wish"),
      told("a", "plan"),
      called("b", ["x", "y"]),
      result("y-result", "y", "second"),
      result("x-result", "x", "first", true),
      told("c", "report"),
    ];
    expect(head(...journal)).toBe(
      [
        "[User]: wish",
        "",
        "[Assistant]: plan",
        '[Assistant tool call]: shell({"cmd":"run x"})',
        "[Tool error]: first",
        '[Assistant tool call]: shell({"cmd":"run y"})',
        "[Tool result]: second",
        "",
        "[Assistant]: report",
      ].join("\n"),
    );
  });

  it("shows reasoning, images and several user texts, and nothing for an empty text", () => {
    const image = { kind: "image" as const, mediaType: "image/png", data: "AAAA" };
    const journal: Message[] = [
      { id: "u", role: "user", blocks: [{ kind: "text", text: "one" }, image, { kind: "text", text: "two" }] },
      told("a", ""),
      { id: "v", role: "user", blocks: [image] },
      {
        id: "b",
        role: "assistant",
        blocks: [
          { kind: "reasoning", text: "hm" },
          { kind: "text", text: "so" },
        ],
      },
      asked("w", ""),
    ];
    expect(head(...journal)).toBe(
      "[User]: one\ntwo\n[Attached image/png: file]\n\n[Attached image/png: file]\n\n[Assistant reasoning]: hm\n[Assistant]: so",
    );
  });

  it("shows a call without result as the call alone", () => {
    expect(head(called("a", ["open"]))).toBe('[Assistant tool call]: shell({"cmd":"run open"})');
  });

  it("clips a completed result after 2,000 UTF-16 units and leaves 2,000 alone", () => {
    expect(shown("q".repeat(2_000)).endsWith(`[Tool result]: ${"q".repeat(2_000)}`)).toBe(true);
    expect(shown("q".repeat(2_001)).endsWith(`[Tool result]: ${"q".repeat(2_000)}\n[truncated]`)).toBe(true);
  });

  it("puts U+FFFD where the clip splits a surrogate pair, and keeps the pair that ends before it", () => {
    expect(shown(`${"q".repeat(1_999)}😀`).endsWith("q\ufffd\n[truncated]")).toBe(true);
    expect(shown(`${"q".repeat(1_998)}😀.`).endsWith("q😀\n[truncated]")).toBe(true);
  });

  it("clips no error, no argument and no text", () => {
    const long = "w".repeat(9_000);
    const call: Message = {
      id: "a",
      role: "assistant",
      blocks: [{ kind: "call", call: "c", tool: "t", args: { long } }],
    };
    expect(shown(long, true)).toContain(`[Tool error]: ${long}`);
    expect(head(asked("u", long), told("b", long), call).length).toBeGreaterThan(3 * long.length);
  });
});

describe("the request", () => {
  it("is a system text and one user message, without tools, limited to the given output", () => {
    const { text, messages, ...rest } = request(stored(asked("u", "wish")), undefined);
    expect(rest).toEqual({ system: ownPrompts.system, tools: [], toolChoice: "none", maxOutputTokens: 32_000 });
    expect(messages).toEqual([{ id: "id", role: "user", blocks: [{ kind: "text", text }] }]);
  });

  it("asks for a first summary: opening, conversation, order, template, rules, an empty line between", () => {
    expect(request(stored(asked("u", "wish")), undefined).text).toBe(
      [
        ownPrompts.opening,
        "<conversation>\n[User]: wish\n</conversation>",
        ownPrompts.create,
        `${ownPrompts.form}\n<template>\n${ownPrompts.template}\n</template>`,
        ownPrompts.rules,
      ].join("\n\n"),
    );
  });

  it("asks to merge where there is an earlier summary", () => {
    const { text } = request(stored(asked("u", "wish")), "what was");
    expect(text).toContain(
      `</conversation>\n\n${ownPrompts.prior}\n\n<prior-summary>\nwhat was\n</prior-summary>\n\n${ownPrompts.merge}\n\n${ownPrompts.form}`,
    );
    expect(text).not.toContain(ownPrompts.create);
  });

  it("is well-formed, whatever a tool printed", () => {
    expect(request(stored(...step("s", "broken \ud83d half")), undefined).text).toContain("broken \ufffd half");
  });
});

it("asks for headings that a summariser can fill, and notes an interruption in 32 units as the product does", () => {
  expect(ownPrompts.template.match(/^#{2,3} .+$/gm)).toHaveLength(8);
  expect(ownPrompts.interrupted).toHaveLength(32);
});
