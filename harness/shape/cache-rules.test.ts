import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  anthropicRules,
  type CacheRules,
  cachedUsage,
  cacheRules,
  createPrefixCache,
  type Life,
  type PrefixBlock,
  type PrefixRequest,
} from "./cache-rules.ts";

/** A text block of `tokens` tokens whose text is `name` over and over. */
const block = (name: string, tokens: number, breakpoint?: Life, by: PrefixBlock["by"] = "user"): PrefixBlock => ({
  by,
  head: "text",
  text: name.repeat(4 * tokens).slice(0, 4 * tokens),
  tokens,
  ...(breakpoint && { breakpoint }),
});
const system = (name: string, tokens: number, breakpoint?: Life) => block(name, tokens, breakpoint, "system");
const request = (...blocks: PrefixBlock[]): PrefixRequest => ({ blocks });
const usage = (fresh: number, read: number, write = 0, hour = 0) => ({
  freshInputTokens: fresh,
  cacheReadTokens: read,
  cacheWriteTokens: write,
  cacheWriteHourTokens: hour,
});

describe("OpenAI's rules", () => {
  const read = (next: PrefixRequest, ...earlier: PrefixRequest[]) =>
    cachedUsage(cacheRules.openai, next, earlier).cacheReadTokens;

  it("read 1,920 of a repeated prompt of 2,006 tokens and write nothing", () => {
    const asked = request(system("s", 1000), block("a", 1006));
    expect(cachedUsage(cacheRules.openai, asked, [asked])).toEqual(usage(86, 1920));
    expect(cachedUsage(cacheRules.openai, asked, [])).toEqual(usage(2006, 0));
  });

  it.each([
    [1023, 0],
    [1024, 1024],
    [1151, 1024],
    [1152, 1152],
    [1280, 1280],
  ])("of a shared prefix of %i tokens read %i", (shared, expected) => {
    const first = request(block("a", shared), block("b", 500));
    expect(read(request(block("a", shared), block("c", 500)), first)).toBe(expected);
  });

  it("share the beginning of a text that goes on differently", () => {
    const text = (end: string) => ({
      ...block("a", 1500),
      text: `${"a".repeat(6000)}${end.repeat(4000)}`,
      tokens: 2500,
    });
    expect(read(request(text("x")), request(text("y")))).toBe(1408);
  });

  it("share nothing behind a change at the front", () => {
    const rest = block("a", 5000);
    expect(read(request(block("t", 10, undefined, "tools"), rest), request(rest))).toBe(0);
    expect(read(request(system("s", 10), rest), request(system("z", 10), rest))).toBe(0);
  });

  it("take the longest prefix of any earlier request", () => {
    const [a, b, c] = [block("a", 1100), block("b", 300), block("c", 300)];
    expect(read(request(a, b, c), request(a))).toBe(1024);
    expect(read(request(a, b, c), request(a, c), request(a, b), request(a))).toBe(1280);
  });

  it("tell apart equal texts of other roles", () => {
    const shared = block("a", 2000);
    expect(read(request(shared), request({ ...shared, by: "assistant" }))).toBe(0);
  });

  it("keep pools apart", () => {
    const asked = { blocks: [block("a", 2048)] };
    expect(read({ ...asked, pool: "one" }, { ...asked, pool: "two" })).toBe(0);
    expect(read({ ...asked, pool: "one" }, { ...asked, pool: "one" })).toBe(2048);
  });
});

