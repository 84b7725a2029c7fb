/**
 * Which user messages Codex wrote itself. The test is on the text alone: a user who types such a text is taken for the
 * harness.
 *
 * Source: openai/codex 0.155.0, as observed; the list may be incomplete.
 */
import { isHookPrompt } from "./hook-prompt.ts";

/** Opening and closing of a text part that Codex wrote, compared with or without regard to the case of ASCII letters. */
const pairs: readonly { readonly opens: RegExp; readonly closes: RegExp }[] = [
  { opens: /^# AGENTS\.md instructions/i, closes: /<\/INSTRUCTIONS>$/i },
  ...[
    "environment_context",
    "recommended_plugins",
    "skill",
    "subagent_notification",
    "turn_aborted",
    "user_shell_command",
  ].map((tag) => ({ opens: new RegExp(`^<${tag}>`, "i"), closes: new RegExp(`</${tag}>$`, "i") })),
  { opens: /^<goal_context>/, closes: /<\/goal_context>$/ },
];

/** `<external_NAME>` closes with its own name, which may be anything without `>`, or nothing. */
const external = /^<(external_[^>]*)>/;

/** Whether a text part is one that Codex wrote. */
export function isHarnessWritten(text: string): boolean {
  const trimmed = trim(text);
  const name = external.exec(trimmed)?.[1];
  if (name !== undefined && trimmed.endsWith(`</${name}>`)) return true;
  if (isHookPrompt(trimmed)) return true;
  return pairs.some(({ opens, closes }) => opens.test(trimmed) && closes.test(trimmed.slice(-maxClosingChars)));
}

/** Longer than every fixed closing, so that a long text is not scanned for it. */
const maxClosingChars = 40;

/** White space as Rust sees it: JavaScript's own `trim` also takes U+FEFF and leaves U+0085. */
const isWhite = (unit: string): boolean => /^\p{White_Space}$/u.test(unit);

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhite(text.charAt(start))) start++;
  while (end > start && isWhite(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Whether a text is nothing but white space. */
export const isBlank = (text: string): boolean => !/\P{White_Space}/u.test(text);
