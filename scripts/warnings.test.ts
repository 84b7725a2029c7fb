import { describe, expect, it } from "vitest";
import { addedRepairs, noRepairs, reasonsAnyway, repairsLine, thinkingWarning } from "./warnings.ts";

describe("warnings", () => {
  it("say that reasoning counts against an answer's limit, unless thinking is off or there is none", () => {
    expect(thinkingWarning("high")).toMatch(/output limit, which is 8,192 tokens.*--thinking off/);
    expect(thinkingWarning("default")).toBeDefined();
    expect([thinkingWarning("off"), thinkingWarning(undefined)]).toEqual([undefined, undefined]);
  });

  it("say what it means that a model's thinking cannot be switched off", () => {
    expect(reasonsAnyway("reasoning_effort")).toMatch(/8,192/);
    expect(reasonsAnyway("thinking")).not.toBe("");
    expect(reasonsAnyway("max_tokens")).toBe("");
  });

  it("count what had to be changed to be sendable, and are silent where nothing had to", () => {
    const some = { ...noRepairs, loneSurrogates: 1200, images: 2 };
    expect(repairsLine(addedRepairs(some, some))).toBe(
      "To be sendable, over all requests: 2,400 lone surrogates become U+FFFD, 4 images are named, not sent.",
    );
    expect(repairsLine(noRepairs)).toBeUndefined();
  });
});
