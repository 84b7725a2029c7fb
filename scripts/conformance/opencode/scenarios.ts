/** Scenarios that look at every rule of OpenCode's compaction. */
import type { OpenCodePrompts } from "../../../arms/opencode/prompts.ts";
import type { Message } from "../../../harness/chain/message.ts";
import { type Random, randomStream } from "../../../harness/random.ts";
import { chainHistories, type Flavour, type History, randomHistory } from "../histories.ts";
import type { Scenario } from "../scenario.ts";
import { type Author, author, image } from "../texts.ts";
import { answered, automaticRound } from "../rounds.ts";
import { forced, type Limits, limits, middle, scenario, small, summaries, wide } from "./limits.ts";
import { budgets, clips, rounding, splits, stale } from "./sizes.ts";

/** A scenario a rule and a size, of a seed; `quick` takes a smaller set of every kind. */
export function openCodeScenarios(seed: number, quick: boolean, prompts: OpenCodePrompts): Scenario[] {
  return [
    ...budgets(seed, quick),
    ...rounding(seed, quick),
    ...splits(seed, quick, prompts),
    ...stale(seed, quick),
    ...clips(),
    ...mixed(seed, quick),
    ...parts(quick),
    ...emptySummaries(seed, quick),
    ...overflows(seed, quick),
    ...automatic(seed, quick),
    ...knownDifferences(),
  ];
}

/** What the arm does otherwise on purpose; the arm's `notModelled` says so too. */
function knownDifferences(): Scenario[] {
  const write = author("d");
  const filler = write.user("f".repeat(9_000));
  const [call, result] = write.step("", ["first use"]);
  const twice = [
    filler,
    write.user("the same id twice"),
    ...[call, result, call, result].flatMap((message) => message ?? []),
  ];
  const failed = [write.user("wish"), write.assistant("ok"), filler, write.assistant("ok"), write.user("later")];
  return [
    {
      ...scenario("a call id used twice", small, [forced(twice)]),
      known: "a call id's second use is renamed: providers refuse it otherwise",
    },
    {
      ...scenario("a compaction after a failed one", small, [forced(failed, [{ kind: "overflow" }]), forced([])]),
      known: "the question of a failed compaction stands in that step's projection and not in later ones",
    },
  ];
}

/** The program stores an assistant message under a user message, and the reply to `next` is a step of its own. */
const opened = (messages: readonly Message[]): readonly Message[] =>
  messages[0]?.role === "user" ? messages : [author(`o${messages[0]?.id ?? ""}`).user("Go on."), ...messages];

function lived(seed: number, { name, portions }: History, within: Limits): Scenario {
  const random = randomStream(seed, `conformance summaries of ${name}`);
  return scenario(
    name,
    within,
    portions.map((portion, index) =>
      forced(opened(portion), [answered(random.pick(summaries))], `Next, number ${index}.`),
    ),
  );
}

/** Stretches of the generated chains. */
export function openCodeChains(seed: number, quick: boolean): Scenario[] {
  const lengths = quick ? [60] : [12, 40, 90, 150, 400, 1_000];
  return chainHistories(seed, lengths).map((history, nth) =>
    lived(seed, history, [wide, middle, small][nth % 3] ?? wide),
  );
}

function mixed(seed: number, quick: boolean): Scenario[] {
  const flavours: readonly (readonly [string, number, Limits, Flavour])[] = [
    [
      "small",
      16,
      small,
      { turns: [1, 6], userBytes: [0, 600], resultBytes: [0, 1_200], portions: 3, broken: true, special },
    ],
    [
      "many turns",
      12,
      middle,
      { turns: [8, 20], userBytes: [0, 1_500], resultBytes: [0, 3_000], portions: 3, broken: true, special },
    ],
    [
      "wordy users",
      12,
      middle,
      { turns: [4, 10], userBytes: [1_000, 9_000], resultBytes: [0, 400], portions: 3, broken: true, special },
    ],
    [
      "huge results",
      8,
      wide,
      { turns: [2, 5], userBytes: [100, 4_000], resultBytes: [10_000, 90_000], portions: 2, broken: true, special },
    ],
    [
      "one turn at a time",
      12,
      limits(12_000, 4_000, 1_500, { tailTurns: 1 }),
      { turns: [1, 3], userBytes: [0, 2_000], resultBytes: [0, 2_000], portions: 3, broken: true, special },
    ],
    [
      "no tail",
      6,
      limits(12_000, 4_000, 2_000, { tailTurns: 0 }),
      { turns: [1, 3], userBytes: [0, 2_000], resultBytes: [0, 2_000], portions: 3, broken: false, special },
    ],
  ];
  return flavours.flatMap(([kind, count, within, flavour]) =>
    Array.from({ length: quick ? 2 : count }, (_, nth) => {
      const history = randomHistory(seed, `${kind} ${nth}`, flavour);
      return lived(
        seed,
        { ...history, portions: history.portions.map((portion) => portion.filter(hasCall(portion))) },
        within,
      );
    }),
  );
}

