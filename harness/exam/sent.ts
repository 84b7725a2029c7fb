/** What of a session's history a request can carry: a result whose call is not in it is left out by every arm. */
import { paired, readable, toMessages } from "../chain/message.ts";
import type { ChainRecord } from "../chain/record.ts";
import { type Extraction, pool } from "./extract.ts";
import { standing } from "./occurrences.ts";
import { targetSources } from "./question.ts";

/**
 * Whether a value of the first `end` records stands in the request that keeps them all. Real sessions have results of no
 * call; a value of such a result alone could be confirmed by nobody. Reads the history only where there is one.
 */
export function sentValues(
  records: readonly ChainRecord[],
  extraction: Extraction,
  end: number,
): (value: string) => boolean {
  const messages = toMessages(records.slice(0, end));
  const whole = paired(messages);
  if (resultsIn(whole) === resultsIn(messages)) return () => true;
  const values = [
    ...new Set(targetSources.flatMap((source) => pool(extraction, source, end).map(({ value }) => value))),
  ];
  const stand = standing(values, whole.flatMap(readable));
  const sent = new Set(values.filter((_, index) => stand[index]));
  return (value) => sent.has(value);
}

const resultsIn = (messages: ReturnType<typeof paired>): number =>
  messages.reduce((sum, { blocks }) => sum + blocks.filter(({ kind }) => kind === "result").length, 0);
