import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chainDigest, describeChain } from "./digest.ts";
import { chainToJsonl } from "./file.ts";
import { toMessages } from "./message.ts";
import { renderHistory } from "./render.ts";
import { anyRecords, chainOf } from "./testing.ts";
import { textTokens } from "./tokens.ts";

describe("the digest of a chain", () => {
  it("is the SHA-256 of its JSONL bytes and a last line with its cuts", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const chain = chainOf(records);
        const bytes = Buffer.from(`${chainToJsonl(chain)}{"cuts":[${records.length}]}\n`);
        expect(chainDigest(chain)).toBe(createHash("sha256").update(bytes).digest("hex"));
      }),
    );
  });

  it("changes with any text, id, position, error flag or cut, and not with the order of keys, the name or the group", () => {
    const record = { id: "r", position: 3, kind: "tool_result", role: "tool", call: "k", text: "a" } as const;
    const reference = chainDigest(chainOf([record]));
    const changed = [{ id: "s" }, { position: 4 }, { call: "l" }, { text: "a " }, { error: false }, { path: null }];
    const digests = changed.map((change) => chainDigest(chainOf([{ ...record, ...change }])));
    const { text, ...rest } = record;
    expect(new Set([reference, ...digests, chainDigest(chainOf([record], [2]))]).size).toBe(changed.length + 2);
    expect(chainDigest({ ...chainOf([{ text, ...rest }]), name: "other", group: "structured" })).toBe(reference);
  });
});

describe("the description of a chain", () => {
  it("counts code points of texts and results, and the tokens of the rendered history", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const texts = records.flatMap((record) => (record.kind === "tool_call" ? [] : [record.text]));
        expect(describeChain(chainOf(records))).toEqual({
          name: "test",
          records: records.length,
          characters: texts.reduce((sum, text) => sum + Array.from(text).length, 0),
          estimatedTokens: textTokens(renderHistory(toMessages(records))),
          sha256: chainDigest(chainOf(records)),
        });
      }),
    );
  });
});
