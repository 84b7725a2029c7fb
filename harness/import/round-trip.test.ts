import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argsOf, type ChainRecord, orderKey, recordSchema, toolOf } from "../chain/record.ts";
import { anyRecords } from "../chain/testing.ts";
import { importChain } from "./import.ts";
import { bytesSource } from "./source.ts";
import type { FormatName } from "./report.ts";
import { writers } from "./writers/index.ts";

/** What a format can say of records: ids and positions are the reader's own, so they are replaced by running numbers. */
function told(records: readonly ChainRecord[]): object[] {
  let position = -1;
  let key: number | undefined;
  return records.map((record, index) => {
    const at = orderKey(record, index);
    if (at !== key) position++;
    key = at;
    const { kind, role } = record;
    if (record.kind === "text") return { position, kind, role, text: record.text };
    if (record.kind === "tool_call")
      return { position, kind, role, call: record.call, tool: toolOf(record), args: argsOf(record) };
    return { position, kind, role, call: record.call, text: record.text, error: record.error ?? false };
  });
}

const reimported = (format: FormatName, records: readonly ChainRecord[], pinned: FormatName | "auto" = "auto") =>
  importChain(
    "session",
    { format: pinned, history: "raw", name: "x" },
    bytesSource("session", writers[format](records)),
  );

/** The same records without what OpenCode cannot hold: results move behind the message of their call, or go. */
function inSteps(records: readonly ChainRecord[]): ChainRecord[] {
  const groups: ChainRecord[][] = [];
  records.forEach((record, index) => {
    const last = groups.at(-1)?.at(-1);
    const joins =
      last !== undefined && last.kind !== "tool_result" && orderKey(last, index - 1) === orderKey(record, index);
    if (record.kind !== "tool_result" && joins) groups.at(-1)?.push(record);
    else groups.push([record]);
  });
  const results = records.filter((record) => record.kind === "tool_result");
  let position = 0;
  return groups.flatMap((group) => {
    if (group[0]?.kind === "tool_result") return [];
    position++;
    const said = group.map((record) => ({ ...record, position }));
    const answers = group.flatMap((record) => {
      if (record.kind !== "tool_call") return [];
      const at = results.findIndex((result) => result.call === record.call);
      return at < 0 ? [] : results.splice(at, 1).map((result) => ({ ...result, position: ++position }));
    });
    return [...said, ...answers];
  });
}

/** Without calls, the two chat formats can be the same bytes. */
const twins: { readonly [format: string]: readonly FormatName[] } = { anthropic: ["openai"] };
const lossless = ["codex", "claude", "pi", "anthropic"] as const;

describe("a session written and imported again", () => {
  it.each(lossless)("has the same records as %s", (format) => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const { chain, report } = reimported(format, records);
        expect([format, ...(twins[format] ?? [])]).toContain(report.format);
        expect(told(chain.records)).toEqual(told(records));
        for (const record of chain.records) recordSchema.parse(record);
      }),
    );
  });

  it("has the same records as openai, but for the error flag, which that format lacks", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const { chain } = reimported("openai", records);
        const withoutErrors = records.map((record) =>
          record.kind === "tool_result" ? { ...record, error: false } : record,
        );
        expect(told(chain.records)).toEqual(told(withoutErrors));
      }),
    );
  });

  it("has the same records as opencode where each result follows the message of its call", () => {
    fc.assert(
      fc.property(
        anyRecords.map(inSteps).filter((records) => records.length > 0),
        (records) => {
          const { chain } = reimported("opencode", records);
          expect(told(chain.records)).toEqual(told(records));
        },
      ),
    );
  });

  it("has the very same records in the project's own format, ids and positions too", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        expect(reimported("records", records).chain.records).toEqual(records);
      }),
    );
  });
});
