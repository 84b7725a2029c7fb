/** Scenarios that look at every rule of Codex's compaction. */
import type { CodexPrompts } from "../../../arms/codex/prompts.ts";
import { randomStream } from "../../../harness/random.ts";
import { chainHistories, type Flavour, type History, randomHistory } from "../histories.ts";
import type { Scenario, SummaryAnswer } from "../scenario.ts";
import { author } from "../texts.ts";
import { budgets, left, signed } from "./budgets.ts";
import { markers, specials } from "./markers.ts";
import { answered, automaticRound, forced } from "../rounds.ts";
import { scenario, summaries } from "./rounds.ts";

/** A scenario a rule and a size, of a seed; `quick` takes a smaller set of every kind. */
export function codexScenarios(seed: number, quick: boolean, prompts: CodexPrompts): Scenario[] {
  return [
    ...budgets(seed, quick),
    ...left(seed, quick),
    ...mixed(seed, quick, prompts),
    ...markers(prompts),
    ...blanks(),
    ...overflows(seed, quick),
    ...automatic(seed, quick),
    ...knownDifferences(),
  ];
}

/** What the arm does otherwise on purpose; the arm's `notModelled` says so too. */
function knownDifferences(): Scenario[] {
  const write = author("d");
  const between = [write.user("three at once"), ...write.step("", ["first", null, "third"])];
  const [call, result] = write.step("", ["first use"]);
  const twice = [write.user("the same id twice"), ...[call, result, call, result].flatMap((message) => message ?? [])];
  return [
    {
      ...scenario("an open call between answered ones", [forced(between)]),
      known: "an output apart from its call is brought forward: providers refuse it otherwise",
    },
    {
      ...scenario("a call id used twice", [forced(twice)]),
      known: "a call id's second use is renamed: providers refuse it otherwise",
    },
  ];
}

const lived = (seed: number, { name, portions }: History): Scenario => {
  const random = randomStream(seed, `conformance summaries of ${name}`);
  return scenario(
    name,
    portions.map((portion, index) => forced(portion, [answered(random.pick(summaries))], `Next, number ${index}.`)),
  );
};

/** Stretches of the generated chains. */
export const codexChains = (seed: number, quick: boolean): Scenario[] =>
  chainHistories(seed, quick ? [60, 400] : [12, 60, 150, 400, 1_000, 4_000]).map((history) => lived(seed, history));

/** Random sessions of several sizes. */
function mixed(seed: number, quick: boolean, prompts: CodexPrompts): Scenario[] {
  const special = specials(prompts);
  const flavours: readonly (readonly [string, number, Flavour])[] = [
    ["small", 20, { turns: [1, 6], userBytes: [0, 200], resultBytes: [0, 400], portions: 3, broken: true, special }],
    [
      "wordy users",
      20,
      { turns: [4, 10], userBytes: [2_000, 20_000], resultBytes: [0, 400], portions: 3, broken: true, special },
    ],
    [
      "huge users",
      12,
      { turns: [2, 4], userBytes: [40_000, 120_000], resultBytes: [0, 400], portions: 2, broken: false, special },
    ],
    [
      "huge results",
      10,
      { turns: [2, 5], userBytes: [100, 4_000], resultBytes: [20_000, 200_000], portions: 2, broken: true, special },
    ],
  ];
  return flavours.flatMap(([kind, count, flavour]) =>
    Array.from({ length: quick ? 3 : count }, (_, nth) => lived(seed, randomHistory(seed, `${kind} ${nth}`, flavour))),
  );
}

/** Replies of nothing but white space: the newest assistant text becomes the summary. */
function blanks(): Scenario[] {
  return ["", "   ", "\n\t", "\u00a0\u2003", "\u0085", "\ufeff", "\u200b"].flatMap((blank, nth) => {
    const write = author("w");
    const wish = write.user("please do it");
    return [
      scenario(`blank reply ${nth} after an assistant text`, [
        forced(
          [
            wish,
            write.assistant("an older text"),
            write.assistant("the newest text"),
            write.assistant(blank),
            ...write.step("", ["out"]),
          ],
          [answered(blank)],
        ),
        forced([], [answered(blank)]),
      ]),
      scenario(`blank reply ${nth} with no assistant text`, [
        forced([wish, ...write.step("", ["out"])], [answered(blank)]),
        forced([write.user("more")]),
      ]),
      scenario(`blank reply ${nth} after a step's text`, [
        forced([wish, ...write.step("before the call", ["out", "out"]), write.user("x")], [answered(blank)]),
      ]),
    ];
  });
}

/** Requests that do not fit, a few times or always. */
function overflows(seed: number, quick: boolean): Scenario[] {
  const counts = quick ? [1, 4, 100] : [1, 2, 3, 4, 6, 8, 12, 20, 100];
  return counts.map((count) => {
    const flavour: Flavour = { turns: [2, 4], userBytes: [1, 200], resultBytes: [1, 200], portions: 1, broken: true };
    const { portions } = randomHistory(seed, `overflow ${count}`, flavour);
    const answers: SummaryAnswer[] = [
      ...Array.from({ length: count }, (): SummaryAnswer => ({ kind: "overflow" })),
      answered("at last"),
    ];
    const items = (portions[0] ?? []).reduce((sum, { blocks }) => sum + blocks.length, 0);
    const rounds = [forced(portions[0] ?? [], answers)];
    return scenario(`overflow ${count} times`, count < items / 2 ? [...rounds, forced([])] : rounds);
  });
}

const itself = "## State\n- compacted by itself";

/** Usage around the limit, which is the user's or the program's. */
function automatic(seed: number, quick: boolean): Scenario[] {
  const cases: readonly { readonly window: number; readonly limit?: number; readonly at: number }[] = [
    { window: 272_000, at: 244_800 },
    { window: 200_000, limit: 190_000, at: 180_000 },
    { window: 100_001, at: 90_000 },
    { window: 99_999, at: 89_999 },
    { window: 200_000, limit: 50_000, at: 50_000 },

    { window: 1_000_000, limit: 20_000, at: 20_000 },
  ];
  return (quick ? cases.slice(0, 4) : cases).flatMap(({ window, limit, at }, nth) =>
    [-1, 0, 1].map((over) => {
      const flavour: Flavour = {
        turns: [1, 4],
        userBytes: [1, 3_000],
        resultBytes: [1, 300],
        portions: 2,
        broken: false,
      };
      const { portions } = randomHistory(seed, `automatic ${nth} ${over}`, flavour);
      return scenario(
        `usage ${at}${signed(over)} of window ${window}${limit === undefined ? "" : `, limit ${limit}`}`,
        [automaticRound(portions[0] ?? [], at + over, itself), automaticRound(portions[1] ?? [], at + 1, itself)],
        limit === undefined ? {} : { autoLimitTokens: limit },
        window,
      );
    }),
  );
}