/** The program stores results with their calls alone. */
function hasCall(messages: readonly Message[]): (message: Message) => boolean {
  const calls = new Set(
    messages.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "call" ? [block.call] : []))),
  );
  return ({ blocks }) => blocks.every((block) => block.kind !== "result" || calls.has(block.call));
}

/** Messages of other blocks than texts and calls, and of none. */
function special(random: Random, write: Author): Message[] {
  const all: readonly (() => Message[])[] = [
    () => [write.user("look", image)],
    () => [write.user(image)],
    () => [write.user("")],
    () => [write.user("one", "two", "")],
    () => [write.user("lone \ud83d surrogate")],
    () => [write.user("think"), write.assistant({ kind: "reasoning", text: "hmm, hmm" }, "said")],
    () => [write.user("think"), write.assistant({ kind: "reasoning", text: "only a thought" })],
    () => [write.user("quiet"), write.assistant("")],
    () => [write.user("twice"), write.assistant("first"), write.assistant("second")],
  ];
  return random.pick(all)();
}

/** Every special message, in the head and in the tail. */
function parts(quick: boolean): Scenario[] {
  const kinds = quick ? 6 : 9;
  return Array.from({ length: kinds }, (_, nth) => {
    const only: Pick<Random, "pick"> = { pick: (items) => items[nth % items.length] as (typeof items)[number] };
    const write = author("t");
    const filler = write.user("f".repeat(9_000));
    const messages = [
      ...special(only as Random, write),
      write.assistant("and so on"),
      filler,
      ...special(only as Random, write),
      ...write.step("a step", ["out"]),
    ];
    return scenario(`special message ${nth}`, small, [forced(messages), forced([])]);
  });
}

/** Replies of nothing, and of white space. */
const emptySummaries = (seed: number, quick: boolean): Scenario[] =>
  ["", " ", "\n\n"].flatMap((empty, nth) =>
    Array.from({ length: quick ? 1 : 3 }, (_, again) => {
      const { name, portions } = randomHistory(seed, `empty summary ${nth}.${again}`, {
        turns: [2, 6],
        userBytes: [0, 1_000],
        resultBytes: [0, 3_000],
        portions: 3,
        broken: false,
      });
      return scenario(
        name,
        small,
        portions.map((portion, index) =>
          forced(opened(portion), [answered(index === 1 ? "## Objective\n- said" : empty)]),
        ),
      );
    }),
  );

/** The request for a summary does not fit. */
const overflows = (seed: number, quick: boolean): Scenario[] =>
  Array.from({ length: quick ? 2 : 6 }, (_, nth) => {
    const { name, portions } = randomHistory(seed, `overflow ${nth}`, {
      turns: [2, 6],
      userBytes: [0, 1_000],
      resultBytes: [0, 3_000],
      portions: 2,
      broken: false,
    });
    const rounds = [forced(opened(portions[1] ?? []), [{ kind: "overflow" }])];
    return scenario(name, small, nth % 2 ? [forced(opened(portions[0] ?? [])), ...rounds] : rounds);
  });

const itself = "## Objective\n- compacted by itself";

/** Usage around what is usable. */
function automatic(seed: number, quick: boolean): Scenario[] {
  const cases: readonly (readonly [Limits, number])[] = [
    [small, 6_000],
    [middle, 16_000],
    [wide, 968_000],
    [limits(60_000, 8_192, 7_952, { inputLimitTokens: 40_000 }), 31_808],
    [limits(60_000, 32_000, 8_750, { inputLimitTokens: 40_000, reservedTokens: 5_000 }), 35_000],
    [limits(12_000, 4_000, 2_000, { auto: false }), 8_000],
  ];
  return (quick ? cases.slice(0, 2) : cases).flatMap(([within, usableTokens], nth) =>
    [-1, 0, 1].map((over) => {
      const flavour: Flavour = {
        turns: [1, 4],
        userBytes: [1, 3_000],
        resultBytes: [1, 2_500],
        portions: 2,
        broken: false,
      };
      const { portions } = randomHistory(seed, `automatic ${nth} ${over}`, flavour);
      return scenario(`limits ${nth}, usage ${over} over usable`, within, [
        automaticRound(opened(portions[0] ?? []), usableTokens + over, itself),
        automaticRound(opened(portions[1] ?? []), usableTokens + 1, itself),
        forced([]),
      ]);
    }),
  );
}
