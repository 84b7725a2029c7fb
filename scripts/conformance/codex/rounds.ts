/** Rounds and scenarios of Codex in few words. */
import { codexDefaults } from "../../../arms/codex.ts";
import type { Message } from "../../../harness/chain/message.ts";
import type { JsonObject } from "../../../harness/json.ts";
import type { Round, Scenario, SummaryAnswer } from "../scenario.ts";

const windowTokens = 1_000_000;
export const budgetBytes = codexDefaults.keepUserTokens * 4;

export const summaries: readonly string[] = [
  "## Goal\n- go on",
  "  framed by white space \n",
  "数据 and 😀",
  "one\r\ntwo\u0000",
  "x".repeat(3_000),
];

export const answered = (value: string): SummaryAnswer => ({ kind: "text", text: value });

export const scenario = (
  name: string,
  rounds: readonly Round[],
  options: JsonObject = {},
  window = windowTokens,
): Scenario => ({
  name,
  windowTokens: window,
  outputReserveTokens: 0,
  options,
  rounds,
});

export const forced = (
  messages: readonly Message[],
  answers: readonly SummaryAnswer[] = [answered("## Goal\n- go on")],
  next = "And now the next thing.",
): Round => ({
  messages,
  trigger: { kind: "forced" },
  answers,
  next,
});
