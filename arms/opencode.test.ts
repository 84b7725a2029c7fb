import { describe, expect, it } from "vitest";
import published from "../fixtures/published.json" with { type: "json" };
import { InterruptedError, ProviderError } from "../harness/errors.ts";
import { opencode } from "./opencode.ts";
import { ownPrompts } from "./opencode/prompts.ts";
import { asked, called, growing, overflow, result, step, texts, told } from "./testing-histories.ts";
import { head, requestText } from "./opencode/testing.ts";
import { messagesOf } from "./testing.ts";

/** A tail of 2,000 tokens: 8,000 characters of JSON. */
const small = { windowTokens: 12_000, outputReserveTokens: 4_000 };
const session = () => growing(opencode, small);

const question = `user: ${ownPrompts.question}`;
const long = (letter: string, chars = 9_000): string => letter.repeat(chars);
describe("the context after a compaction", () => {
  it("is the question, the summary as it came, and the tail as the journal has it", async () => {
    const { say, compact, requests } = session();
    const tail = [asked("u2", "next"), ...step("s2", long("y", 4_000)), told("a2", "done")];
    say(asked("u1", long("x")), told("a1", "said"), ...tail);
    const compaction = await compact("  ## Objective\n- go on \n");
    expect(texts(compaction.projection).slice(0, 3)).toEqual([
      question,
      "assistant:   ## Objective\n- go on \n",
      "assistant: said",
    ]);
    expect(messagesOf(compaction.projection).slice(3)).toEqual(tail);
    expect(messagesOf(compaction.projection)[3]).toBe(tail[0]);
    expect(head(requests[0])).toBe(`[User]: ${long("x")}`);
    expect(requests[0]?.maxOutputTokens).toBe(4_000);
  });

  it("labels question and summary as summary without sources, and the rest as tail of its own message", async () => {
    const { say, compact } = session();
    say(asked("u1", long("x")), asked("u2", "next"), called("c", ["open"]));
    const { projection } = await compact("sum");
    expect(projection.map(({ spans }) => spans)).toEqual([
      [{ part: "summary", chars: ownPrompts.question.length, sources: [] }],
      [{ part: "summary", chars: 3, sources: [] }],
      [{ part: "tail", chars: 4, sources: ["u2"] }],
      [{ part: "tail", chars: 'shell {"cmd":"run open"}'.length, sources: ["c"] }],
      [{ part: "tail", chars: 32, sources: [] }],
    ]);
  });

  it("answers an open call with the note as an error, in the order of the calls, and renames an id used again", async () => {
    const { say, compact } = session();
    say(asked("u1", long("x")), asked("u2", "next"), called("b", ["1", "2", "3"]));
    say(result("r3", "3", "three"), result("r1", "1", "one"), called("c", ["1"]), result("r", "1", "again"));
    const { projection } = await compact("sum");
    expect(
      messagesOf(projection)
        .slice(3)
        .flatMap(({ blocks }) =>
          blocks.map((block) =>
            block.kind === "call" || block.kind === "result"
              ? [block.kind, block.call, block.kind === "result" ? block.text : ""]
              : [],
          ),
        ),
    ).toEqual([
      ["call", "1", ""],
      ["call", "2", ""],
      ["call", "3", ""],
      ["result", "1", "one"],
      ["result", "2", ownPrompts.interrupted],
      ["result", "3", "three"],
      ["call", "1~2", ""],
      ["result", "1~2", "again"],
    ]);
  });

  it("keeps nothing but the summary where everything would fit", async () => {
    const { say, compact, requests } = session();
    say(asked("u1", "wish"), told("a1", "said"));
    expect(texts((await compact("sum")).projection)).toEqual([question, "assistant: sum"]);
    expect(head(requests[0])).toBe("[User]: wish\n\n[Assistant]: said");
  });

  it("leaves an empty user text out of the tail and keeps an empty assistant text, as the product does", async () => {
    const { say, compact } = session();
    say(asked("u1", long("x")), asked("u2", ""), told("a2", ""), asked("u3", "  "));
    expect(texts((await compact("sum")).projection).slice(2)).toEqual(["assistant: ", "user:   "]);
  });
});

describe("an empty summary", () => {
  it("drops the head all the same, stands nowhere, and is no prior summary next time", async () => {
    const { say, compact, requests } = session();
    say(asked("u1", long("x")), asked("u2", "next"));
    const compaction = await compact("");
    expect(texts(compaction.projection)).toEqual([question, "user: next"]);
    expect(compaction).toMatchObject({ kind: "compacted", fellBack: "empty summary" });
    say(asked("u3", long("z")));
    await compact("sum");
    expect(requestText(requests[1])).not.toContain("</prior-summary>");
  });

  it("is only an empty one: white space stands as a summary, but is shown to no later compaction", async () => {
    const { say, compact, requests } = session();
    say(asked("u1", "wish"));
    expect(texts((await compact(" \n")).projection)).toEqual([question, "assistant:  \n"]);
    say(asked("u2", "more"));
    await compact("sum");
    expect(requestText(requests[1])).not.toContain("</prior-summary>");
  });
});

describe("a summary request that fails", () => {
  it("for its length leaves everything and the question, and the next compaction is as if it had not been", async () => {
    const { say, compact, requests } = session();
    say(asked("u1", long("x")), asked("u2", "next"));
    const failed = await compact(overflow);
    expect(failed).toMatchObject({ kind: "unchanged", reason: "the summary request does not fit" });
    expect(texts(failed.projection)).toEqual([`user: ${long("x")}`, "user: next", question]);
    say(told("a2", "on"));
    expect(texts((await compact("sum")).projection)).toEqual([
      question,
      "assistant: sum",
      "user: next",
      "assistant: on",
    ]);
    expect(head(requests[1])).toBe(head(requests[0]));
  });

  it("for another reason fails the step", async () => {
    const failure = { provider: "p", status: 500, charge: "none", decision: "request" } as const;
    for (const error of [new ProviderError("broken", failure), new InterruptedError("stopped")]) {
      const { say, compact } = session();
      say(asked("u1", "wish"));
      await expect(
        compact(() => {
          throw error;
        }),
      ).rejects.toBe(error);
    }
  });
});

it("names the commit that the published experiment pinned", () => {
  expect(opencode.source).toMatchObject({ kind: "mirror", commit: published.pins.opencode.commit });
});
