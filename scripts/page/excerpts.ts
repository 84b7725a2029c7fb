/** Pieces of text small enough to be read, and never cut inside a character. */
import type { Part, ProjectedMessage } from "../../harness/arm.ts";
import { readable } from "../../harness/chain/message.ts";
import { standsAt } from "../../harness/exam/stands.ts";
import type { Excerpt } from "./data.ts";

const sideChars = 90;
const headChars = 1500;
const tailChars = 500;

/** A value with some text on both sides, at `at`. */
export function excerptAt(text: string, at: number, length: number): Excerpt {
  const from = Math.max(0, at - sideChars);
  const to = Math.min(text.length, at + length + sideChars);
  return {
    before: `${from > 0 ? "…" : ""}${text.slice(from, at).toWellFormed()}`,
    value: text.slice(at, at + length),
    after: `${text.slice(at + length, to).toWellFormed()}${to < text.length ? "…" : ""}`,
  };
}

/** The text, or its beginning and end where it is long. */
export function clipped(text: string): string {
  if (text.length <= headChars + tailChars + 200) return text.toWellFormed();
  const left = text.length - headChars - tailChars;
  return `${text.slice(0, headChars).toWellFormed()}\n[… ${left.toLocaleString("en-US")} characters left out …]\n${text.slice(-tailChars).toWellFormed()}`;
}

/** The newest place where a value stands in a projection, with the part that it stands in; undefined where it stands nowhere. */
export function placeIn(
  projection: readonly ProjectedMessage[],
  value: string,
): { readonly part: Part; readonly excerpt: Excerpt } | undefined {
  for (let index = projection.length - 1; index >= 0; index--) {
    const { message, spans } = projection[index] as ProjectedMessage;
    let before = 0;
    for (const text of readable(message)) {
      const at = standsAt(text, value);
      if (at >= 0) {
        let end = 0;
        const span = spans.find(({ chars }) => (end += chars) > before + at) ?? spans.at(-1);
        if (span !== undefined) return { part: span.part, excerpt: excerptAt(text, at, value.length) };
      }
      before += text.length;
    }
  }
  return undefined;
}
