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

/** A compaction that the program decides on at a usage. */
export const automaticRound = (messages: readonly Message[], usedTokens: number): Round => ({
  messages,
  trigger: { kind: "automatic", lead: "Go on.", usedTokens },
  answers: [answered("## State\n- compacted by itself")],
  next: "And then?",
});
