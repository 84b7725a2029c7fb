/** One change to each rule of the arms. Conformance is worth what it notices: every one of these. */
import type { ProductName } from "../../arms/native/upstream.ts";

/** A rule of an arm in a file, and the same place with another rule. */
export interface Mutation {
  readonly product: ProductName;
  readonly rule: string;
  /** Below arms/. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
}

const of =
  (product: ProductName, file: string) =>
  (rule: string, from: string, to: string): Mutation => ({ product, rule, file, from, to });

const codex = of("codex", "codex.ts");
const survivors = of("codex", "codex/survivors.ts");
const markers = of("codex", "codex/markers.ts");
const items = of("codex", "codex/items.ts");
const hook = of("codex", "codex/hook-prompt.ts");
const opencode = of("opencode", "opencode.ts");
const limits = of("opencode", "opencode/limits.ts");
const selection = of("opencode", "opencode/selection.ts");
const size = of("opencode", "opencode/size.ts");
const request = of("opencode", "opencode/request.ts");
const storage = of("opencode", "opencode/storage.ts");
const stored = of("opencode", "opencode/stored.ts");
const projection = of("opencode", "opencode/projection.ts");

export const mutations: readonly Mutation[] = [
  codex("budget a token less", "keepUserTokens: 20_000", "keepUserTokens: 19_999"),
  codex("budget a token more", "keepUserTokens: 20_000", "keepUserTokens: 20_001"),
  codex("summary first", "[...kept, last]", "[last, ...kept]"),
  codex(
    "no newline between prefix and summary",
    "`${prompts.summaryPrefix}\\n${summary}`",
    "`${prompts.summaryPrefix} ${summary}`",
  ),
  codex(
    "prompt first",
    "[...fold(sent, prefix).map(({ message }) => message), prompt]",
    "[prompt, ...fold(sent, prefix).map(({ message }) => message)]",
  ),
  codex("a blank reply is the summary", "const blank = isBlank(reply.text);", "const blank = false;"),
  codex("automatic limit a percent less", "autoLimitPercent: 90", "autoLimitPercent: 89"),
  codex("usage at the limit is below it", "usedTokens < limitTokens", "usedTokens <= limitTokens"),
  codex(
    "the user's limit is not capped",
    "Math.min(options.autoLimitTokens, share(windowTokens))",
    "options.autoLimitTokens",
  ),
  codex("tools stay in the request", "tools: [],", 'tools: [{ name: "t", description: "t", parameters: {} }],'),
  survivors(
    "tokens rounded down",
    "Math.ceil(Buffer.byteLength(text) / bytesPerToken)",
    "Math.floor(Buffer.byteLength(text) / bytesPerToken)",
  ),
  survivors("tokens of characters", "Buffer.byteLength(text) / bytesPerToken", "text.length / bytesPerToken"),
  survivors("three bytes a token", "const bytesPerToken = 4", "const bytesPerToken = 3"),
  survivors("more head than tail", "(keepTokens * bytesPerToken) / 2", "(keepTokens * bytesPerToken) / 2 + 1"),
  survivors("head grown to a character", "headEnd--", "headEnd++"),
  survivors("tail grown to a character", "tailStart++", "tailStart--"),
  survivors("marker's number rounded down", "const gone = Math.ceil(", "const gone = Math.floor("),
  survivors("marker's words", "tokens truncated…", "tokens left out…"),
  survivors("oldest last", "kept: kept.reverse()", "kept"),
  survivors("blank kept at nothing left", "index >= 0 && leftTokens > 0", "index >= 0 && leftTokens >= 0"),
  survivors("the walk goes on after a cut", "      leftTokens = 0;\n", ""),
  survivors("summary prefix without newline", "startsWith(`${summaryPrefix}\\n`)", "startsWith(summaryPrefix)"),
  survivors("earlier summaries survive", ' || texts.join("").startsWith(`${summaryPrefix}\\n`)', ""),
  survivors("one harness-written part is not enough", "texts.some(isHarnessWritten)", "texts.every(isHarnessWritten)"),
  survivors("assistant texts survive", 'role !== "user" ||', 'role === "tool" ||'),
  survivors("image tags stay", 'block.kind === "text" && !isImageTag(blocks, index)', 'block.kind === "text"'),
  survivors("parts joined by newline", 'block.text : "")).join("");', 'block.text : "")).join("\\n");'),
  markers("one tag forgotten", '    "turn_aborted",\n', ""),
  markers("case matters", 'new RegExp(`^<${tag}>`, "i")', "new RegExp(`^<${tag}>`)"),
  markers(
    "case of goals does not matter",
    "opens: /^<goal_context>/, closes: /<\\/goal_context>$/",
    "opens: /^<goal_context>/i, closes: /<\\/goal_context>$/i",
  ),
  markers(
    "a closing is not asked for",
    "opens.test(trimmed) && closes.test(trimmed.slice(-maxClosingChars))",
    "opens.test(trimmed)",
  ),
  markers(
    "external notes are the user's",
    "if (name !== undefined && trimmed.endsWith(`</${name}>`)) return true;",
    "",
  ),
  markers("hook prompts are the user's", "if (isHookPrompt(trimmed)) return true;", ""),
  markers("JavaScript's white space", "const trimmed = trim(text);", "const trimmed = text.trim();"),
  markers("JavaScript's blank", "!/\\P{White_Space}/u.test(text)", 'text.trim() === ""'),
  hook("hook prompts without an id", 'id.trim() === "" || ', ""),
  items("other words for a missing output", 'text: "aborted"', 'text: "interrupted"'),
  items("an overflow drops the call alone", "return rest.filter((item) => item !== oldest.output);", "return rest;"),
  items(
    "an overflow drops the newest",
    "withoutOldest([oldest, ...rest]: readonly Item[]): readonly Item[] {",
    "withoutOldest(all: readonly Item[]): readonly Item[] {\n  if (all.length > 1) return all.slice(0, -1);\n  const [oldest, ...rest] = all;",
  ),
  items(
    "the oldest assistant text for a blank reply",
    "const message = history[index] as Message;",
    "const message = history[history.length - 1 - index] as Message;",
  ),

  limits("budget a fifth", "tailDivisor: 4", "tailDivisor: 5"),
  limits(
    "budget rounded up",
    "Math.floor(usableTokens / options.tailDivisor)",
    "Math.ceil(usableTokens / options.tailDivisor)",
  ),
  limits("smaller least budget", "minTailTokens: 2_000", "minTailTokens: 1_999"),
  limits("greater largest budget", "maxTailTokens: 15_000", "maxTailTokens: 15_001"),
  limits("no cap on the output", "Math.min(outputReserveTokens, options.maxOutputTokens)", "outputReserveTokens"),
  limits(
    "reserved without an input limit",
    "if (options.inputLimitTokens === null) return Math.max(0, windowTokens - outputTokens);",
    "if (options.inputLimitTokens === null) return Math.max(0, windowTokens - (options.reservedTokens ?? outputTokens));",
  ),
  limits(
    "the input limit does not count",
    "Math.max(0, options.inputLimitTokens - held)",
    "Math.max(0, windowTokens - held)",
  ),
  limits("buffer of an input limit", "inputBufferTokens: 20_000", "inputBufferTokens: 32_000"),
  limits("results shown a character less", "resultChars: 2_000", "resultChars: 1_999"),
  limits(
    "the user's budget is clamped",
    "options.preserveRecentTokens ?? clamped",
    "Math.max(clamped, options.preserveRecentTokens ?? 0)",
  ),
  selection(
    "turns measured together",
    "    leftTokens -= sizeTokens(turn);\n    start = index;\n    turn = { chars: 0, messages: 0 };",
    "    start = index;",
  ),
  selection("no part of a turn", "      start = index + 1;\n      break;", "      break;"),
  selection("what fits exactly does not", "sizeTokens(grown) > leftTokens", "sizeTokens(grown) >= leftTokens"),
  selection("everything may be a tail", "start === 0 || start === history.length", "start === history.length"),
  selection("turns without limit", "if (++turns === maxTurns) break;", "turns++;"),
  size("rounded down", "Math.max(0, messages - 1) + 2) / 4", "Math.max(0, messages - 1)) / 4"),
  size("commas between messages forgotten", "chars + Math.max(0, messages - 1)", "chars"),
  size("results forgotten", 'addSizes(said, messageSize("tool", parts.flatMap(resultChars(interrupted))))', "said"),
  size("escapes forgotten", "JSON.stringify(text.toWellFormed()).length", "text.length + 2"),
  size("a missing result costs nothing", ": stringChars(interrupted);", ": 2;"),
  request("marker of a cut result", "\\n[truncated]", "[truncated]"),
  request(
    "errors are cut too",
    "`[Tool error]: ${answer.text}`",
    "`[Tool error]: ${clipped(answer.text, resultChars)}`",
  ),
  request(
    "split pairs stay broken",
    "text.slice(0, maxChars).toWellFormed()",
    'text.slice(0, maxChars).replace(/[\\ud800-\\udbff]$/, "")',
  ),
  request("a line between blocks", '.join("\\n\\n");\n}\n\nfunction lines', '.join("\\n");\n}\n\nfunction lines'),
  request("thoughts left out", "[`[Assistant reasoning]: ${block.text}`]", "[]"),
  request("always a first summary", "prior === undefined ? [prompts.create]", 'prior !== "" ? [prompts.create]'),
  request(
    "output limit halved",
    "messages: [message], maxOutputTokens };",
    "messages: [message], maxOutputTokens: maxOutputTokens / 2 };",
  ),
  storage(
    "the newest summary is prior, also with a stale one",
    "(stale.at(-1) ?? newest)?.summary.trim()",
    "newest?.summary.trim()",
  ),
  storage("prior summary not trimmed", "?.summary.trim()", "?.summary"),
  storage(
    "storage order in the context",
    "return newest === undefined ? items : [newest, ...items.filter((item) => item !== newest)];",
    "return items;",
  ),
  stored(
    "every assistant message a step",
    'spoken.message.role === "assistant" && open && last',
    "last !== undefined && Number.isNaN(index)",
  ),
  projection("empty summaries are sent", 'summary === "" ? [question] :', 'summary === " " ? [question] :'),
  projection(
    "the summary before the question",
    '[question, generated("summary", `${id}/summary`, "assistant", summary)]',
    '[generated("summary", `${id}/summary`, "assistant", summary), question]',
  ),
  projection(
    "empty user texts are sent",
    'block.kind !== "text" || block.text !== ""',
    'block.kind !== "text" || block.text !== " "',
  ),
  opencode("usage at the limit is below it", "usedTokens < limits.usableTokens", "usedTokens <= limits.usableTokens"),
  opencode(
    "nothing sends the session on",
    'if (trigger === "automatic") after.push(',
    'if (trigger !== "automatic" && trigger !== "forced") after.push(',
  ),
  opencode("the tail is summarised too", "start === undefined ? history : history.slice(0, start)", "history"),
  opencode(
    "a failed compaction leaves no question",
    "projection: [...context, ...question]",
    "projection: [...context]",
  ),
];
