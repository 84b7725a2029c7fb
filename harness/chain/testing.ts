/** For tests: arbitrary chains, with parallel and repeated calls, calls without results, results without calls and any Unicode. */
import * as fc from "fast-check";
import type { Chain, ChainRecord } from "./record.ts";

/** Strings of UTF-16 units: lone surrogates, controls, Chinese and emoji included. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom("", " ", "提交已通过 12 项测试", "한국어 가나다", "👩‍💻 é", "\ud800", "\udc00x", "䷀龥𠀀"),
);

/** What happens in one stored message; a call is named by a small number, so that names repeat. */
const group = fc.record({
  user: fc.boolean(),
  texts: fc.array(anyText, { maxLength: 2 }),
  calls: fc.array(fc.nat({ max: 6 }), { maxLength: 3 }),
  answered: fc.array(fc.nat({ max: 6 }), { maxLength: 3 }),
  args: fc.option(
    fc.dictionary(
      fc.string({ minLength: 1, maxLength: 4 }).filter((key) => key !== "__proto__"),
      anyText,
      { maxKeys: 2 },
    ),
    { nil: undefined },
  ),
  error: fc.boolean(),
});

/** Records that form stored messages by `position`; ids are unique, calls and results need not match. */
export const anyRecords: fc.Arbitrary<ChainRecord[]> = fc
  .array(group, { minLength: 1, maxLength: 14 })
  .map((groups) => {
    const records: ChainRecord[] = [];
    let position = 0;
    const id = (): string => `r${records.length}`;
    for (const { user, texts, calls, answered, args, error } of groups) {
      position++;
      for (const text of texts)
        records.push({ id: id(), position, kind: "text", role: user ? "user" : "assistant", text });
      for (const call of user ? [] : calls)
        records.push({
          id: id(),
          position,
          kind: "tool_call",
          role: "assistant",
          call: `c${call}`,
          ...(args ? { tool: "edit", args } : { path: "a.ts" }),
        });
      for (const call of answered) {
        position++;
        const text = texts[0] ?? "done";
        records.push({
          id: id(),
          position,
          kind: "tool_result",
          role: "tool",
          call: `c${call}`,
          text,
          ...(error ? { error } : {}),
        });
      }
    }
    return records.length > 0 ? records : [{ id: "r0", kind: "text", role: "user", text: "hello" }];
  });

/** Records in which no call id is used twice and every result comes after its call, as sessions normally are; some calls stay open. */
export const orderlyRecords: fc.Arbitrary<ChainRecord[]> = fc
  .array(
    fc.record({
      user: fc.option(anyText, { nil: undefined }),
      text: fc.option(anyText, { nil: undefined }),
      results: fc.array(fc.record({ text: anyText, answered: fc.boolean(), late: fc.boolean() }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((turns) => {
    const records: ChainRecord[] = [{ id: "start", position: 0, kind: "text", role: "user", text: "start" }];
    let position = 0;
    let calls = 0;
    for (const { user, text, results } of turns) {
      if (user !== undefined)
        records.push({ id: `u${records.length}`, position: ++position, kind: "text", role: "user", text: user });
      position++;
      if (text !== undefined)
        records.push({ id: `a${records.length}`, position, kind: "text", role: "assistant", text });
      const numbered = results.map((result) => ({ ...result, call: `c${calls++}` }));
      for (const { call } of numbered)
        records.push({ id: `k${records.length}`, position, kind: "tool_call", role: "assistant", call });
      const late = numbered.filter((result) => result.late);
      for (const result of [...numbered.filter((one) => !one.late), ...late])
        if (result.answered)
          records.push({
            id: `t${records.length}`,
            position: ++position,
            kind: "tool_result",
            role: "tool",
            call: result.call,
            text: result.text,
          });
    }
    return records;
  });

/** A chain of these records, cut at its end or at the given ends. */
export const chainOf = (
  records: readonly ChainRecord[],
  ends: readonly number[] = [records.length],
  kind: "moved" | "exact" = "exact",
): Chain => ({
  name: "test",
  group: "file",
  records,
  cuts: { kind, ends },
});
