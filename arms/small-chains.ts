/** Small chains that hold what breaks compaction: the contract suite runs every arm over every prefix of each. */
import type { ChainRecord } from "../harness/chain/record.ts";
import type { JsonObject } from "../harness/json.ts";

export interface SmallChain {
  readonly name: string;
  readonly records: readonly ChainRecord[];
}

interface Call {
  readonly call: string;
  readonly tool?: string;
  readonly args?: JsonObject;
}
/** One stored message. */
type Entry =
  | { readonly user: string }
  | { readonly assistant?: string; readonly calls?: readonly Call[] }
  | { readonly result: string; readonly text: string; readonly error?: boolean };

/** A chain of stored messages; records of one message share its order. */
function chainOf(name: string, entries: readonly Entry[]): SmallChain {
  const records = entries.flatMap((entry, index): ChainRecord[] => {
    const order = index + 1;
    const id = `${name}-${order}`;
    if ("user" in entry) return [{ id, order, kind: "text", role: "user", text: entry.user }];
    if ("result" in entry) {
      const { result: call, text, error = false } = entry;
      return [{ id, order, kind: "tool_result", role: "tool", call, text, error }];
    }
    const calls = (entry.calls ?? []).map((call, n): ChainRecord => ({
      id: `${id}-call-${n}`,
      order,
      kind: "tool_call",
      role: "assistant",
      ...call,
    }));
    return entry.assistant === undefined
      ? calls
      : [{ id, order, kind: "text", role: "assistant", text: entry.assistant }, ...calls];
  });
  return { name, records };
}

const read = (call: string, path: string): Call => ({ call, tool: "read", args: { path } });
const shell = (call: string, command: string): Call => ({ call, tool: "shell", args: { command } });

const plain = chainOf("plain", [
  { user: "Move the upload limit to 96 MiB and keep the CSV format." },
  { assistant: "I start with `src/upload/limits.ts`.", calls: [read("c1", "src/upload/limits.ts")] },
  { result: "c1", text: "export const limitBytes = 128 * 1024 * 1024;\nexport const version = 'ver_1f0c22a9b7d4';" },
  { calls: [{ call: "c2", tool: "edit", args: { path: "src/upload/limits.ts", from: "128", to: "96" } }] },
  { result: "c2", text: "1 replacement" },
  { assistant: "The limit is changed; the tests come next.", calls: [shell("c3", "npm test -- upload")] },
  { result: "c3", text: "1 failed, 41 passed\nupload.test.ts:18 expected 134217728", error: true },
  { assistant: "One assertion still names the old limit. Commit 4be19d0 introduced it." },
  { user: "Fix it, and mention PR #482 in the commit." },
  { calls: [shell("c4", "sed -i s/134217728/100663296/ upload.test.ts")] },
  { result: "c4", text: "" },
  { assistant: "Done: 42 tests pass with the new limit." },
  { user: "Good. What is left?" },
]);

const chinese = chainOf("chinese", [
  { user: "请把上传上限改成九十六兆，格式保持不变。" },
  { assistant: "我先查看配置文件，再决定怎样修改。", calls: [read("甲", "配置/上限")] },
  { result: "甲", text: "上传上限：一百二十八兆\n".repeat(40) },
  { assistant: "上限已经修改，接下来运行测试。", calls: [shell("乙", "运行测试")] },
  { result: "乙", text: "失败一项，通过四十一项", error: true },
  { user: "请修好这一项，然后提交。" },
  { assistant: "已经修好，全部测试通过。" },
]);

const parallel = chainOf("parallel", [
  { user: "Compare the three parsers." },
  { assistant: "Reading all three.", calls: [read("p1", "a.ts"), read("p2", "b.ts"), read("p3", "c.ts")] },
  { result: "p3", text: "third, 1200 lines" },
  { result: "p1", text: "first, 300 lines" },
  { result: "p2", text: "no such file", error: true },
  { calls: [shell("p4", "wc -l a.ts"), shell("p5", "wc -l c.ts")] },
  { result: "p4", text: "300 a.ts" },
  { result: "p5", text: "1200 c.ts" },
  { assistant: "`c.ts` is four times as long as `a.ts`." },
]);

const unansweredInTheMiddle: SmallChain = {
  name: "call without a result in the middle",
  records: plain.records.filter((record) => !(record.kind === "tool_result" && record.call === "c2")),
};

const unansweredAtTheEnd = chainOf("ends inside a turn", [
  { user: "Check every service." },
  { assistant: "Asking all five.", calls: [1, 2, 3, 4, 5].map((n) => shell(`e${n}`, `curl :80${n}`)) },
  { result: "e2", text: "200 OK" },
  { result: "e4", text: "502 Bad Gateway", error: true },
]);

const onlyOpenCalls = chainOf("nothing but open calls at the end", [
  { user: "Start the build." },
  { calls: [shell("o1", "make"), shell("o2", "make check")] },
]);

