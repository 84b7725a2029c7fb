import { describe, expect, it } from "vitest";
import { safeAfter } from "../harness/chain/boundaries.ts";
import { pairFaults, toMessages } from "../harness/chain/message.ts";
import { recordSchema } from "../harness/chain/record.ts";
import { messagesTokens, textTokens } from "../harness/chain/tokens.ts";
import { aboveTrigger, type SmallChain, smallChains } from "./small-chains.ts";

const named = (start: string): SmallChain => {
  const chain = smallChains.find(({ name }) => name.startsWith(start));
  if (!chain) throw new Error(`no small chain "${start}"`);
  return chain;
};
const texts = ({ records }: SmallChain): string[] =>
  records.flatMap((record) => (record.kind === "tool_call" ? [] : [record.text]));

describe("the small chains", () => {
  it.each([...smallChains, aboveTrigger])(
    "are records of the stored format with ids of their own: $name",
    ({ records }) => {
      for (const record of records) expect(recordSchema.safeParse(record).error).toBeUndefined();
      expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
      expect(safeAfter(records).filter(Boolean).length).toBeGreaterThan(1);
    },
  );

  it("hold a result of 120,000 tokens, and a last line of 3.6 MB", () => {
    expect(Math.max(...texts(named("one huge")).map(textTokens))).toBe(120_000);
    const line = texts(named("one line")).at(-1) ?? "";
    expect(line).toHaveLength(3_600_000);
    expect(line).not.toContain("\n");
  });

  it("hold Chinese throughout, lone surrogates, empty and blank texts", () => {
    expect(texts(named("chinese")).join("")).not.toMatch(/[a-z]/i);
    expect(texts(named("emoji")).filter((text) => !text.isWellFormed()).length).toBeGreaterThan(2);
    expect(texts(named("blank"))).toEqual(expect.arrayContaining(["", " \n\t"]));
  });

  it.each([
    "call without a result",
    "ends inside a turn",
    "nothing but open calls",
    "call id repeated in one",
    "call id repeated in two",
    "result without",
  ])("hold faults in their pairs: %s", (name) => {
    expect(pairFaults(toMessages(named(name).records))).not.toEqual([]);
  });

  it("hold one above 130,000 tokens", () => {
    expect(messagesTokens(toMessages(aboveTrigger.records))).toBeGreaterThan(130_000);
  });
});
