import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Arm } from "../harness/arm.ts";
import { type Message, pairFaults } from "../harness/chain/message.ts";
import { messagesTokens } from "../harness/chain/tokens.ts";
import { empty, full, recent } from "./controls.ts";
import { messagesOf, recordingContext } from "./testing.ts";

const say = (id: string, role: "user" | "assistant", chars: number): Message => ({
  id,
  role,
  blocks: [{ kind: "text", text: "word ".repeat(chars / 5) }],
});

/** One assistant message with parallel calls, and a result of `chars` characters for each. */
const step = (id: string, calls: number, chars: number): Message[] => [
  {
    id,
    role: "assistant",
    blocks: Array.from({ length: calls }, (_, n) => ({
      kind: "call" as const,
      call: `${id}-${n}`,
      tool: "read",
      args: {},
    })),
  },
  ...Array.from({ length: calls }, (_, n) => ({
    id: `${id}-result-${n}`,
    role: "tool" as const,
    blocks: [{ kind: "result" as const, call: `${id}-${n}`, text: "x".repeat(chars), error: false }],
  })),
];

async function keptBy(arm: Arm, journal: readonly Message[], trigger: "forced" | "automatic" = "forced") {
  const { context, requests } = recordingContext(arm);
  const { kind, projection } = await arm.compact({ journal, fresh: journal, previous: undefined, trigger }, context);
  return { kind, projection, messages: messagesOf(projection), requests };
}

const session = [say("u", "user", 400), ...step("a", 2, 8_000), say("b", "assistant", 200), ...step("c", 1, 8_000)];

describe("full", () => {
  it("keeps the paired journal as the same message objects, all of it original", async () => {
    const open: Message = {
      id: "open",
      role: "assistant",
      blocks: [{ kind: "call", call: "never", tool: "read", args: {} }],
    };
    const { messages, projection } = await keptBy(full, [...session, open]);
    expect(messages).toEqual(session);
    expect(messages[0]).toBe(session[0]);
    expect(new Set(projection.flatMap(({ spans }) => spans.map(({ part }) => part)))).toEqual(new Set(["original"]));
  });
});

describe("empty", () => {
  it("keeps nothing", async () => {
    expect((await keptBy(empty, session)).messages).toEqual([]);
  });
});

describe("recent", () => {
  it("stops at the first unit that does not fit, though an older one would", async () => {
    const history = [say("small", "user", 40), ...step("large", 1, 40_000), say("last", "assistant", 400)];
    expect((await keptBy(recent, history)).messages.map(({ id }) => id)).toEqual(["last"]);
  });

  it("keeps nothing where the last unit alone is larger than its budget", async () => {
    expect((await keptBy(recent, [say("u", "user", 40), ...step("large", 2, 20_000)])).messages).toEqual([]);
  });

  it("fills its budget to the token", async () => {
    const exact = say("exact", "user", (8_000 - 6) * 4);
    expect(messagesTokens([exact])).toBe(8_000);
    expect((await keptBy(recent, [exact])).messages).toEqual([exact]);
    expect((await keptBy(recent, [exact, say("more", "assistant", 5)])).messages.map(({ id }) => id)).toEqual(["more"]);
  });

  it("keeps the longest end within its budget that splits no call from its results", async () => {
    const units = fc.array(
      fc.record({ calls: fc.nat(3), size: fc.integer({ min: 1, max: 12 }).map((n) => n * 1_000) }),
      { maxLength: 14 },
    );
    await fc.assert(
      fc.asyncProperty(units, async (plan) => {
        const history = plan.flatMap(({ calls, size }, n) =>
          calls === 0 ? [say(`m${n}`, n % 2 ? "assistant" : "user", size)] : step(`m${n}`, calls, size),
        );
        const { messages } = await keptBy(recent, history);
        const start = history.length - messages.length;
        expect(messages).toEqual(history.slice(start));
        expect(pairFaults(messages)).toEqual([]);
        expect(messagesTokens(messages)).toBeLessThanOrEqual(8_000);
        const unitBefore = history.findLastIndex(({ role }, index) => index < start && role !== "tool");
        const withUnitBefore = unitBefore < 0 ? Infinity : messagesTokens(history.slice(unitBefore));
        expect(withUnitBefore).toBeGreaterThan(8_000);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a control", () => {
  it.each([full, empty, recent])(
    "has no trigger of its own: $id compacts under automatic as when forced",
    async (arm) => {
      const forced = await keptBy(arm, session);
      expect(forced.kind).toBe("compacted");
      expect(await keptBy(arm, session, "automatic")).toEqual(forced);
      expect(forced.requests).toEqual([]);
    },
  );
});