const repeatedInOneTurn = chainOf("call id repeated in one turn", [
  { user: "Read it twice." },
  { calls: [read("same", "a.ts"), read("same", "a.ts")] },
  { result: "same", text: "first reading" },
  { result: "same", text: "second reading" },
  { calls: [read("same", "a.ts")] },
  { result: "same", text: "third reading" },
  { assistant: "All three agree." },
]);

/** Every call of the plain chain under one id: the same id in several turns. */
const repeatedInTwoTurns: SmallChain = {
  name: "call id repeated in two turns",
  records: plain.records.map((record) => (record.kind === "text" ? record : { ...record, call: "again" })),
};

const orphan = chainOf("result without a call", [
  { result: "gone", text: "the call was cut away" },
  { user: "Go on from here." },
  { assistant: "Going on.", calls: [read("n1", "notes.md")] },
  { result: "n1", text: "# Notes" },
  { result: "never", text: "nobody asked for this" },
  { assistant: "That is all." },
]);

const noUser = chainOf("no user message", [
  { assistant: "Resuming on my own.", calls: [read("s1", "state.json")] },
  { result: "s1", text: '{"step":3}' },
  { assistant: "Step 3 was the last." },
]);

/** 120,000 estimated tokens in one result, in the middle. */
const hugeResult = chainOf("one huge result", [
  { user: "Show the log." },
  { assistant: "Here it comes.", calls: [read("h1", "build.log")] },
  { result: "h1", text: "0017 channel 4 ok\n".repeat(26_667).slice(0, 480_000) },
  { assistant: "It is long; channel 4 is fine." },
  { user: "And channel 5?" },
  { assistant: "Nothing about it." },
]);

/** 3.6 MB without a line break, as the last record. */
const hugeLastLine = chainOf("one line of 3.6 MB as the last record", [
  { user: "Print the bundle." },
  { assistant: "It is minified.", calls: [read("b1", "dist/bundle.js")] },
  { result: "b1", text: "var a=0;".repeat(450_000) },
]);

/** Every second text of the plain chain empty or white space, and all results empty. */
const blank: SmallChain = {
  name: "blank texts",
  records: plain.records.map((record, index) => {
    if (record.kind === "tool_result") return { ...record, text: "" };
    return record.kind === "text" && index % 2 === 0
      ? { ...record, text: ["", " \n\t"][(index / 2) % 2] ?? "" }
      : record;
  }),
};

const unicode = chainOf("emoji, joiners, lone surrogates", [
  { user: "👩‍👩‍👧‍👦 family first: cafe\u0301, 🇩🇪, \ud800 and a stray \udc00." },
  {
    assistant: "\udfff then 👍🏽",
    calls: [{ call: "x1", tool: "write", args: { path: "🧵.txt", text: "half \ud83d" } }],
  },
  { result: "x1", text: `\ud83d${"👩‍🚀".repeat(400)}\ude80` },
  { user: "\u200d" },
  { assistant: "ÃŽÅ¾ mojibake kept as it was; 한국어 문장도 하나." },
]);

const harnessWritten = chainOf("user messages that a harness wrote", [
  { user: "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>" },
  { user: "<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>" },
  { user: "Rename the module to `ledger`." },
  { assistant: "Renaming.", calls: [shell("w1", "git mv book.ts ledger.ts")] },
  { result: "w1", text: "" },
  { user: "<turn_aborted>\nThe user stopped the turn.\n</turn_aborted>" },
  { assistant: "[Context compaction: not one of mine]" },
  { user: "[Context compaction: typed by hand]" },
  { assistant: "Renamed." },
]);

/** More user text than any arm keeps whole: some of it in one message, some in many. */
const wordyUser = chainOf("more user text than is kept whole", [
  { user: `Start of the paste. ${"Line of a pasted report, 88 of 90 checks. ".repeat(2_400)}End of the paste.` },
  { assistant: "Read." },
  ...Array.from({ length: 6 }, (_, n): Entry => ({ user: `Remark ${n}: ${"mind the gap. ".repeat(260)}` })),
  { assistant: "Noted." },
]);

export const smallChains: readonly SmallChain[] = [
  plain,
  chinese,
  parallel,
  unansweredInTheMiddle,
  unansweredAtTheEnd,
  onlyOpenCalls,
  repeatedInOneTurn,
  repeatedInTwoTurns,
  orphan,
  noUser,
  hugeResult,
  hugeLastLine,
  blank,
  unicode,
  harnessWritten,
  wordyUser,
];

/** About 150,000 estimated tokens in 30 stages: above every product's own trigger in a window of 128,000. */
export const aboveTrigger: SmallChain = chainOf(
  "above every trigger",
  Array.from({ length: 30 }, (_, n): Entry[] => [
    { user: `Stage ${n}: look at module ${n}.` },
    { assistant: `Opening module ${n}.`, calls: [read(`t${n}`, `src/module-${n}.ts`)] },
    { result: `t${n}`, text: `line ${n} of the module\n`.repeat(870) },
    { assistant: `Module ${n} holds.` },
  ]).flat(),
);
