import { describe, expect, it } from "vitest";
import { UsageError } from "../harness/errors.ts";
import { arms, entries, findArm } from "./index.ts";

describe("the list of arms", () => {
  it("is in report order", () => {
    expect(arms.map(({ id }) => id)).toEqual([
      "futureos-summarized",
      "futureos-deterministic",
      "opencode",
      "codex",
      "recent",
      "full",
      "empty",
    ]);
  });

  it.each(entries)("names the file that defines $arm.id", async ({ arm, file }) => {
    const exported = (await import(file)) as { readonly [name: string]: unknown };
    expect(Object.values(exported)).toContain(arm);
  });

  it("gives titles of their own to all arms, and options that are JSON", () => {
    expect(new Set(arms.map(({ title }) => title)).size).toBe(arms.length);
    for (const { options } of arms) expect(JSON.parse(JSON.stringify(options))).toEqual(options);
  });

  it("says which arm was meant where a name is unknown", () => {
    expect(findArm("codex").id).toBe("codex");
    const find = (): unknown => findArm("codx");
    expect(find).toThrow(UsageError);
    expect(find).toThrow(
      'No arm "codx". Did you mean "codex"? Arms: futureos-summarized, futureos-deterministic, opencode, codex, recent, full, empty.',
    );
  });
});
