/** Records in the order of their messages, with ids that say what they are. */
import type { ChainRecord } from "../../record.ts";
import type { Act } from "./acts/act.ts";

export interface RecordWriter {
  readonly records: ChainRecord[];
  user(text: string): void;
  assistant(text: string): void;
  /** One stored message with its calls, then each result in a message of its own. */
  acts(text: string | undefined, acts: readonly Act[]): void;
}

/** A writer of a chain's records; ids are `<chain>-u01`, `-a001`, `-c0001` and `-r0001`. */
export function recordWriter(chain: string): RecordWriter {
  const records: ChainRecord[] = [];
  const count = { position: 0, user: 0, assistant: 0, call: 0 };
  const numbered = (number: number, digits: number): string => String(number).padStart(digits, "0");
  const putText = (role: "user" | "assistant", text: string): void => {
    count[role]++;
    const id = role === "user" ? `u${numbered(count.user, 2)}` : `a${numbered(count.assistant, 3)}`;
    records.push({ id: `${chain}-${id}`, kind: "text", role, text, position: count.position });
  };
  return {
    records,
    user: (text) => {
      count.position++;
      putText("user", text);
    },
    assistant: (text) => {
      count.position++;
      putText("assistant", text);
    },
    acts: (text, acts) => {
      count.position++;
      if (text !== undefined) putText("assistant", text);
      const ids = acts.map(() => numbered(++count.call, 4));
      acts.forEach(({ tool, args }, index) => {
        const call = `${chain}-c${ids[index]}`;
        records.push({ id: call, kind: "tool_call", role: "assistant", call, tool, args, position: count.position });
      });
      acts.forEach(({ text, error }, index) => {
        const id = `${chain}-r${ids[index]}`;
        const call = `${chain}-c${ids[index]}`;
        const position = ++count.position;
        if (error) records.push({ id, kind: "tool_result", role: "tool", call, text, error, position });
        else records.push({ id, kind: "tool_result", role: "tool", call, text, position });
      });
    },
  };
}
