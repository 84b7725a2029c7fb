/** Scenarios about sizes: what the tail's budget holds to the character, and where results are cut. */
import type { OpenCodePrompts } from "../../../arms/opencode/prompts.ts";
import type { Block, Message } from "../../../harness/chain/message.ts";
import { randomStream } from "../../../harness/random.ts";
import type { Scenario } from "../scenario.ts";
import { author, textOfBytes } from "../texts.ts";
import { answered } from "../rounds.ts";
import { everyLimit, forced, middle, scenario, small, turnLimits } from "./limits.ts";

/** A last turn whose JSON is so many characters over four times the budget: one user text, or an answer after it too. */
export function budgets(seed: number, quick: boolean): Scenario[] {
  const random = randomStream(seed, "conformance tail budgets");
  const all = [...everyLimit, ...turnLimits];
  // Settings of their own cost the program a start of its own: the smaller set has few of them.
  const chosen = quick ? [0, 1, 2, 5, 6, 10, 13].flatMap((index) => all[index] ?? []) : all;
  return chosen.flatMap((within, nth) =>
    (quick ? [1, 2] : [-2, 1, 2, 3]).flatMap((over) => {
      const wanted = within.tailTokens * 4 + over;
      const filler = (chars: number): string => textOfBytes(random, chars, "plain").replaceAll("\n", " ");
      const write = author("b");
      const before = [write.user("early"), write.assistant("ok")];
      const one = [write.user(filler(wanted - turnChars("")))];
      const two = [write.user("why?"), write.assistant(filler(wanted - turnChars("why?", "")))];
      return (quick && nth % 2 ? [two] : quick ? [one] : [one, two]).map((turn) =>
        scenario(`limits ${nth}, last turn ${over} characters over, ${turn.length} messages`, within, [
          forced([...before, ...turn]),
          ...(quick ? [] : [forced([])]),
        ]),
      );
    }),
  );
}

/** Length of the JSON of a turn: a user text and assistant texts. */
const turnChars = (...texts: readonly string[]): number =>
  JSON.stringify(
    texts.map((text, nth) => ({ role: nth === 0 ? "user" : "assistant", content: [{ type: "text", text }] })),
  ).length;

/** Several turns and steps around the budget, their roundings adding up. */
export function rounding(seed: number, quick: boolean): Scenario[] {
  return Array.from({ length: quick ? 3 : 24 }, (_, nth) => {
    const random = randomStream(seed, `conformance rounding ${nth}`);
    const write = author("q");
    const text = (): string => "x".repeat(random.range(150, 190));
    const turns = Array.from({ length: nth % 3 ? 20 : 60 }, () => [
      write.user(text()),
      write.assistant(text()),
      ...(nth % 2 ? write.step(text(), [text()]) : []),
    ]);
    return scenario(`rounding ${nth}`, nth % 3 ? small : middle, [
      forced(turns.flat()),
      forced(turns.slice(0, 2).flat().map(renamed)),
      forced([]),
      forced([]),
    ]);
  });
}

const renamed = (message: Message): Message => ({
  ...message,
  id: `${message.id}-again`,
  blocks: message.blocks.map((block): Block =>
    block.kind === "call" || block.kind === "result" ? { ...block, call: `${block.call}again` } : block,
  ),
});

/** One long turn of which only the end fits, step by step; the last step's size is moved by single characters. */
export function splits(seed: number, quick: boolean, prompts: OpenCodePrompts): Scenario[] {
  return Array.from({ length: quick ? 4 : 24 }, (_, nth) => {
    const random = randomStream(seed, `conformance splits ${nth}`);
    const write = author("s");
    const bodies = (): string[] => Array.from({ length: random.range(1, 4) }, () => "y".repeat(random.range(200, 900)));
    const steps = Array.from({ length: 12 }, () =>
      write.step("z".repeat(random.below(50)), nth % 4 === 3 ? [...bodies(), null] : bodies()),
    );
    const last = write.assistant("w".repeat(nth));
    const messages = [
      write.user("early"),
      write.assistant("ok"),
      write.user(`a long turn ${prompts.question}`),
      ...steps.flat(),
      ...(nth % 2 ? [last] : []),
    ];
    return scenario(`split turn ${nth}`, small, [
      forced(messages),
      forced([]),
      forced([write.user("more"), ...write.step("", ["v".repeat(3_000)]).map(renamed)]),
    ]);
  });
}

/** A tail kept in part by the next compaction: its older question and summary stay in it and are the earlier summary from then on. */
export const stale = (seed: number, quick: boolean): Scenario[] =>
  Array.from({ length: quick ? 2 : 6 }, (_, nth) => {
    const random = randomStream(seed, `conformance stale ${nth}`);
    const write = author("a");
    const turns = (count: number): Message[] =>
      Array.from({ length: count }, () => [
        write.user("u".repeat(random.range(300, 700))),
        write.assistant("v".repeat(random.range(300, 700))),
      ]).flat();
    return scenario(
      `stale summary ${nth}`,
      small,
      [12, 1, 1, 2, 1].map((count, index) =>
        forced(turns(count), [answered(`## Objective\n- summary ${index}`)], "And?"),
      ),
    );
  });

/** Results around the length that the summariser is shown. */
export function clips(): Scenario[] {
  const bodies = [
    "a".repeat(1_999),
    "a".repeat(2_000),
    "a".repeat(2_001),
    `${"a".repeat(1_999)}😀b`,
    `${"a".repeat(1_998)}😀b`,
    "数".repeat(2_001),
    "\ud83d lone \udc00",
    `${"a".repeat(1_999)}\ud83d${"b".repeat(9)}`,
  ];
  return bodies.map((body, nth) => {
    const write = author("c");
    const messages = [
      write.user("read it"),
      ...write.step("", [body, { error: body }]),
      write.user("again"),
      write.assistant("done"),
    ];
    return scenario(`clip ${nth}`, { ...small, options: { preserveRecentTokens: 60 } }, [forced(messages), forced([])]);
  });
}
