import { describe, expect, it } from "vitest";
import type { Arm } from "../../harness/arm.ts";
import { messagesTokens } from "../../harness/chain/tokens.ts";
import { opencode } from "../opencode.ts";
import { asked, growing, step, texts, told } from "../testing-histories.ts";
import { messagesOf } from "../testing.ts";
import { ownPrompts } from "./prompts.ts";
import { head } from "./testing.ts";

const question = `user: ${ownPrompts.question}`;
const proceed = `user: ${ownPrompts.proceed}`;
const history = [asked("u1", "x".repeat(9_000)), told("a1", "said"), asked("u2", "next"), ...step("s2", "seen")];
const usedTokens = 100 + messagesTokens(history);
const at = (usableTokens: number) => ({
  fixedTokens: 100,
  windowTokens: usableTokens + 4_000,
  outputReserveTokens: 4_000,
});
const withOptions = (options: object): Arm => ({ ...opencode, options: { ...opencode.options, ...options } });

describe("an automatic compaction", () => {
  it("happens from the usable size on, fixed tokens included, and not below it", async () => {
    const below = growing(opencode, at(usedTokens + 1));
    below.say(...history);
    const unchanged = await below.compact("S1", "automatic");
    expect(unchanged).toMatchObject({ kind: "unchanged", reason: `${usedTokens} of ${usedTokens + 1} usable tokens` });
    expect(messagesOf(unchanged.projection)).toEqual(history);
    expect(below.requests).toEqual([]);

    const reached = growing(opencode, at(usedTokens));
    reached.say(...history);
    expect(await reached.compact("S1", "automatic")).toMatchObject({ kind: "compacted" });
  });

  it("ends with the text that sends the session on, which a forced one has not", async () => {
    const session = growing(opencode, at(usedTokens));
    session.say(...history);
    const { projection } = await session.compact("S1", "automatic");
    expect(texts(projection).at(-1)).toBe(proceed);
    expect(projection.at(-1)?.spans).toEqual([{ part: "summary", chars: ownPrompts.proceed.length, sources: [] }]);
    const forced = growing(opencode, at(usedTokens));
    forced.say(...history);
    expect(texts((await forced.compact("S1")).projection)).not.toContain(proceed);
  });

  it("leaves that text in the session as a user message: it opens a turn and is summarised like one", async () => {
    const session = growing(opencode, at(usedTokens));
    session.say(...history);
    await session.compact("S1", "automatic");
    session.say(told("a3", "went on"));
    const { projection } = await session.compact("S2");
    expect(head(session.requests[1])).toBe("[Assistant]: said");
    expect(texts(projection).slice(-4)).toEqual([question, "assistant: S1", proceed, "assistant: went on"]);
    session.say(asked("u4", "y".repeat(9_000)));
    await session.compact("S3");
    expect(head(session.requests[2])).toContain(`[User]: ${ownPrompts.proceed}\n\n[Assistant]: went on`);
  });

  it("can begin a tail with that text", async () => {
    const session = growing(opencode, at(usedTokens));
    session.say(...history);
    await session.compact("S1", "automatic");
    session.say(told("a3", "y".repeat(7_700)));
    expect(texts((await session.compact("S2")).projection)).toEqual([
      question,
      "assistant: S2",
      proceed,
      `assistant: ${"y".repeat(7_700)}`,
    ]);
  });

  it("is off with compaction.auto false, and without a window", async () => {
    for (const [arm, windowTokens] of [
      [withOptions({ auto: false }), 12_000],
      [opencode, 0],
    ] as const) {
      const session = growing(arm, { ...at(0), windowTokens });
      session.say(...history);
      expect(await session.compact("S1", "automatic")).toMatchObject({ reason: "automatic compaction is off" });
    }
  });

  it("leaves an unchanged step's context as it stood: newest pair, tail, and everything since", async () => {
    const session = growing(opencode, at(usedTokens));
    session.say(...history);
    const before = await session.compact("S1");
    session.say(asked("u3", "three"));
    const { kind, projection } = await session.compact("S2", "automatic");
    expect(kind).toBe("unchanged");
    expect(texts(projection)).toEqual([...texts(before.projection), "user: three"]);
  });
});

it("obeys tail_turns and preserve_recent_tokens", async () => {
  for (const options of [{ tailTurns: 0 }, { preserveRecentTokens: 0 }]) {
    const session = growing(withOptions(options), at(8_000));
    session.say(...history);
    expect(texts((await session.compact("S1")).projection)).toEqual([question, "assistant: S1"]);
  }
});
