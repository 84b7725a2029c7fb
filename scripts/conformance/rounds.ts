/** Rounds of any product in few words. */
import type { Message } from "../../harness/chain/message.ts";
import type { Round, SummaryAnswer } from "./scenario.ts";

export const answered = (value: string): SummaryAnswer => ({ kind: "text", text: value });

/** A compaction that is asked for. */
export const forced = (
  messages: readonly Message[],
  answers: readonly SummaryAnswer[] = [answered("## Goal\n- go on")],
  next = "And now the next thing.",
): Round => ({ messages, trigger: { kind: "forced" }, answers, next });

/** A compaction that the program decides on at a usage; `summary` is the model's. */
export const automaticRound = (messages: readonly Message[], usedTokens: number, summary: string): Round => ({
  messages,
  trigger: { kind: "automatic", lead: "Go on.", usedTokens },
  answers: [answered(summary)],
  next: "And then?",
});
