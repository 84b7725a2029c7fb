/** Scenarios about the budget of Codex's user texts, to the byte. */
import { randomStream } from "../../../harness/random.ts";
import type { Scenario } from "../scenario.ts";
import { type Alphabet, alphabetNames, author, textOfBytes } from "../texts.ts";
import { forced } from "../rounds.ts";
import { budgetBytes, scenario } from "./rounds.ts";

/** One user text around the budget, alone and after smaller ones. */
export function budgets(seed: number, quick: boolean): Scenario[] {
  const sizes = quick ? [-1, 0, 1] : [-9, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 9, 4_000, 80_000];
  const random = randomStream(seed, "conformance budgets");
  return sizes.flatMap((over): Scenario[] => {
    const write = author("b");
    const alphabet = random.pick(alphabetNames);
    const around = write.user(textOfBytes(random, budgetBytes + over, alphabet));
    const small = [7, 8, 1].map((bytes) => write.user(textOfBytes(random, bytes, "plain")));
    const early = write.user("an early wish");
    return [
      scenario(`budget ${signed(over)} bytes, ${alphabet}`, [forced([early, around]), forced([write.user("late")])]),
      scenario(`budget ${signed(over)} bytes after small ones, ${alphabet}`, [forced([early, around, ...small])]),
    ];
  });
}

export const signed = (value: number): string => (value < 0 ? `${value}` : `+${value}`);

/** What is left of the budget for one more text: 0, 1, 2, … tokens, the text in every alphabet. */
export function left(seed: number, quick: boolean): Scenario[] {
  const random = randomStream(seed, "conformance rest of the budget");
  const rests = quick ? [0, 1, 3] : [0, 1, 2, 3, 5, 8, 13, 100];
  const alphabets: readonly Alphabet[] = quick ? ["wide", "emoji"] : alphabetNames;
  return rests.flatMap((rest) =>
    alphabets.map((alphabet) => {
      const write = author("r");
      const cut = write.user(textOfBytes(random, rest * 4 + random.range(1, 90), alphabet));
      const newest = write.user(textOfBytes(random, budgetBytes - rest * 4 - random.below(4), "plain"));
      const blank = write.user("");
      return scenario(`${rest} tokens left, ${alphabet}`, [
        forced([write.user("early"), cut, blank, newest]),
        forced([]),
      ]);
    }),
  );
}
