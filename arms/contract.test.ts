import { describe, expect, it } from "vitest";
import lastWords from "../fixtures/arms/last-words.ts";
import { type Arm, type Compaction, defineArm, generated, verbatim } from "../harness/arm.ts";
import { type Message, paired } from "../harness/chain/message.ts";
import { BudgetError, CompactionRefusedError } from "../harness/errors.ts";
import { arms } from "./index.ts";
import { walk } from "./contract-walk.ts";
import { clauses, contractFaults, type Expectations, shrinkFaults } from "./contract.ts";
import { smallChains } from "./small-chains.ts";

/** What the listed arms say about themselves; an arm that is not named asks no model and keeps nothing blank. */
const said: { readonly [id: string]: Expectations } = {
  "futureos-summarized": { asksModel: true },
  codex: { asksModel: true, keepsBlank: "blank user messages survive a compaction in the product" },
  opencode: { asksModel: true },
};
const saidOf = ({ id }: Arm): Expectations => said[id] ?? { asksModel: false };

const blankIds = ({ projection }: Compaction): string[] =>
  projection.flatMap(({ message: { id, blocks } }) =>
    blocks.some((block) => block.kind === "text" && block.text === "") ? [id] : [],
  );

describe.each([...arms, lastWords])("$id", (arm) => {
  it.each(clauses)("$claim", async ({ faults }) => {
    const found = await Promise.all(smallChains.map((chain) => faults(arm, chain, saidOf(arm))));
    expect(found.flat()).toEqual([]);
  });

  it("shrinks a session above its trigger, where it has one", async () => {
    expect(await shrinkFaults(arm)).toEqual([]);
  });

  it("asks the model, and keeps blanks, where it says so", async () => {
    const steps = (await Promise.all(smallChains.map((chain) => walk(arm, chain)))).flat();
    expect(steps.some(({ requests }) => requests.length > 0)).toBe(saidOf(arm).asksModel);
    const blanks = steps.flatMap(({ result }) => (result.kind === "returned" ? blankIds(result.outcome) : []));
    expect(blanks.length > 0).toBe(saidOf(arm).keepsBlank !== undefined);
  });
});

const whole = (journal: readonly Message[]) => paired(journal).map((message) => verbatim("original", message));

/** An arm that keeps everything and breaks one promise. */
const broken = (compact: Arm["compact"]): Arm =>
  defineArm({ id: "broken", title: "Broken", source: { kind: "control" }, options: {}, compact });
const keeping = (change: (kept: ReturnType<typeof whole>, journal: readonly Message[]) => ReturnType<typeof whole>) =>
  broken(({ journal }) =>
    Promise.resolve({ kind: "compacted", projection: change(whole(journal), journal), state: null }),
  );
const compacted = (journal: readonly Message[], state: unknown): Compaction => ({
  kind: "compacted",
  projection: whole(journal),
  state: state as null,
});

let runs = 0;
const request = { system: "", tools: [], toolChoice: "none", maxOutputTokens: 10 } as const;
const ask = (text: string): Message => ({ id: "ask", role: "user", blocks: [{ kind: "text", text }] });

