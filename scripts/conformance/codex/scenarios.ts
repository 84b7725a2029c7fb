/** Scenarios that look at every rule of Codex's compaction. */
import type { CodexPrompts } from "../../../arms/codex/prompts.ts";
import { codexDefaults } from "../../../arms/codex.ts";
import type { Message } from "../../../harness/chain/message.ts";
import type { JsonObject } from "../../../harness/json.ts";
import { type Random, randomStream } from "../../../harness/random.ts";
import { chainHistories, type Flavour, type History, randomHistory } from "../histories.ts";
import type { Round, Scenario, SummaryAnswer } from "../scenario.ts";
import { type Alphabet, alphabetNames, type Author, author, image, text, textOfBytes } from "../texts.ts";

const windowTokens = 1_000_000;
const budgetBytes = codexDefaults.keepUserTokens * 4;

const summaries: readonly string[] = [
  "## Goal\n- go on",
  "  framed by white space \n",
  "数据 and 😀",
  "one\r\ntwo\u0000",
  "x".repeat(3_000),
];

const answered = (value: string): SummaryAnswer => ({ kind: "text", text: value });

const scenario = (
  name: string,
  rounds: readonly Round[],
  options: JsonObject = {},
  window = windowTokens,
): Scenario => ({
  name,
  windowTokens: window,
  outputReserveTokens: 0,
  options,
  rounds,
});

const forced = (
  messages: readonly Message[],
  answers: readonly SummaryAnswer[] = [answered("## Goal\n- go on")],
  next = "And now the next thing.",
): Round => ({
  messages,
  trigger: { kind: "forced" },
  answers,
  next,
});

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

/** One user text around the budget, alone and after smaller ones. */
function budgets(seed: number, quick: boolean): Scenario[] {
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

const signed = (value: number): string => (value < 0 ? `${value}` : `+${value}`);

/** What is left of the budget for one more text: 0, 1, 2, … tokens, the text in every alphabet. */
function left(seed: number, quick: boolean): Scenario[] {
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

const tags = [
  "environment_context",
  "recommended_plugins",
  "skill",
  "subagent_notification",
  "turn_aborted",
  "user_shell_command",
  "goal_context",
  "external_note",
];

/** User messages that mean something to the program, and ones that nearly do. */
const specials =
  (prompts: CodexPrompts) =>
  (random: Random, write: Author): Message[] => {
    const tag = random.pick(tags);
    const all: readonly (() => Message)[] = [
      () => write.user(`<${tag}>\n  something\n</${tag}>`),
      () => write.user(` \n<${tag}>something</${tag}>\n`),
      () => write.user(`<${tag}>something</${tag}> and more`),
      () => write.user("# AGENTS.md instructions for here\n\n<INSTRUCTIONS>\nbe brief\n</INSTRUCTIONS>"),
      () => write.user("a wish", `<${tag}>in a part of its own</${tag}>`),
      () => write.user(`${prompts.summaryPrefix}\nan older summary`),
      () => write.user(`${prompts.summaryPrefix}, said by the user`),
      () => write.user(image),
      () => write.user("look: ", image, " and say"),
      () => write.user("one part, ", "another part"),
      () => write.user(text(""), image, text("")),
    ];
    return [random.pick(all)()];
  };

/** Every opening and closing that the program knows, whole, in another case, framed and broken. */
function markers(prompts: CodexPrompts): Scenario[] {
  const written = [...tags, "external_", "external_a-b.c", "skills", "goal"].flatMap((tag) => [
    `<${tag}>x</${tag}>`,
    `<${tag.toUpperCase()}>x</${tag.toUpperCase()}>`,
    `\u0085\ufeff <${tag}>x</${tag}>`,
    `\u0085\u2003<${tag}>x</${tag}>\u00a0`,
    `<${tag}>x`,
    `<${tag}></${tag}>`,
    `<${tag} a="1">x</${tag}>`,
    `<${tag}>x</${tag}>.`,
    `<${tag}>x</${tag.toUpperCase()}>`,
  ]);
  const more = [
    "# AGENTS.md instructions</INSTRUCTIONS>",
    "# agents.md INSTRUCTIONS for /x\n<INSTRUCTIONS>y</instructions>",
    "# AGENTS.md instructions without an end",
    '<hook_prompt hook_run_id="7">do this</hook_prompt>',
    '<hook_prompt hook_run_id="">do this</hook_prompt>',
    '<b hook_run_id="7">bold</b> and more',
    "<hook_prompt>do this</hook_prompt>",
    `${prompts.summaryPrefix}\n`,
    prompts.summaryPrefix,
    ` ${prompts.summaryPrefix}\nframed`,
    `${prompts.summaryPrefix}\r\nother line end`,
    "<image>",
    "</image>",
  ];
  const write = author("k");
  const images: readonly Message[] = [
    write.user("<image>", image, "</image>"),
    write.user('<image name="a.png">', image, "</image>", "see it"),
    write.user("<image>", "no image", "</image>"),
    write.user("<image> ", image, " </image>"),
    write.user(image, image),
  ];
  return [
    ...chunks([...written, ...more], 6).map((some, nth) =>
      scenario(`markers ${nth}`, [forced(some.map((value) => write.user(value))), forced([])]),
    ),
    ...images.map((message, nth) => scenario(`image ${nth}`, [forced([message, write.assistant("seen")]), forced([])])),
  ];
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, nth) => items.slice(nth * size, (nth + 1) * size));
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
      const round = (messages: readonly Message[], usedTokens: number): Round => ({
        messages,
        trigger: { kind: "automatic", lead: "Go on.", usedTokens },
        answers: [answered("## State\n- compacted by itself")],
        next: "And then?",
      });
      return scenario(
        `usage ${at}${signed(over)} of window ${window}${limit === undefined ? "" : `, limit ${limit}`}`,
        [round(portions[0] ?? [], at + over), round(portions[1] ?? [], at + 1)],
        limit === undefined ? {} : { autoLimitTokens: limit },
        window,
      );
    }),
  );
}
