/** Limits and rounds of OpenCode's scenarios. */
import type { Message } from "../../../harness/chain/message.ts";
import type { JsonObject } from "../../../harness/json.ts";
import { answered, forced as forcedRound } from "../rounds.ts";
import type { Round, Scenario, SummaryAnswer } from "../scenario.ts";

/** Limits of a model and compaction settings, and the budget that the tail then has. */
export interface Limits {
  readonly windowTokens: number;
  readonly outputReserveTokens: number;
  readonly options: JsonObject;
  readonly tailTokens: number;
}

export const limits = (
  windowTokens: number,
  outputReserveTokens: number,
  tailTokens: number,
  options: JsonObject = {},
): Limits => ({
  windowTokens,
  outputReserveTokens,
  options,
  tailTokens,
});

export const small = limits(10_000, 4_000, 2_000);
export const middle = limits(48_000, 32_000, 4_000);
export const wide = limits(1_000_000, 384_000, 15_000);

/** Budgets by window, output reservation and input limit: clamped below and above, a quarter between, set by the user. */
export const everyLimit: readonly Limits[] = [
  small,
  middle,
  wide,
  limits(72_000, 64_000, 10_000),
  limits(60_003, 8_192, 12_952),
  limits(60_004, 8_192, 12_953),
  limits(60_000, 8_192, 7_952, { inputLimitTokens: 40_000 }),
  limits(60_000, 32_000, 5_000, { inputLimitTokens: 40_000 }),
  limits(60_000, 32_000, 8_750, { inputLimitTokens: 40_000, reservedTokens: 5_000 }),
  limits(60_000, 8_192, 12_952, { reservedTokens: 40_000 }),
  limits(12_000, 4_000, 700, { preserveRecentTokens: 700 }),
  limits(12_000, 4_000, 20_000, { preserveRecentTokens: 20_000 }),
];

export const turnLimits: readonly Limits[] = [0, 1, 2].map((turns) =>
  limits(60_000, 8_192, 12_952, { tailTurns: turns }),
);

export const summaries: readonly string[] = [
  "## Objective\n- go on",
  "  framed by white space \n",
  "数据 and 😀",
  "one\r\ntwo",
  "x".repeat(3_000),
];

export const scenario = (
  name: string,
  { windowTokens, outputReserveTokens, options }: Limits,
  rounds: readonly Round[],
): Scenario => ({
  name,
  windowTokens,
  outputReserveTokens,
  options,
  rounds,
});

/** A compaction that is asked for; a summary with a heading of this product's unless another is given. */
export const forced = (
  messages: readonly Message[],
  answers: readonly SummaryAnswer[] = [answered("## Objective\n- go on")],
  next?: string,
): Round => forcedRound(messages, answers, next);
