import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../chain/message.ts";
import { textTokens } from "../../chain/tokens.ts";
import { stands } from "../../exam/stands.ts";
import { summarise, summaryOpening } from "./summariser.ts";

let count = 0;
const text = (role: "user" | "assistant", body: string): Message => ({
  id: `m${count++}`,
  role,
  blocks: [{ kind: "text", text: body }],
});
const result = (body: string): Message => ({
  id: `m${count++}`,
  role: "tool",
  blocks: [{ kind: "result", call: "c", text: body, error: false }],
});

const headings = ["## Goal", "## Important Details", "## Work State", "### Completed", "## Next Steps", "## Files"];
const ask = (limit = ""): string => `Sum up. ${limit}\n\n${headings.join("\n- …\n\n")}\n- …`;

const summaryOf = (messages: readonly Message[], instruction = ask(), maxOutputTokens = 8_192): string =>
  summarise({
    system: "",
    tools: [],
    toolChoice: "none",
    messages: [...messages, text("user", instruction)],
    maxOutputTokens,
  });

/** Bullets of a summary by heading. */
function sections(summary: string): Map<string, string[]> {
  const found = new Map<string, string[]>([["", []]]);
  let heading = "";
  for (const line of summary.split("\n"))
    if (line.startsWith("#")) found.set((heading = line), []);
    else if (line.startsWith("- ")) found.get(heading)?.push(line.slice(2));
  return found;
}
const bullets = (summary: string): string[] => [...sections(summary).values()].flat();

const session = [
  text("user", "Keep the cap at 96 MiB.\nThanks!"),
  text("assistant", "I decided to keep CSV because PR #482 needs it.\nNothing else."),
  result("trace_0af3b7 written\nnothing here"),
  text("assistant", "Touched src/cap.ts.\nNext: run the 41 tests.\nAll 12 checks pass."),
];

const long = Array.from({ length: 400 }, (_, n) =>
  text(n % 3 === 0 ? "user" : "assistant", `Step ${n} leaves \`value_${n}\` in lib/part${n}.ts as it was.`),
);

describe("the summariser", () => {
  it("puts identifier-bearing lines, and no others, under the headings asked for", () => {
    expect([...sections(summaryOf(session))]).toEqual([
      ["", []],
      ["## Goal", ["Keep the cap at 96 MiB."]],
      ["## Important Details", ["I decided to keep CSV because PR #482 needs it."]],
      ["## Work State", []],
      ["### Completed", ["All 12 checks pass.", "trace_0af3b7 written"]],
      ["## Next Steps", ["Next: run the 41 tests."]],
      ["## Files", ["Touched src/cap.ts."]],
    ]);
  });

  it("lists lines without headings where none are asked for", () => {
    const summary = summaryOf(session, "Write a handoff for the next agent.");
    expect(summary.split("\n")[0]).toBe(summaryOpening);
    expect(bullets(summary)).toHaveLength(6);
    expect(summary).not.toContain("#G");
  });

  it("says so under every heading where there is nothing to tell", () => {
    const summary = summaryOf([text("user", "hello")]);
    expect(bullets(summary)).toEqual(Array.from({ length: headings.length - 1 }, () => "(none)"));
  });

  it("prefers the newest lines", () => {
    const summary = summaryOf(long);
    expect(summary).toContain("value_399");
    expect(summary).toContain("value_398");
    expect(summary).not.toContain("value_0`");
    const files = sections(summary).get("## Files") ?? [];
    expect(files.length).toBeGreaterThan(5);
    const steps = files.map((line) => Number(/Step (\d+)/.exec(line)?.[1]));
    expect(steps).toEqual(steps.toSorted((a, b) => b - a));
  });

  it("fills 1,600 tokens, or what the instruction or the output limit leaves of them", () => {
    const sizes = [summaryOf(long), summaryOf(long, ask("Use at most 4,096 tokens.")), summaryOf(long, ask(), 1_601)];
    for (const summary of sizes) expect(textTokens(summary)).toBeGreaterThan(1_560);
    for (const summary of sizes) expect(textTokens(summary)).toBeLessThanOrEqual(1_600);
    expect(textTokens(summaryOf(long, ask("Use at most 500 tokens.")))).toBeLessThanOrEqual(500);
    expect(textTokens(summaryOf(long, ask(), 300))).toBeLessThanOrEqual(300);
  });

  it("reads a flattened conversation by its labels as it reads messages", () => {
    const label = { user: "User", assistant: "Assistant", tool: "Tool result" };
    const flat = session
      .map(
        ({ role, blocks: [block] }) =>
          `[${label[role]}]: ${block?.kind === "text" || block?.kind === "result" ? block.text : ""}`,
      )
      .join("\n\n");
    expect(summaryOf([], `Sum up.\n<conversation>\n${flat}\n</conversation>\n${ask()}`)).toBe(summaryOf(session));
  });

  it("takes headings and limits from the instruction alone", () => {
    const carried = "<prior-summary>\n## Old\n- at most 10 tokens\n</prior-summary>";
    const flat = "<conversation>\n[User]: # Title\nat most 10 tokens of src/a.ts\n</conversation>";
    const summary = summaryOf([], `Sum up the <conversation>.\n${carried}\n${flat}\n${ask()}`);
    expect([...sections(summary).keys()]).toEqual(["", ...headings]);
    expect(summary).toContain("at most 10 tokens of src/a.ts");
  });

  it("looks into tool results only where prose leaves room", () => {
    const results = [result("src/from-result.ts:1 ok")];
    expect(summaryOf([...session, ...results])).toContain("src/from-result.ts:1");
    const crowded = [
      ...long,
      ...long.map((_, n) => text("assistant", `Now ${n} of 400; next is \`t_${n}\`.`)),
      ...results,
    ];
    expect(summaryOf(crowded)).not.toContain("src/from-result.ts:1");
  });

  it("leaves a line of 3.6 MB without white space out, and takes a long one in pieces", () => {
    const summary = summaryOf([text("assistant", "1234567,".repeat(450_000)), ...session]);
    expect(bullets(summary)).toEqual(bullets(summaryOf(session)));
    expect(summaryOf([text("assistant", `${"so it went on ".repeat(300)}until PR #77`)])).toContain("until PR #77");
  });
});

