/** Records as the stored messages that a writer writes. */
import {
  argsOf,
  type ChainRecord,
  orderKey,
  type ToolCallRecord,
  type ToolResultRecord,
  toolOf,
} from "../../chain/record.ts";
import type { JsonObject } from "../../json.ts";

/** Neighbouring texts of one role and their calls, or one result. */
export type Group =
  | {
      readonly kind: "speaker";
      readonly role: "user" | "assistant";
      readonly texts: readonly string[];
      readonly calls: readonly WrittenCall[];
    }
  | { readonly kind: "result"; readonly call: string; readonly text: string; readonly error: boolean };

interface WrittenCall {
  readonly call: string;
  readonly tool: string;
  readonly args: JsonObject;
}

const writtenCall = (record: ToolCallRecord): WrittenCall => ({
  call: record.call,
  tool: toolOf(record),
  args: argsOf(record),
});

const writtenResult = (record: ToolResultRecord): Group => ({
  kind: "result",
  call: record.call,
  text: record.text,
  error: record.error ?? false,
});

/** Records in order, joined where they share a position and a role; a result always stands alone. */
export function groupsOf(records: readonly ChainRecord[]): Group[] {
  const groups: Group[] = [];
  let open: { role: "user" | "assistant"; texts: string[]; calls: WrittenCall[] } | undefined;
  let key: number | undefined;
  records.forEach((record, index) => {
    const at = orderKey(record, index);
    if (record.kind === "tool_result") {
      groups.push(writtenResult(record));
      open = undefined;
      return;
    }
    if (open === undefined || at !== key || open.role !== record.role) {
      open = { role: record.role, texts: [], calls: [] };
      groups.push({ kind: "speaker", ...open });
    }
    key = at;
    if (record.kind === "text") open.texts.push(record.text);
    else open.calls.push(writtenCall(record));
  });
  return groups;
}

/** Times that a writer gives to what it writes: one second apart, the same in every file. */
export function writtenTimes(): { next(): string; nextMs(): number } {
  let ms = Date.UTC(2026, 0, 5, 9, 0, 0);
  const nextMs = (): number => (ms += 1000);
  return { nextMs, next: () => new Date(nextMs()).toISOString() };
}

/** Values as JSON, one a line. */
export const jsonl = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");
