import { describe, expect, it } from "vitest";
import { parseAnswer } from "../exam/parse.ts";
import type { JsonValue } from "../json.ts";
import { type BadReplyName, badReplies, badReplyNames } from "./bad-replies.ts";
import type { Reply } from "./wire.ts";

const good: Reply = {
  text: '{"appeared":["96 MiB","PR #482"]}',
  reasoning: "",
  refusal: "",
  calls: [],
  finish: "stop",
};
const none: Reply = { ...good, text: '{"appeared":[]}' };

/** What the exam makes of a spoilt reply. */
function answerTo(name: BadReplyName, reply: Reply) {
  const { text, calls, finish, reasoning } = badReplies[name](reply, "read");
  return parseAnswer({
    text: text ?? "",
    finish,
    calls: calls.map(({ id, tool, args }) => ({ id, tool, args: JSON.parse(args) as JsonValue })),
    reasoningChars: reasoning.length,
  });
}

const labels: { readonly [name in BadReplyName]: string } = {
  "null-content": "cut-empty",
  "reasoning-only": "reasoning-only",
  "call-only": "call-only",
  empty: "empty",
  refusal: "refusal",
  fence: "fenced",
  "two-fences": "two-fences",
  "fence-in-string": "fence-in-string",
  prose: "prose-around",
  array: "array",
  truncated: "truncated",
  "raw-newline": "raw-newline",
  "duplicate-keys": "duplicate-keys",
  wrapped: "wrapped",
  padded: "padded",
};

describe("a bad reply", () => {
  it.each(badReplyNames)("%s gets the exam's own label for it", (name) => {
    expect(answerTo(name, good).label).toBe(labels[name]);
  });

  it.each(["fence", "two-fences", "prose", "duplicate-keys", "padded"] as const)(
    "%s still reports the right values",
    (name) => {
      expect(answerTo(name, good)).toMatchObject({ reported: ["96 MiB", "PR #482"] });
    },
  );

  it.each(["fence", "prose", "array", "truncated", "raw-newline", "duplicate-keys"] as const)(
    "%s is as bad where nothing was confirmed",
    (name) => {
      expect(answerTo(name, none).label).toBe(labels[name]);
    },
  );

  it("spoils a summary too, except for the faults that only JSON can have", () => {
    const summary: Reply = { ...good, text: "## Goal\n- keep 96 MiB" };
    const harmless = badReplyNames.filter(
      (name) => JSON.stringify(badReplies[name](summary, "read")) === JSON.stringify(summary),
    );
    expect(harmless).toEqual(["raw-newline", "duplicate-keys"]);
  });
});
