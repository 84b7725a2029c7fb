/** What a user should know about a run with a real model: each a line, or nothing where there is nothing to say. */
import type { Repairs } from "../harness/models/remote/turns.ts";
import { answerOutputTokens } from "../harness/run/ask.ts";

const limit = answerOutputTokens.toLocaleString("en-US");

/** A model that may reason under an output limit made for answers alone. `thinking`: as the provider records it. */
export function thinkingWarning(thinking: unknown): string | undefined {
  if (thinking === "off" || thinking === undefined) return undefined;
  return `Reasoning counts against the output limit, which is ${limit} tokens for an answer: a model that reasons for long looks dead there. --thinking off avoids it.`;
}

/** What a lesson about thinking means for the limit; "" for other lessons. */
export const reasonsAnyway = (parameter: string): string =>
  parameter === "reasoning_effort" || parameter === "thinking"
    ? ` (it may reason all the same, and an answer's output limit of ${limit} tokens includes that)`
    : "";

/** How requests have to be changed to be sendable. */
export function repairsLine({ loneSurrogates, blankTexts, images, reasoning }: Repairs): string | undefined {
  const parts = [
    [loneSurrogates, "lone surrogates become U+FFFD"],
    [blankTexts, "blank texts are left out or named"],
    [images, "images are named, not sent"],
    [reasoning, "reasoning blocks are left out"],
  ] as const;
  const said = parts.flatMap(([count, what]) => (count === 0 ? [] : [`${count.toLocaleString("en-US")} ${what}`]));
  return said.length === 0 ? undefined : `To be sendable, over all requests: ${said.join(", ")}.`;
}

/** The sum of two counts of repairs. */
export const addedRepairs = (left: Repairs, right: Repairs): Repairs => ({
  loneSurrogates: left.loneSurrogates + right.loneSurrogates,
  blankTexts: left.blankTexts + right.blankTexts,
  images: left.images + right.images,
  reasoning: left.reasoning + right.reasoning,
});

export const noRepairs: Repairs = { loneSurrogates: 0, blankTexts: 0, images: 0, reasoning: 0 };