describe("Anthropic's rules", () => {
  const rules = cacheRules.anthropic;

  it("write up to the last breakpoint once and read it from then on", () => {
    const asked = (question: string) => request(system("s", 2000, "minutes"), block(question, 1000));
    expect(cachedUsage(rules, asked("q"), [])).toEqual(usage(1000, 0, 2000));
    expect(cachedUsage(rules, asked("r"), [asked("q")])).toEqual(usage(1000, 2000));
  });

  it("do nothing, silently, without a breakpoint or below the minimum", () => {
    const plain = request(system("s", 5000));
    expect(cachedUsage(rules, plain, [plain])).toEqual(usage(5000, 0));
    const short = request(system("s", 1023, "minutes"), block("q", 1000));
    expect(cachedUsage(rules, short, [short])).toEqual(usage(2023, 0));
    const enough = request(system("s", 1024, "minutes"), block("q", 1000));
    expect(cachedUsage(rules, enough, [])).toEqual(usage(1000, 0, 1024));
  });

  it("write an extension of what they read", () => {
    const history = [block("a", 1500), block("b", 700, "minutes")];
    const longer = request(block("a", 1500), block("b", 700), block("c", 300, "minutes"), block("q", 50));
    expect(cachedUsage(rules, longer, [request(...history)])).toEqual(usage(50, 2200, 300));
  });

  it.each([
    [19, 1500],
    [20, 0],
  ])("look back so far that an entry %i blocks before the breakpoint gives %i", (between, expected) => {
    const more = Array.from({ length: between }, (_, index) => block(`m${index} `, 10));
    const last = more.length - 1;
    const grown = request(
      block("a", 1500),
      ...more.map((one, at) => (at === last ? { ...one, breakpoint: "minutes" as const } : one)),
    );
    expect(cachedUsage(rules, grown, [request(block("a", 1500, "minutes"))]).cacheReadTokens).toBe(expected);
  });

  it("find through an earlier breakpoint what the last one is too far from", () => {
    const more = Array.from({ length: 40 }, (_, index) => block(`m${index} `, 10));
    const grown = request(block("a", 1500, "minutes"), ...more.slice(1), block("z", 10, "minutes"));
    expect(cachedUsage(rules, grown, [request(block("a", 1500, "minutes"))])).toEqual(usage(0, 1500, 400));
  });

  it("keep entries at breakpoints only", () => {
    const first = request(block("a", 1500), block("b", 1500, "minutes"));
    expect(cachedUsage(rules, request(block("a", 1500, "minutes"), block("c", 10)), [first])).toEqual(
      usage(10, 0, 1500),
    );
  });

  it("tell an hour's writes from minutes' behind them", () => {
    const asked = request(system("s", 1500, "hour"), block("h", 1000, "minutes"), block("q", 100));
    expect(cachedUsage(rules, asked, [])).toEqual(usage(100, 0, 2500, 1500));
    const next = request(system("s", 1500, "hour"), block("i", 900, "minutes"), block("q", 100));
    expect(cachedUsage(rules, next, [asked])).toEqual(usage(100, 1500, 900, 0));
  });

  it.each([
    ["claude-opus-5", 512],
    ["claude-opus-4-8", 1024],
    ["claude-sonnet-4-5-20250929", 1024],
    ["claude-opus-4-20250514", 1024],
    ["claude-opus-4-7", 2048],
    ["claude-3-5-haiku-20241022", 2048],
    ["claude-opus-4-6", 4096],
    ["anthropic/claude-opus-4.5", 4096],
    ["claude-haiku-4-5", 4096],
    ["offline", 1024],
  ])("want of %s a prefix of %i tokens", (model, minimumTokens) => {
    expect(anthropicRules(model)).toEqual({ ...cacheRules.anthropic, minimumTokens });
  });
});

describe("OpenAI's rules from GPT-5.6 on", () => {
  const rules = cacheRules["openai-5.6"];
  const context = block("a", 2000);

  it("rewrite the prefix with every question where only the implicit breakpoint stands", () => {
    expect(cachedUsage(rules, request(context, block("r", 100)), [request(context, block("q", 100))])).toEqual(
      usage(0, 0, 2100),
    );
  });

  it("read an explicit breakpoint behind the context, however many blocks ago", () => {
    const marked: PrefixBlock = { ...context, breakpoint: "minutes" };
    const asked = (question: string): PrefixRequest => ({ blocks: [marked, block(question, 100)], explicitOnly: true });
    expect(cachedUsage(rules, asked("q"), [])).toEqual(usage(100, 0, 2000));
    expect(cachedUsage(rules, asked("r"), [asked("q")])).toEqual(usage(100, 2000));
    const more = Array.from({ length: 40 }, (_, index) => block(`m${index} `, 10));
    expect(cachedUsage(rules, request(context, ...more), [asked("q")])).toEqual(usage(0, 2000, 400));
  });

  it("cache nothing where explicit breakpoints are wanted and none is set", () => {
    const asked = { blocks: [context], explicitOnly: true };
    expect(cachedUsage(rules, asked, [asked])).toEqual(usage(2000, 0));
  });

  it("put the implicit breakpoint behind the newest user or tool message", () => {
    const prefilled = request(context, block("p", 50, undefined, "assistant"));
    expect(cachedUsage(rules, prefilled, [])).toEqual(usage(50, 0, 2000));
  });
});

