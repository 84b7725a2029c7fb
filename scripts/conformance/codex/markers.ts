/** User messages that mean something to Codex, and ones that nearly do. */
import type { CodexPrompts } from "../../../arms/codex/prompts.ts";
import type { Message } from "../../../harness/chain/message.ts";
import type { Random } from "../../../harness/random.ts";
import type { Scenario } from "../scenario.ts";
import { type Author, author, image, text } from "../texts.ts";
import { forced } from "../rounds.ts";
import { scenario } from "./rounds.ts";

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
export const specials =
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
export function markers(prompts: CodexPrompts): Scenario[] {
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
