import { describe, expect, it } from "vitest";
import { armProduct } from "./arm.ts";
import { applies } from "./mutant.ts";
import { mutations } from "./mutations.ts";
import { inOrderOfSize, noticedBy, type Recorded } from "./notice.ts";
import { codexKind, type Kind, openCodeKind } from "./subject.ts";
import type { ArmMaker } from "./mutant.ts";

/** What the unchanged arm does in place of the program: `npm run conformance -- --mutations` asks the program itself. */
async function recordedFrom<Prompts>(kind: Kind<Prompts>): Promise<Recorded[]> {
  const arm = armProduct(kind.arm(kind.ownPrompts), kind.wire);
  const recorded: Recorded[] = [];
  for (const scenario of kind.rules(1, false, kind.ownPrompts))
    recorded.push({ scenario, outcomes: await arm.run(scenario) });
  return inOrderOfSize(recorded);
}

const productOf =
  <Prompts>(kind: Kind<Prompts>) =>
  (make: ArmMaker) =>
    armProduct(make(kind.ownPrompts as never), kind.wire);

it("changes rules that stand in the arms exactly once", () => {
  expect(mutations.filter((mutation) => !applies(mutation)).map(({ rule }) => rule)).toEqual([]);
});

describe("conformance notices a changed rule", { timeout: 120_000 }, () => {
  it("of the codex arm, whichever it is", async () => {
    expect(await unnoticed(codexKind)).toEqual([]);
  });

  it("of the opencode arm, whichever it is", async () => {
    expect(await unnoticed(openCodeKind)).toEqual([]);
  });

  async function unnoticed<Prompts>(kind: Kind<Prompts>): Promise<string[]> {
    const recorded = await recordedFrom(kind);
    const rules: string[] = [];
    for (const mutation of mutations.filter(({ product }) => product === kind.name))
      if ((await noticedBy(mutation, recorded, productOf(kind))) === undefined) rules.push(mutation.rule);
    return rules;
  }
});
