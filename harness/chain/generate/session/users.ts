/** What the user says: the story's requests with drawn values, together exactly as long as the profile wants. */
import { type Random, randomStream } from "../../../random.ts";
import { codePoints, type Filler, filler } from "./exact.ts";
import type { Tongue } from "./prose.ts";
import type { PlannedTurn } from "./plan.ts";
import type { Bilingual, Profile, Story, Turn } from "./story.ts";
import { render, template, withValues } from "./template.ts";

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

/** Texts are counted from 1, users' and assistant's together; every tenth is in Chinese. */
export const tongueOf = (textNumber: number): Tongue => (textNumber % 10 === 0 ? "zh" : "en");

/**
 * The user's texts, one a turn. `tongues` says which are in Chinese; only English ones are lengthened. Throws RangeError
 * where the story's own words are already longer than `chars`.
 */
function userTexts(
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

/** What the user says, and which constraints hold after each request, both with the drawn choices filled in. */
export function requests(
  chain: string,
  seed: number,
  story: Story,
  profile: Profile,
  plan: readonly PlannedTurn[],
): { readonly user: readonly string[]; readonly rulesAfter: readonly (readonly Bilingual[])[] } {
  const random = randomStream(seed, `${chain}/users`);
  const chosen = Object.entries(story.choices).map(([slot, values]) => [slot, random.pick(values)] as const);
  const choice = withValues(Object.fromEntries(chosen));
  const fill = (text: string): string => render(template(text), choice);
  let next = 1;
  const tongues = plan.map(({ beats }) => {
    const tongue = tongueOf(next);
    next += beats.length + 2;
    return tongue;
  });
  const rules = new Map<string, Bilingual>();
  const rulesAfter = story.turns.map(({ rule }) => {
    if (rule !== undefined) rules.set(rule.key, { en: fill(rule.en), zh: fill(rule.zh) });
    return [...rules.values()];
  });
  return { user: userTexts(random, story.turns, tongues, fill, profile.userChars), rulesAfter };
}