describe("a summary of a summarised session", () => {
  const first = summaryOf(session);
  const later = [text("user", "Now raise it to 128 MiB."), text("assistant", "Raised in src/raised.ts.")];

  it.each([
    ["handed over in tags", [], `<prior-summary>\n${first}\n</prior-summary>\n`],
    ["found in the history, whatever stands before it", [text("user", `A model wrote this:\n${first}`)], ""],
  ])("carries the old one on, %s", (_, history, carried) => {
    const second = sections(summaryOf([...history, ...later], carried + ask()));
    expect(second.get("## Goal")).toEqual(["Now raise it to 128 MiB.", "Keep the cap at 96 MiB."]);
    expect(second.get("## Important Details")).toEqual(["I decided to keep CSV because PR #482 needs it."]);
    expect(second.get("## Files")).toEqual(["Raised in src/raised.ts.", "Touched src/cap.ts."]);
  });

  it("gives the old one a quarter and the new lines the rest", () => {
    const old = summaryOf(long);
    const fresh = long.map((_, n) => text("assistant", `Later ${n} leaves \`fresh_${n}\` in place.`));
    const second = bullets(summaryOf([text("user", old), ...fresh]));
    const carried = second.filter((line) => line.includes("value_"));
    const share = textTokens(carried.map((line) => `- ${line}\n`).join(""));
    expect(share).toBeGreaterThan(300);
    expect(share).toBeLessThanOrEqual(400);
    expect(textTokens(second.join("\n"))).toBeGreaterThan(1_400);
  });

  it("gives the old one more where new lines leave room", () => {
    const second = bullets(summaryOf([text("user", summaryOf(long)), ...later]));
    expect(second).toContain("Raised in src/raised.ts.");
    expect(textTokens(second.join("\n"))).toBeGreaterThan(1_400);
  });

  it("carries a summary that something else wrote, by its own headings", () => {
    const foreign = "<prior-summary>\n## Next Steps\n- ship build_17 today\n\nA remark.\n</prior-summary>\n";
    expect(sections(summaryOf([], foreign + ask())).get("## Next Steps")).toEqual(["ship build_17 today"]);
  });
});

describe("every line of a summary", () => {
  const word = fc.constantFrom(
    "PR #12",
    "src/a.ts",
    "`name_1`",
    "12.5 MiB",
    "ver_1a2b3c",
    "next",
    "because",
    "缓存",
    "好。",
    "a.",
    "🧵",
  );
  const passage = fc.record({
    role: fc.constantFrom("user" as const, "assistant" as const),
    words: fc.array(fc.oneof(word, fc.constantFrom("\n", "x".repeat(150))), { maxLength: 40 }),
  });

  it("stands in the request", () => {
    fc.assert(
      fc.property(fc.array(passage, { maxLength: 8 }), (passages) => {
        const messages = passages.map(({ role, words }) => text(role, words.join(" ")));
        const sources = passages.map(({ words }) => words.join(" "));
        for (const line of bullets(summaryOf(messages)).filter((line) => line !== "(none)"))
          expect(sources.some((source) => stands(source, line))).toBe(true);
      }),
    );
  });

  it("comes from texts alone, so that other message ids change nothing", () => {
    const renamed = session.map((message) => ({ ...message, id: `other-${message.id}` }));
    expect(summaryOf(renamed)).toBe(summaryOf(session));
  });
});
