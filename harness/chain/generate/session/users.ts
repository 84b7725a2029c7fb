/** What the user says: the story's requests with drawn values, together exactly as long as the profile wants. */
import type { Random } from "../../../random.ts";
import { codePoints, type Filler, filler } from "./exact.ts";
import type { Tongue } from "./prose.ts";
import type { Turn } from "./story.ts";

const additions: readonly Filler[] = [
  filler([
    [" Keep", " Please keep", " And keep", " Also keep"],
    [" it", " the diff", " the docs", " the branch", " that part", " the change", " the whole thing"],
    [" small", " short", " tidy", " simple", " readable", " easy to undo", " in one place"],
    [".", "!", ", thanks.", " for now.", ", will you?", ", as before."],
  ]),
  filler([
    [" If in doubt,", " If it gets long,", " If a test breaks,", " When you are done,", " Before you commit,"],
    [" stop", " ask", " tell me", " ask me", " write it down", " leave a note", " say so"],
    [".", " first.", " in a line.", " right away.", " in one line.", " before you go on.", " and wait for me."],
  ]),
];

const minChars = Math.max(...additions.map((addition) => addition.minChars));

/**
 * The user's texts, one a turn. `tongues` says which are in Chinese; only English ones are lengthened. Throws RangeError
 * where the story's own words are already longer than `chars`.
 */
export function userTexts(
  random: Random,
  turns: readonly Turn[],
  tongues: readonly Tongue[],
  fill: (text: string) => string,
  chars: number,
): string[] {
  const texts = turns.map((turn, index) => fill(turn.user[tongues[index] as Tongue]));
  let left = chars - texts.reduce((sum, text) => sum + codePoints(text), 0);
  if (left < minChars) throw new RangeError(`The story's user texts leave ${left} characters, which nothing fills.`);
  const english = texts.map((_text, index) => index).filter((index) => tongues[index] === "en");
  let open = random.shuffle(english);
  while (left > 0) {
    if (open.length === 0) open = random.shuffle(english);
    const index = open.pop() as number;
    const take = left <= 2 * minChars + 10 ? left : Math.min(random.range(minChars, 53), left - minChars);
    texts[index] += random.pick(additions).fill(random, take);
    left -= take;
  }
  return texts;
}
