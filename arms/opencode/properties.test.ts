import * as fc from "fast-check";
import { expect, it } from "vitest";
import { type Message, pairFaults, readable } from "../../harness/chain/message.ts";
import { opencode } from "../opencode.ts";
import { growing, histories } from "../testing-histories.ts";
import { messagesOf } from "../testing.ts";

const small = { windowTokens: 12_000, outputReserveTokens: 4_000 };
const sessions = fc.array(
  fc.record({
    grown: histories(14),
    summary: fc.constantFrom("", "S", " \n"),
    trigger: fc.constantFrom("forced" as const, "automatic" as const),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Every projection of a session compacted again and again, the message ids made unique over its growth. */
async function projections(plan: readonly { grown: Message[]; summary: string; trigger: "forced" | "automatic" }[]) {
  const session = growing(opencode, small);
  const all = [];
  for (const [round, { grown, summary, trigger }] of plan.entries()) {
    session.say(...grown.map((message) => ({ ...message, id: `${round}-${message.id}` })));
    all.push((await session.compact(summary, trigger)).projection);
  }
  return { all, journal: session.journal };
}

it("keeps every call answered and every tail text true, through any history compacted again and again", async () => {
  await fc.assert(
    fc.asyncProperty(sessions, async (plan) => {
      const { all, journal } = await projections(plan);
      const byId = new Map(journal.map((message) => [message.id, message]));
      for (const projection of all) {
        expect(pairFaults(messagesOf(projection))).toEqual([]);
        for (const { message, spans } of projection) {
          const [span] = spans;
          expect(spans).toHaveLength(1);
          expect(span?.chars).toBe(readable(message).join("").length);
          const sources = (span?.sources ?? []).map((id) => readable(byId.get(id) as Message));
          expect(sources).toEqual(sources.map(() => readable(message)));
        }
      }
    }),
    { numRuns: 150 },
  );
});

it("gives equal results for equal inputs", async () => {
  await fc.assert(
    fc.asyncProperty(sessions, async (plan) => {
      expect((await projections(plan)).all).toEqual((await projections(plan)).all);
    }),
    { numRuns: 40 },
  );
});
