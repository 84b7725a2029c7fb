import { describe, expect, it } from "vitest";
import { ArtifactError, ContextOverflowError, HarnessError, ProviderError, UsageError } from "./errors.ts";

const failure = { provider: "p", status: 400, charge: "none", decision: "request" } as const;

describe("errors", () => {
  it("are told apart by class, along the whole chain of classes", () => {
    const overflow = new ContextOverflowError("too long", failure);
    expect(overflow).toBeInstanceOf(ProviderError);
    expect(overflow).toBeInstanceOf(HarnessError);
    expect(overflow).not.toBeInstanceOf(UsageError);
    expect(new ProviderError("reset", failure)).not.toBeInstanceOf(ContextOverflowError);
    expect(new Error("bug")).not.toBeInstanceOf(HarnessError);
    for (const value of [null, undefined, "UsageError", {}, Object.create(null)])
      expect(value instanceof HarnessError).toBe(false);
  });

  it("are known when they come from a second copy of the module", () => {
    const copy = { HarnessError: class HarnessError extends Error {} };
    class UsageError2 extends copy.HarnessError {}
    Object.defineProperty(UsageError2, "name", { value: "UsageError" });
    expect(new UsageError2("from elsewhere")).toBeInstanceOf(UsageError);
  });

  it("name the file they are about first", () => {
    expect(new ArtifactError("a/b.json", "is not JSON.").message).toBe("a/b.json: is not JSON.");
  });
});
