/** For tests of the exam: small chains, and texts full of what the patterns look at. */
import * as fc from "fast-check";
import type { Chain, ChainRecord } from "../chain/record.ts";
import type { JsonObject } from "../json.ts";

const id = (index: number): string => `r-${index}`;
type Part = (index: number) => ChainRecord;

export const user =
  (text: string): Part =>
  (index) => ({ id: id(index), role: "user", kind: "text", text });
export const assistant =
  (text: string): Part =>
  (index) => ({ id: id(index), role: "assistant", kind: "text", text });
export const call =
  (tool: string, args: JsonObject): Part =>
  (index) => ({ id: id(index), role: "assistant", kind: "tool_call", call: `c-${index}`, tool, args });
/** The result of the call before it. */
export const result =
  (text: string): Part =>
  (index) => ({ id: id(index), role: "tool", kind: "tool_result", call: `c-${index - 1}`, text });

/** A chain of these records, ids `r-0`, `r-1`, … */
export const chainOf = (name: string, ...parts: readonly Part[]): Chain => ({
  name,
  group: "file",
  records: parts.map((part, index) => part(index)),
  cuts: { kind: "exact", ends: [parts.length] },
});

/** Text made of pieces that match patterns, pieces that nearly do, and anything else, so that edges of every kind meet. */
export const patternText = (): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 24 })
    .map((parts) => parts.join(""));

const pieces = [
  ..." \t\n.,`(/_-#:='\"\\{}".split(""),
  ..."0 7 42 123 1,234 ９９ ٣ ² 12345 abcdef 0123abc deadbeef1234 0123456789abcd".split(" "),
  ..."ver_ trace_ ACK_ DEC_ RSN_ xver_ ver_12ab trace_9f3c01 ACK_A1b2 ver_1234é".split(" "),
  ..."MiB MB GiB GB KB MiBs 12MiB 1.5 1.5\u00a0GB 64\u3000KB B M".split(" "),
  ..."项 个 条 套件 次 测试 中文 é ж 𝒳 😀 \ud800 \udc00 \u0301 \u2028 \x1c \ufeff".split(" "),
  ..."PR #12 PR#345 PR /pull/77 /pull/123456 PROJECT= PROJECT=ATLAS".split(" "),
  ..."src/ a.rs index.tsx ./x.json x.ts.bak `run_all` `tick/tock.x` \\n \\u001b".split(" "),
];
