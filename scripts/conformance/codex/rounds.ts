/** Rounds and scenarios of Codex in few words. */
import { codexDefaults } from "../../../arms/codex.ts";
import type { JsonObject } from "../../../harness/json.ts";
import type { Round, Scenario } from "../scenario.ts";

const windowTokens = 1_000_000;
export const budgetBytes = codexDefaults.keepUserTokens * 4;

export const summaries: readonly string[] = [
  "## Goal\n- go on",
  "  framed by white space \n",
  "数据 and 😀",
  "one\r\ntwo\u0000",
  "x".repeat(3_000),
];

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
