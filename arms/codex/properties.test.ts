import * as fc from "fast-check";
import { expect, it } from "vitest";
import { pairFaults, textOf } from "../../harness/chain/message.ts";
import { codex } from "../codex.ts";
import { growing, histories } from "../testing-histories.ts";

const arm = { ...codex, options: { ...codex.options, keepUserTokens: 300 } };
it("sends valid pairs and keeps true texts, through any history compacted again and again", async () => {
  const sessions = fc.array(histories(12), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(sessions, async (grown) => {
      const { journal, requests, compact, say } = growing({
        ...codex,
        options: { ...codex.options, keepUserTokens: 300 },
      });
      for (const [round, messages] of grown.entries()) {
        say(...messages.map((message) => ({ ...message, id: `${round}-${message.id}` })));
        const { projection } = await compact(`sum ${round}`);
        const byId = new Map(journal.map((message) => [message.id, textOf(message)]));
        for (const { message, spans } of projection.slice(0, -1)) {
          const source = byId.get(spans[0]?.sources[0] ?? "") ?? "";
          const [head = "", tail] = textOf(message).split(/…\d+ tokens truncated…/);
          expect(source.toWellFormed().startsWith(head.toWellFormed())).toBe(true);
          expect(source.toWellFormed().endsWith((tail ?? head).toWellFormed())).toBe(true);
        }
      }
      for (const { messages } of requests) expect(pairFaults(messages)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

it("gives equal results for equal inputs", async () => {
  const run = async (history: Parameters<ReturnType<typeof growing>["say"]>) => {
    const { compact, requests, say } = growing(arm);
    say(...history);
    return { compactions: [await compact("sum"), await compact(" ")], requests };
  };
  await fc.assert(
    fc.asyncProperty(histories(14), async (history) => {
      expect(await run(history)).toEqual(await run(history));
    }),
    { numRuns: 40 },
  );
});