describe("DeepSeek's rules", () => {
  const rules = cacheRules.deepseek;
  const shared = block("a", 700);
  const asked = (question: string) => request(shared, block(question, 100));

  it("miss A+C after A+B, and hit A from the third request on", () => {
    expect(cachedUsage(rules, asked("c"), [asked("b")])).toEqual(usage(800, 0));
    expect(cachedUsage(rules, asked("d"), [asked("b"), asked("c")])).toEqual(usage(100, 700));
  });

  it("hit the whole of an earlier input, and of its output where the session goes on", () => {
    const cache = createPrefixCache(rules);
    const answer = block("o", 60, undefined, "assistant");
    cache.ask(asked("b")).keep([answer]);
    expect(cache.ask(asked("b")).usage).toEqual(usage(0, 800));
    expect(cache.ask(request(...asked("b").blocks, block("z", 40))).usage).toEqual(usage(40, 800));
    expect(cache.ask(request(...asked("b").blocks, answer, block("z", 40))).usage).toEqual(usage(40, 860));
  });

  it("notice a shared beginning inside a text every 64 tokens", () => {
    const text = (end: string): PrefixRequest =>
      request({ ...shared, text: `${"a".repeat(2000)}${end.repeat(800)}`, tokens: 700 });
    expect(cachedUsage(rules, text("d"), [text("b"), text("c")])).toEqual(usage(700 - 448, 448));
  });
});

describe("every rule", () => {
  const names = fc.constantFrom("a", "b", "提交", "👩‍💻x");
  const anyBlock = fc
    .record({
      name: names,
      chars: fc.integer({ min: 0, max: 3000 }),
      breakpoint: fc.constantFrom<Life | undefined>(undefined, undefined, "minutes"),
      by: fc.constantFrom<PrefixBlock["by"]>("system", "user", "assistant", "tool"),
    })
    .map(({ name, chars, breakpoint, by }): PrefixBlock => ({
      by,
      head: "text",
      text: name.repeat(chars).slice(0, chars),
      tokens: 6 + 2 * chars,
      ...(breakpoint && { breakpoint }),
    }));
  const anyRequest = fc.array(anyBlock, { maxLength: 4 }).map((blocks): PrefixRequest => ({ blocks }));
  const total = ({ blocks }: PrefixRequest): number => blocks.reduce((sum, { tokens }) => sum + tokens, 0);

  it.each(Object.entries(cacheRules) as [string, CacheRules][])(
    "%s: splits a request's tokens without rest, and reads nothing at first",
    (_name, rules) => {
      fc.assert(
        fc.property(fc.array(anyRequest, { maxLength: 3 }), anyRequest, (earlier, next) => {
          const { freshInputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens } = cachedUsage(
            rules,
            next,
            earlier,
          );
          expect(freshInputTokens + cacheReadTokens + cacheWriteTokens).toBe(total(next));
          expect(
            Math.min(freshInputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens),
          ).toBeGreaterThanOrEqual(0);
          expect(cachedUsage(rules, next, []).cacheReadTokens).toBe(0);
        }),
        { numRuns: 60 },
      );
    },
  );

  it.each(Object.entries(cacheRules) as [string, CacheRules][])(
    "%s: reads nothing of a request that has not been kept yet",
    (_name, rules) => {
      const cache = createPrefixCache(rules);
      const asked = request(block("a", 2048, "minutes"));
      const first = cache.ask(asked);
      expect(cache.ask(asked).usage.cacheReadTokens).toBe(0);
      first.keep();
      expect(cache.ask(asked).usage.cacheReadTokens).toBe(2048);
    },
  );
});
