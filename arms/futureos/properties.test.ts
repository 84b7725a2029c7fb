import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Arm } from "../../harness/arm.ts";
import type { Message } from "../../harness/chain/message.ts";
import { paired, pairFaults, readable, textOf } from "../../harness/chain/message.ts";
import { messagesOf, reply } from "../testing.ts";
import { futureosDeterministic } from "./deterministic.ts";
import { futureosSummarized } from "./summarized.ts";
import { assistant, call, compactAt, result, user } from "./testing.ts";

/** What one user turn holds: its text, and then assistant texts with the bodies of parallel results. */
const turn = fc.record({
  said: fc.string({ unit: "binary", maxLength: 30 }),
  work: fc.array(
    fc.record({
      text: fc.constantFrom("", " ", "已完成 src/app.ts 的修改。", "Looked at it.", "long ".repeat(900)),
      bodies: fc.array(fc.constantFrom("", "ok", "line\n".repeat(300), "错误 ".repeat(200), "x".repeat(40_000)), {
        maxLength: 3,
      }),
      failed: fc.boolean(),
      answered: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
});

const journals = fc.array(turn, { minLength: 1, maxLength: 6 }).map((turns) => turns.flatMap(messagesOfTurn));

function messagesOfTurn({ said, work }: typeof turn extends fc.Arbitrary<infer T> ? T : never, at: number): Message[] {
  return [
    user(`u${at}`, said),
    ...work.flatMap(({ text, bodies, failed, answered }, step) => {
      const ids = bodies.map((_, index) => `${at}-${step}-${index}`);
      const results = bodies.map((body, index) => result(`r${ids[index]}`, ids[index] ?? "", body, failed));
      return [
        assistant(`a${at}-${step}`, text, ...ids.map((id) => call(id, { path: `src/${id}.ts` }))),
        ...(answered ? results : results.slice(1)),
      ];
    }),
  ];
}

/** Two ends of a journal, in order, that part no call from its results. */
const cases = fc.tuple(journals, fc.nat(), fc.nat()).map(([journal, first, second]) => {
  const safe = journal.flatMap((_, index) => (journal[index + 1]?.role === "tool" ? [] : [index + 1]));
  const ends = [first, second].map((pick) => safe[pick % safe.length] ?? journal.length);
  return { journal, ends: [...new Set(ends)].sort((a, b) => a - b) };
});

const arms: readonly Arm[] = [futureosDeterministic, futureosSummarized];
const run = (arm: Arm, journal: readonly Message[], ends: readonly number[]) =>
  compactAt(arm, journal, ends, () => reply("## Objective\n- go on"), { windowTokens: 1_000_000 });

describe.each(arms)("$id, over random journals and a second compaction", (arm) => {
  const check = (holds: (input: { journal: readonly Message[]; ends: readonly number[] }) => Promise<void>) =>
    fc.assert(fc.asyncProperty(cases, holds), { numRuns: 60 });

  it("projects and asks with whole pairs only", async () => {
    await check(async ({ journal, ends }) => {
      for (const { compaction, requests } of await run(arm, journal, ends)) {
        expect(pairFaults(messagesOf(compaction.projection))).toEqual([]);
        for (const { messages } of requests) expect(pairFaults(messages)).toEqual([]);
      }
    });
  });

  it("keeps every text of every user, in order and as it was", async () => {
    await check(async ({ journal, ends }) => {
      const steps = await run(arm, journal, ends);
      steps.forEach(({ compaction }, index) => {
        const texts = (messages: readonly Message[]) =>
          messages.flatMap((message) => (message.id.startsWith("u") && textOf(message).trim() !== "" ? [message] : []));
        expect(texts(messagesOf(compaction.projection))).toEqual(texts(journal.slice(0, ends[index])));
      });
    });
  });

  it("covers the readable text of every message with spans whose sources are in the journal", async () => {
    await check(async ({ journal, ends }) => {
      const ids = new Set(journal.map(({ id }) => id));
      for (const { compaction } of await run(arm, journal, ends))
        for (const { message, spans } of compaction.projection) {
          expect(spans.reduce((sum, { chars }) => sum + chars, 0)).toBe(readable(message).join("").length);
          expect(spans.flatMap(({ sources }) => sources).filter((id) => !ids.has(id))).toEqual([]);
          expect(spans.length === 1 && spans[0]?.part !== "evidence" ? spans[0]?.sources : [message.id]).toEqual([
            message.id,
          ]);
        }
    });
  });

  it("keeps what came after the cutoff untouched, and changes no input", async () => {
    await check(async ({ journal, ends }) => {
      const copy = structuredClone(journal);
      const steps = await run(arm, journal, ends);
      steps.forEach(({ compaction }, index) => {
        const tail = compaction.projection.filter(({ spans }) => spans[0]?.part === "tail");
        const whole = paired(journal.slice(0, ends[index]));
        expect(messagesOf(tail)).toEqual(whole.slice(whole.length - tail.length));
      });
      expect(journal).toEqual(copy);
    });
  });

  it("gives equal results for equal inputs", async () => {
    await check(async ({ journal, ends }) => {
      expect(await run(arm, structuredClone(journal), ends)).toEqual(await run(arm, journal, ends));
    });
  });
});
