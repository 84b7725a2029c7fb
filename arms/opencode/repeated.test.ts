import { describe, expect, it } from "vitest";
import { opencode } from "../opencode.ts";
import { asked, called, growing, result, step, texts, told } from "../testing-histories.ts";
import { ownPrompts } from "./prompts.ts";
import { head, prior } from "./testing.ts";

/** A tail of 2,000 tokens: 8,000 characters of JSON. */
const small = { windowTokens: 12_000, outputReserveTokens: 4_000 };
const question = `user: ${ownPrompts.question}`;
const long = (letter: string, chars = 9_000): string => letter.repeat(chars);

/** A session whose first compaction kept the end of a turn and a whole turn. */
async function compactedOnce() {
  const session = growing(opencode, small);
  session.say(
    asked("u1", long("x")),
    told("a1", "end of one"),
    asked("u2", "two"),
    ...step("s2", "seen"),
    told("a2", "did two"),
  );
  const { projection } = await session.compact("S1");
  expect(texts(projection)).toEqual([
    question,
    "assistant: S1",
    "assistant: end of one",
    "user: two",
    "assistant: call s2-call",
    "tool: seen",
    "assistant: did two",
  ]);
  return session;
}

describe("a second compaction", () => {
  it("summarises the old tail and what came since, with the last summary, trimmed, as the prior one", async () => {
    const session = growing(opencode, small);
    session.say(asked("u1", long("x")), asked("u2", "two"));
    await session.compact(" S1\n");
    session.say(told("a2", "did two"), asked("u3", long("y")), told("a3", "did three"));
    const { projection } = await session.compact("S2");
    expect(prior(session.requests[1])).toBe("S1");
    expect(head(session.requests[1])).toBe(`[User]: two\n\n[Assistant]: did two\n\n[User]: ${long("y")}`);
    expect(texts(projection)).toEqual([question, "assistant: S2", "assistant: did three"]);
  });

  it("always summarises what a split turn left, because no user message opens it", async () => {
    const session = await compactedOnce();
    session.say(asked("u3", "three"));
    await session.compact("S2");
    expect(head(session.requests[1])).toBe("[Assistant]: end of one");
  });

  it("never joins an assistant message to the step before the compaction", async () => {
    const session = growing(opencode, small);
    session.say(asked("u1", long("x")), told("a1", "before"));
    await session.compact("S1");
    session.say(called("b", ["c"], "after"), result("r", "c", "seen"), asked("u2", long("y")));
    await session.compact("S2");
    expect(head(session.requests[1])).toMatch(
      /^\[Assistant\]: before\n\n\[Assistant\]: after\n\[Assistant tool call\]/,
    );
  });
});

describe("a tail that begins before the last compaction", () => {
  it("keeps the stale question and summary inside it, in place", async () => {
    const session = await compactedOnce();
    session.say(asked("u3", "three"), told("a3", "did three"));
    const compaction = await session.compact("S2");
    expect(prior(session.requests[1])).toBe("S1");
    expect(texts(compaction.projection)).toEqual([
      question,
      "assistant: S2",
      "user: two",
      "assistant: call s2-call",
      "tool: seen",
      "assistant: did two",
      question,
      "assistant: S1",
      "user: three",
      "assistant: did three",
    ]);
    expect(compaction).toMatchObject({ counts: { staleSummaries: 1 } });
  });

  it("makes the next compaction pass the stale summary on and lose the newest one", async () => {
    const session = await compactedOnce();
    session.say(asked("u3", "three"), told("a3", "did three"));
    await session.compact("S2");
    session.say(asked("u4", long("y", 7_900)));
    const { projection } = await session.compact("S3");
    expect(prior(session.requests[2])).toBe("S1");
    expect(head(session.requests[2])).not.toMatch(/S1|S2/);
    expect(texts(projection)).toEqual([question, "assistant: S3", `user: ${long("y", 7_900)}`]);
  });

  it("keeps the newest summary too where the next tail begins before it", async () => {
    const session = await compactedOnce();
    session.say(asked("u3", "three"));
    await session.compact("S2");
    session.say(asked("u4", long("y", 7_700)));
    const { projection } = await session.compact("S3");
    expect(texts(projection)).toEqual([
      question,
      "assistant: S3",
      "assistant: did two",
      question,
      "assistant: S1",
      "user: three",
      question,
      "assistant: S2",
      `user: ${long("y", 7_700)}`,
    ]);
    session.say(asked("u5", long("z")));
    await session.compact("S4");
    expect(prior(session.requests[3])).toBe("S2");
  });

  it("takes no summary from a stale pair whose summary is empty, though the newest has one", async () => {
    const session = growing(opencode, small);
    session.say(asked("u1", long("x")), told("a1", "rest"), asked("u2", "two"));
    await session.compact("");
    session.say(asked("u3", "three"));
    const { projection } = await session.compact("S2");
    expect(texts(projection)).toEqual([question, "assistant: S2", "user: two", question, "user: three"]);
    session.say(asked("u4", "four"));
    await session.compact("S3");
    expect(prior(session.requests[2])).toBeUndefined();
  });
});

it("shows the result that a kept call got after the compaction", async () => {
  const session = growing(opencode, small);
  session.say(asked("u1", long("x")), asked("u2", "two"), called("b", ["late"]));
  expect(texts((await session.compact("S1")).projection).at(-1)).toBe(`tool: ${ownPrompts.interrupted}`);
  session.say(result("r", "late", "arrived"), asked("u3", long("y")));
  await session.compact("S2");
  expect(head(session.requests[1])).toContain("[Tool result]: arrived");
});
