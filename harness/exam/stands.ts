/** The one rule of matching: it decides whether a target occurred, whether a value survived, and what the offline reader confirms. */
import { type Message, readable } from "../chain/message.ts";

const isWord = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || unit === 0x5f;

/** Whether `text` up to `end` closes with a JSON escape such as `\n` or `\u001b`, which separates like the character it stands for. */
function endsInEscape(text: string, end: number): boolean {
  const near = text.slice(Math.max(0, end - 6), end);
  return /\\(?:[nrtbf]|u[0-9a-fA-F]{4})$/.test(near);
}

/**
 * Index of the first place where `value` stands in one block's text as a whole value, or -1: neither end of it touches an
 * ASCII letter, digit or underscore while being one itself. `value` must not be empty.
 */
export function standsAt(text: string, value: string): number {
  const wordStart = isWord(value.charCodeAt(0));
  const wordEnd = isWord(value.charCodeAt(value.length - 1));
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    if (wordEnd && end < text.length && isWord(text.charCodeAt(end))) continue;
    if (!wordStart || at === 0 || !isWord(text.charCodeAt(at - 1)) || endsInEscape(text, at)) return at;
  }
  return -1;
}

export const stands = (text: string, value: string): boolean => standsAt(text, value) >= 0;

/** Whether a value stands in one block of a history. Newest messages are read first. */
export function standsInHistory(messages: readonly Message[], value: string): boolean {
  for (let index = messages.length - 1; index >= 0; index--)
    if (readable(messages[index] as Message).some((text) => stands(text, value))) return true;
  return false;
}
