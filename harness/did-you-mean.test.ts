import { describe, expect, it } from "vitest";
import { unknownName } from "./did-you-mean.ts";
import { UsageError } from "./errors.ts";

const arms = ["futureos-summarized", "codex", "opencode", "recent"];

describe("a name that is not known", () => {
  it("is answered with the nearest known name and the list", () => {
    const error = unknownName("arm", "codx", arms);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toBe(
      'No arm "codx". Did you mean "codex"? Arms: futureos-summarized, codex, opencode, recent.',
    );
  });

  it.each([
    ["ocdex", "codex"],
    ["OpenCode", "opencode"],
    ["future-os-summarised", "futureos-summarized"],
    ["recnet", "recent"],
  ])("%s is taken for %s", (name, near) => {
    expect(unknownName("arm", name, arms).message).toContain(`Did you mean "${near}"?`);
  });

  it.each(["claude", "", "x", "c".repeat(100_000)])("gets no guess where nothing is near", (name) => {
    expect(unknownName("arm", name, arms).message).not.toContain("Did you mean");
  });

  it("says so where nothing is known at all", () => {
    expect(unknownName("run", "demo", []).message).toBe('No run "demo". There are no runs.');
  });
});
