import { describe, expect, it } from "vitest";
import type { Arm } from "../../harness/arm.ts";
import { messagesTokens } from "../../harness/chain/tokens.ts";
import { codex } from "../codex.ts";
import { asked, called, growing, step, texts, told } from "../testing-histories.ts";

const work = [asked("u1", "wish"), told("a1", "plan"), ...step("s1", "seen"), asked("u2", "more"), told("a2", "did")];

describe("an automatic compaction", () => {
  const usedTokens = 100 + messagesTokens(work);
  const limited = (autoLimitTokens: number | null, overrides = {}) => {
    const arm: Arm = { ...codex, options: { ...codex.options, autoLimitTokens } };
    const started = growing(arm, { fixedTokens: 100, ...overrides });
    started.say(...work);
    return started;
  };

  it("happens at the limit and not below it", async () => {
    expect(await limited(usedTokens).compact("sum", "automatic")).toMatchObject({ kind: "compacted" });
    const below = limited(usedTokens + 1);
    expect(await below.compact("sum", "automatic")).toMatchObject({
      kind: "unchanged",
      reason: `${usedTokens} of ${usedTokens + 1} tokens`,
    });
    expect(below.requests).toEqual([]);
  });

  it("takes 90 % of window less output reservation where no limit is set", async () => {
    const limitTokens = Math.floor(((1_000_000 - 384_000) * 90) / 100);
    for (const [used, kind] of [
      [limitTokens, "compacted"],
      [limitTokens - 1, "unchanged"],
    ] as const)
      expect(await limited(null, { fixedTokens: used - messagesTokens(work) }).compact("s", "automatic")).toMatchObject(
        { kind },
      );
  });

  it("cannot be set above 90 % of the window", async () => {
    const window = { windowTokens: 1_000, outputReserveTokens: 0, fixedTokens: 900 - messagesTokens(work) };
    expect(await limited(999, window).compact("sum", "automatic")).toMatchObject({ kind: "compacted" });
  });

  it("leaves below the limit the kept texts, the summary and all that came since, normalised", async () => {
    const { compact, say } = limited(null);
    const before = await compact("sum");
    say(told("a3", "on"), called("b", ["open"]));
    const { projection } = await compact("no", "automatic");
    expect(projection.slice(0, -3)).toEqual(before.projection);
    expect(texts(projection.slice(-3))).toEqual(["assistant: on", "assistant: call open", "tool: aborted"]);
    expect(projection.slice(-3).map(({ spans }) => spans.map(({ part, sources }) => [part, sources]))).toEqual([
      [["tail", ["a3"]]],
      [["tail", ["b"]]],
      [["tail", []]],
    ]);
  });
});