const breakers: readonly (readonly [claim: string, arm: Arm])[] = [
  [
    "leaves its input untouched",
    broken(({ journal }) => {
      (journal as Message[]).push(ask("one more"));
      return Promise.resolve(compacted(journal, null));
    }),
  ],
  [
    "compacts every prefix, or refuses in one line",
    broken(({ journal, previous }) => {
      if (journal.length > 3 && !previous) throw new CompactionRefusedError("too\nlong");
      return Promise.resolve(compacted(journal, null));
    }),
  ],
  [
    "compacts its own output again, or refuses in one line",
    broken(({ journal, previous }) => {
      if (previous) throw new Error("twice");
      return Promise.resolve(compacted(journal, null));
    }),
  ],
  [
    "gives equal output for equal input and replies",
    broken(({ journal, previous }) =>
      Promise.resolve({ ...compacted(journal, null), counts: previous ? {} : { runs: runs++ } }),
    ),
  ],
  [
    "leaves no call or result without its partner",
    keeping((kept) => kept.filter(({ message }) => message.role !== "tool")),
  ],
  [
    "asks only what a provider accepts",
    broken(async ({ journal }, context) => {
      await context.complete({ ...request, messages: [...journal, ask("Sum up.")] });
      return compacted(journal, null);
    }),
  ],
  ["keeps no content of no length", keeping((kept) => [...kept, generated("summary", "s", "user", "")])],
  [
    "labels every character of its projection",
    keeping((kept) => [...kept, { ...generated("summary", "s", "user", "some"), spans: [] }]),
  ],
  ["names true sources", keeping((kept) => [...kept, generated("summary", "s", "user", "some", ["nobody"])])],
  [
    "names true sources",
    keeping((kept, [first]) => [
      ...kept,
      ...(first ? [generated("tail", "s", "user", "what the source never says", [first.id])] : []),
    ]),
  ],
  [
    "asks the model only if it says so",
    broken(async ({ journal }, context) => {
      await context.complete({ ...request, messages: [ask("Sum up.")] });
      return compacted(journal, null);
    }),
  ],
  [
    "keeps its state as JSON",
    broken(({ journal }) => Promise.resolve(compacted(journal, { seen: new Map([[1, journal.length]]) }))),
  ],
  [
    "loses no new message in a step that it leaves unchanged",
    broken(({ journal }) =>
      Promise.resolve({ kind: "unchanged", projection: whole(journal.slice(0, -2)), reason: "small" }),
    ),
  ],
  [
    "passes on a refused budget, an interruption and a provider that stops",
    broken(async ({ journal }, context) => {
      await context.complete({ ...request, messages: [ask("Sum up.")] }).catch(() => undefined);
      return compacted(journal, null);
    }),
  ],
];

const chainsNamed = (name: string) => smallChains.filter((chain) => chain.name === name);

describe("the suite", () => {
  const plain = chainsNamed("plain");

  it.each(breakers)("catches an arm that breaks: %s", async (claim, arm) => {
    const faults = await contractFaults(arm, { asksModel: !claim.startsWith("asks the model only") }, plain);
    expect(new Set(faults.map((fault) => fault.split(": ")[0]))).toEqual(new Set([claim]));
  });

  it("has an arm that breaks each clause", () => {
    expect(new Set(breakers.map(([claim]) => claim))).toEqual(new Set(clauses.map(({ claim }) => claim)));
  });

  it("catches a product that does not shrink", async () => {
    const product: Arm = { ...keeping((kept) => kept), source: { kind: "variant", of: "full", change: "none" } };
    expect(await shrinkFaults(product)).toEqual([expect.stringMatching(/^turns (\d+) tokens into \1$/)]);
  });

  it("knows a cut original by head and tail, and does not take another text for one", async () => {
    const cut = (marker: string): Arm =>
      keeping((kept) =>
        kept.flatMap(({ message }) => {
          const [block] = message.blocks;
          if (block?.kind !== "text" || block.text.length < 200) return [];
          const text = `${block.text.slice(0, 40)}${marker}${block.text.slice(-40)}`;
          return [generated("original", message.id, "user", text, [message.id])];
        }),
      );
    const wordy = chainsNamed("more user text than is kept whole");
    expect(await contractFaults(cut("…60 tokens truncated…"), { asksModel: false }, wordy)).toEqual([]);
    const other = await contractFaults(cut("and something that nobody wrote ".repeat(4)), { asksModel: false }, wordy);
    expect(new Set(other.map((fault) => fault.split(": ")[0]))).toEqual(new Set(["names true sources"]));
  });

  it("lets the run's own errors through as they are", async () => {
    const error = new BudgetError("0.2 needed, 0.1 left.", 2n, 1n);
    const arm = broken(() => Promise.reject(error));
    const [first] = await contractFaults(arm, { asksModel: true }, plain);
    expect(first).toContain("throws BudgetError: 0.2 needed, 0.1 left.");
  });
});
