import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../chain/message.ts";
import type { ModelRequest } from "../models/model.ts";
import { Refusal } from "../serve/wire.ts";
import { anyRequest, callBlock, requestOf, resultOf, say, textBlock } from "../models/remote/testing-requests.ts";
import { cacheRules, cachedUsage, createPrefixCache } from "./cache-rules.ts";
import { sharedPrefix, unlessRefused, type Weighed, weighed } from "./measure.ts";
import { type Style, styles } from "./styles.ts";

const style = (id: string): Style => {
  const found = styles.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};
const weigh = (one: Style, request: ModelRequest): Weighed => weighed(one, one.encode(request));

const long = "a line of an engineering session, as they come\n".repeat(400);
const turn = (n: number): Message[] => [
  say("user", `question ${n}\n${long}`),
  { id: `a${n}`, role: "assistant", blocks: [textBlock(`looking at ${n}`), callBlock(`c${n}`, `src/${n}.ts`)] },
  resultOf(`c${n}`, `${n}\n${long}`),
  say("assistant", `answer ${n}`),
];
const history = [...turn(1), ...turn(2)];
/** The request that gave the last answer, and a compaction request that goes on from it. */
const session = requestOf(history.slice(0, -1), { toolChoice: "auto" });
const onward = requestOf([...history, say("user", "Summarise this.")], { toolChoice: "auto", purpose: "compact" });

describe("sharedPrefix", () => {
  it("finds the session's last request whole in a request that goes on from it", () => {
    for (const one of styles) {
      const shared = sharedPrefix(one, weigh(one, session), weigh(one, onward));
      expect(shared.isWhole).toBe(true);
      expect(shared.bytes / shared.ofBytes).toBeGreaterThan(0.95);
      expect(shared.tokens / shared.ofTokens).toBeGreaterThan(0.95);
    }
  });

  it("shares nothing without tools, and beside them all that is equal", () => {
    for (const one of styles.filter(({ form }) => form === "chat")) {
      const shared = sharedPrefix(one, weigh(one, session), weigh(one, { ...onward, tools: [] }));
      expect([shared.bytes, shared.tokens, shared.isWhole]).toEqual([0, 0, false]);
      expect(shared.besideTools.tokens / shared.besideTools.ofTokens).toBeGreaterThan(0.95);
    }
  });

  it("counts a part of the first block that differs", () => {
    const one = style("openai");
    const changed = { ...onward, system: `${onward.system} Once more.` };
    const shared = sharedPrefix(one, weigh(one, session), weigh(one, changed));
    const tools = sharedPrefix(one, weigh(one, session), weigh(one, { ...changed, system: "Z" }));
    expect(shared.tokens - tools.tokens).toBe(Math.floor(session.system.length / 4));
  });

  it("gives each provider's usage: in steps of 128, to the last breakpoint, or to the end of a reply", () => {
    const openai = sharedPrefix(style("openai"), weigh(style("openai"), session), weigh(style("openai"), onward));
    const read = openai.usage.openai?.cacheReadTokens ?? 0;
    expect(read % 128).toBe(0);
    expect(openai.tokens - read).toBeLessThan(128);
    // The unit that ends with the reply is longer than the session's request.
    expect(openai.usage.deepseek?.cacheReadTokens ?? 0).toBeGreaterThan(openai.tokens);
    const anthropic = style("anthropic");
    const exact = sharedPrefix(anthropic, weigh(anthropic, session), weigh(anthropic, onward));
    expect(exact.usage.anthropic?.cacheReadTokens).toBe(exact.tokens);
  });

  it("reads nothing below the minimum of the rules", () => {
    const one = style("anthropic");
    const short = requestOf([say("user", "hello")]);
    const longer = requestOf([say("user", "hello"), say("assistant", "hello"), say("user", "go on")]);
    expect(sharedPrefix(one, weigh(one, short), weigh(one, longer)).usage.anthropic?.cacheReadTokens).toBe(0);
  });

  it("gives what the rules give for the whole texts, whatever the two requests are", () => {
    const rules = Object.values(cacheRules);
    fc.assert(
      fc.property(fc.constantFrom(...styles), anyRequest, anyRequest, fc.nat(), (one, left, right, cut) => {
        const big = (request: ModelRequest): ModelRequest => ({
          ...request,
          system: long.slice(cut % 64) + request.system,
        });
        const shared = { ...big(right), messages: [...left.messages.slice(0, cut % 5), ...right.messages] };
        const all = [big(left), shared].map((request) => unlessRefused(() => weigh(one, request)));
        const [earlier, later] = all;
        if (earlier instanceof Refusal || later instanceof Refusal || !earlier || !later) return;
        const named = Object.fromEntries(rules.map((rule, at) => [at, rule]));
        const { usage, isWhole } = sharedPrefix({ rules: named }, earlier, later);
        const expected = rules.map((rule) => {
          const cache = createPrefixCache(rule);
          const reply = later.request.blocks.slice(earlier.request.blocks.length);
          const end = reply.findIndex(({ by }) => by !== "assistant");
          cache.ask(earlier.request).keep(isWhole ? reply.slice(0, end < 0 ? undefined : end) : []);
          return cache.ask(later.request).usage;
        });
        expect(Object.values(usage)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it("agrees with the rules for one earlier request", () => {
    const one = style("openai");
    const [earlier, later] = [weigh(one, session), weigh(one, onward)];
    const usage = cachedUsage(cacheRules.openai, later.request, [earlier.request]);
    expect(sharedPrefix(one, earlier, later).usage.openai).toEqual(usage);
  });
});

describe("unlessRefused", () => {
  it("gives a refusal back and lets a bug through", () => {
    const broken = unlessRefused(() => weighed(style("openai"), { model: "m", messages: [{ role: "nobody" }] }));
    expect(broken).toBeInstanceOf(Refusal);
    expect(() =>
      unlessRefused(() => {
        throw new TypeError("a bug");
      }),
    ).toThrow("a bug");
  });
});
