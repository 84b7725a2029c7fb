import { describe, expect, it } from "vitest";
import published from "../fixtures/published.json" with { type: "json" };
import type { Message } from "../harness/chain/message.ts";
import { CompactionRefusedError, InterruptedError, ProviderError } from "../harness/errors.ts";
import { codex } from "./codex.ts";
import { ownPrompts } from "./codex/prompts.ts";
import { asked, called, growing, overflow, result, step, texts, told } from "./testing-histories.ts";
import { reply, smallShape } from "./testing.ts";

const summaryText = (summary: string): string => `user: ${ownPrompts.summaryPrefix}\n${summary}`;
const prompt = `user: ${ownPrompts.compaction}`;
const session = (...messages: Message[]) => {
  const started = growing(codex);
  started.say(...messages);
  return started;
};
const work = [asked("u1", "wish"), told("a1", "plan"), ...step("s1", "seen"), asked("u2", "more"), told("a2", "did")];

describe("the request", () => {
  it("is the session's own: its system text, the whole history in order, then the prompt; the tool list is empty", async () => {
    const { compact, requests } = session(...work);
    await compact("sum");
    expect(requests).toHaveLength(1);
    const { messages, ...rest } = requests[0] ?? { messages: [] };
    expect(rest).toEqual({ system: smallShape.system, tools: [], toolChoice: "auto", maxOutputTokens: 8_192 });
    expect(messages.slice(0, -1)).toEqual(work);
    expect(texts(messages.slice(-1))).toEqual([prompt]);
  });

  it("completes an open call with aborted and leaves a stray output out", async () => {
    const { compact, requests } = session(result("r", "gone", "stray"), asked("u", "wish"), called("a", ["open"]));
    expect(await compact("sum")).toMatchObject({ counts: { abortedCalls: 1, orphanOutputs: 1 } });
    expect(texts(requests[0]?.messages ?? [])).toEqual(["user: wish", "assistant: call open", "tool: aborted", prompt]);
  });
});

describe("the summary", () => {
  it("is the last message, after the prefix and a newline, as it came and outside the budget", async () => {
    const long = `  ${"s".repeat(90_000)}\n`;
    const { compact } = session(asked("u", "x".repeat(80_000)));
    const { projection } = await compact(long);
    expect(texts(projection)).toEqual([`user: ${"x".repeat(80_000)}`, summaryText(long)]);
    expect(projection[1]?.spans).toEqual([
      { part: "summary", chars: ownPrompts.summaryPrefix.length + 1 + long.length, sources: [] },
    ]);
  });

  it("ignores calls in the reply", async () => {
    const { compact } = session(...work);
    const answered = { ...reply("sum"), calls: [{ id: "c", tool: "read", args: {} }], finish: "tool" as const };
    expect(texts((await compact(() => answered)).projection).at(-1)).toBe(summaryText("sum"));
  });

  it("is the newest assistant text of the old history where the reply is blank, and says so", async () => {
    const { compact } = session(...work, told("a3", "  "));
    const compaction = await compact(" \n");
    expect(texts(compaction.projection).at(-1)).toBe(summaryText("did"));
    expect(compaction).toMatchObject({ fellBack: "blank summary" });
  });

  it("is empty where the reply is blank and no assistant spoke", async () => {
    const { compact } = session(asked("u", "wish"));
    expect(texts((await compact("")).projection)).toEqual(["user: wish", summaryText("")]);
  });
});

describe("a second and third compaction", () => {
  it("send the kept texts and the last summary, and keep no earlier summary", async () => {
    const { compact, requests, say } = session(...work);
    await compact("first");
    say(told("a3", "went on"), asked("u3", "again"));
    const second = await compact("second");
    expect(texts(requests[1]?.messages ?? [])).toEqual([
      "user: wish",
      "user: more",
      summaryText("first"),
      "assistant: went on",
      "user: again",
      prompt,
    ]);
    expect(texts(second.projection)).toEqual(["user: wish", "user: more", "user: again", summaryText("second")]);
    expect(second.projection.map(({ spans }) => spans[0]?.sources)).toEqual([["u1"], ["u2"], ["u3"], []]);
    expect(texts((await compact("third")).projection)).toEqual([
      "user: wish",
      "user: more",
      "user: again",
      summaryText("third"),
    ]);
  });

  it("let the kept texts compete for a fresh budget, and cut an already cut text again", async () => {
    const { compact, say } = session(asked("u1", "x".repeat(200_000)));
    const first = await compact("first");
    expect(texts(first.projection)[0]).toBe(`user: ${"x".repeat(40_000)}…30000 tokens truncated…${"x".repeat(40_000)}`);
    say(asked("u2", "y".repeat(40_000)));
    const second = await compact("second");
    const half = "x".repeat(20_000);
    expect(texts(second.projection)[0]).toBe(`user: ${half}…10007 tokens truncated…${half}`);
    expect(second.projection[0]?.spans[0]?.sources).toEqual(["u1"]);
  });

  it("leave out an output whose call is gone", async () => {
    const { compact, requests, say } = session(asked("u", "wish"), called("a", ["late"]));
    await compact("first");
    say(result("r", "late", "arrived"));
    await compact("second");
    expect(texts(requests[1]?.messages ?? [])).toEqual(["user: wish", summaryText("first"), prompt]);
  });
});

describe("a request that does not fit", () => {
  const overflowing = (times: number) => (_: unknown, index: number) => (index < times ? overflow() : reply("sum"));

  it("is sent again without the oldest item, a call and its output together; what was dropped still survives", async () => {
    const { compact, requests } = session(...work);
    const compaction = await compact(overflowing(3));
    expect(requests.map(({ messages }) => texts(messages)[0])).toEqual([
      "user: wish",
      "assistant: plan",
      "assistant: call s1-call",
      "user: more",
    ]);
    expect(texts(compaction.projection)).toEqual(["user: wish", "user: more", summaryText("sum")]);
    expect(compaction).toMatchObject({ counts: { droppedItems: 4 } });
  });

  it("fails once not even the prompt alone fits", async () => {
    const { compact, requests } = session(asked("u1", "wish"), told("a1", "plan"));
    await expect(compact(overflow)).rejects.toThrow(CompactionRefusedError);
    expect(requests.map(({ messages }) => messages.length)).toEqual([3, 2, 1]);
  });

  it("takes a blank reply's summary from the whole old history, dropped items included", async () => {
    const { compact } = session(told("a1", "plan"), asked("u1", "wish"));
    const answer = (_: unknown, index: number) => (index < 2 ? overflow() : reply(""));
    expect(texts((await compact(answer)).projection).at(-1)).toBe(summaryText("plan"));
  });

  it("is no other failure: those pass through at once", async () => {
    const failure = { provider: "p", status: 500, charge: "none", decision: "request" } as const;
    for (const error of [new ProviderError("broken", failure), new InterruptedError("stopped")]) {
      const { compact, requests } = session(...work);
      await expect(
        compact(() => {
          throw error;
        }),
      ).rejects.toBe(error);
      expect(requests).toHaveLength(1);
    }
  });
});

it("has texts of the product's form: a prefix of 399 bytes on one line, a prompt that ends with a newline", () => {
  expect(Buffer.byteLength(ownPrompts.summaryPrefix)).toBe(399);
  expect(ownPrompts.summaryPrefix).not.toContain("\n");
  expect(ownPrompts.compaction.endsWith("\n")).toBe(true);
});

it("names the commit that the published experiment pinned", () => {
  expect(codex.source).toMatchObject({ kind: "mirror", commit: published.pins.codex.commit });
});
