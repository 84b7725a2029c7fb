/** The perfect reader: confirms exactly those values of a sheet that stand in what comes before it. */
import { type Message, readable } from "../../chain/message.ts";
import { openSheetOpening, sheetOpening } from "../../exam/prompt.ts";
import { stands } from "../../exam/stands.ts";

/** A sheet as a model sees it: the values asked for, and everything before its opening line, one text a block. */
export interface SeenSheet {
  readonly values: readonly string[];
  readonly before: readonly string[];
}

/**
 * The sheet that the last user message asks, or undefined. It starts at the last line of that message that opens a sheet
 * and runs to the message's end; what stands in front of that line in the same message counts as text before it.
 */
export function sheetIn(messages: readonly Message[]): SeenSheet | undefined {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const blocks = messages[last]?.blocks ?? [];
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index];
    if (block?.kind !== "text") continue;
    const at = openingAt(block.text);
    const values = at < 0 ? undefined : valuesIn(block.text.slice(at));
    if (values === undefined) continue;
    const before = messages.slice(0, last).flatMap(readable);
    const inMessage = readable({ ...(messages[last] as Message), blocks: blocks.slice(0, index) });
    return { values, before: [...before, ...inMessage, block.text.slice(0, at)] };
  }
  return undefined;
}

/** Index of the last opening line, or -1. */
function openingAt(text: string): number {
  const lastLine = (opening: string): number => {
    let at = text.lastIndexOf(opening);
    while (at > 0 && text[at - 1] !== "\n") at = text.lastIndexOf(opening, at - 1);
    return at;
  };
  return Math.max(lastLine(sheetOpening), lastLine(openSheetOpening));
}

/** The `- value` lines after `Values:`, where nothing else follows them. */
function valuesIn(sheet: string): string[] | undefined {
  const lines = sheet.replace(/\n+$/, "").split("\n");
  const listed = lines.slice(lines.lastIndexOf("Values:") + 1);
  if (listed.length === lines.length || !listed.every((line) => line.startsWith("- "))) return undefined;
  return listed.map((line) => line.slice(2));
}

/** The reply to a sheet as JSON text, the confirmed values in the sheet's order. */
export const confirm = (values: readonly string[]): string => JSON.stringify({ appeared: values });

/** The values that stand before their sheet. Newest text is read first. */
export function standing({ values, before }: SeenSheet): string[] {
  const newestFirst = before.toReversed();
  return values.filter((value) => value !== "" && newestFirst.some((text) => stands(text, value)));
}
