import { describe, expect, it } from "vitest";
import { callsOf, pairFaults, textOf } from "../chain/message.ts";
import { ContextOverflowError, ProviderError } from "../errors.ts";
import type { ModelReply, ModelRequest } from "../models/model.ts";
import { anthropicProvider } from "../models/anthropic/anthropic.ts";
import { openAiProvider } from "../models/openai/openai.ts";
import { answerRequest } from "../run/ask.ts";
import { holdDialogue } from "./dialogue.ts";
import { validateChat } from "../shape/validity/chat.ts";
import { validateMessages } from "../shape/validity/messages.ts";
import { fileInterface } from "./file-tools.ts";
import { journalInterface } from "./journal-tools.ts";
import { resultBytes } from "./lookup.ts";
import { rounds } from "./rounds.ts";
import {
  answer,
  called,
  openingOf,
  replyWith,
  resulted,
  roundNamed,
  said,
  scripted,
  search,
  smallJournal,
  smallSheet,
} from "./testing.ts";
import { windowInterface } from "./window-tools.ts";

const results = (request: ModelRequest | undefined): { readonly text: string; readonly error: boolean }[] =>
  (request?.messages ?? []).flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === "result" ? [{ text: block.text, error: block.error }] : [])),
  );

describe("a dialogue", () => {
  it("asks round closed with exactly the closed book's request", async () => {
    const opening = openingOf(roundNamed("closed"));
    const { requests } = await scripted(opening, answer());
    const projection = opening.projection.map((message) => ({ message, spans: [] }));
    expect(requests).toEqual([answerRequest("production", opening.shape, projection, smallSheet, "alder/codex")]);
  });

  it("ends with the first reply that calls nothing", async () => {
    const { dialogue, requests } = await scripted(openingOf(roundNamed(1)), [search("ver_lost1")], answer("ver_lost1"));
    expect(dialogue).toMatchObject({ kind: "held", end: "answered", turns: [{}, { lookups: [] }] });
    expect(requests).toHaveLength(2);
    expect(results(requests[1])).toEqual([{ text: expect.stringContaining("ver_lost1 here") as string, error: false }]);
  });

  it("gives tools and a choice by the round's design, and forces the first call of round 5 alone", async () => {
    for (const round of rounds) {
      const { requests } = await scripted(openingOf(round), [search("a")], answer());
      const choices = requests.map(({ toolChoice }) => toolChoice);
      const names = requests[0]?.tools.map(({ name }) => name);
      const isOpen = round.design !== "no tools";
      expect(choices).toEqual(isOpen ? [round.round === 5 ? "required" : "auto", "auto"] : ["none"]);
      expect(names).toEqual(["shell", ...(isOpen ? ["history_search", "history_get"] : [])]);
    }
  });

  it("takes a session's own history_search out, because this one answers it", async () => {
    const [tool] = journalInterface.tools;
    const shape = { system: "", tools: tool === undefined ? [] : [{ ...tool, description: "the session's" }] };
    const { requests } = await scripted(openingOf(roundNamed(1), { shape }), answer());
    expect(requests[0]?.tools).toEqual(journalInterface.tools);
  });

  it("answers what cannot be served with a tool error and goes on", async () => {
    const { dialogue, requests } = await scripted(
      openingOf(roundNamed(1)),
      [
        { id: "a", tool: "recall", args: {} },
        { id: "b", tool: "shell", args: { command: "ls" } },
        { id: "c", tool: "history_search", args: '{"query": "ver_' },
        { id: "d", tool: "history_get", args: { entry: "e99" } },
        search("ver_lost2", "e"),
      ],
      answer("ver_lost2"),
    );
    expect(results(requests[1]).map(({ error }) => error)).toEqual([true, true, true, true, false]);
    expect(results(requests[1])[0]?.text).toMatch(/no tool "recall".*history_search, history_get/);
    expect(results(requests[1])[1]?.text).toMatch(/shell cannot be used/);
    expect(dialogue.kind === "held" && dialogue.turns[0]?.lookups.map(({ result }) => result)).toMatchObject([
      { why: "not given" },
      { why: "not runnable" },
      { why: "broken arguments" },
      { why: "out of range" },
      { kind: "served" },
    ]);
  });

  it("stops a model that never stops: after sixty rounds of calls it is asked once more and may not call", async () => {
    const { dialogue, requests } = await scripted(openingOf(roundNamed(5)), [search("ver_lost1")]);
    expect(requests).toHaveLength(61);
    expect(requests.map(({ toolChoice }) => toolChoice).filter((choice) => choice === "none")).toHaveLength(1);
    expect(requests.at(-1)?.toolChoice).toBe("none");
    expect(dialogue).toMatchObject({ kind: "held", end: "answered" });
    expect(dialogue.kind === "held" && dialogue.turns.at(-1)?.lookups).toEqual([]);
  });

  it("shows at most 32 KB a sheet, and says when they are used up", async () => {
    const reads = Array.from({ length: 30 }, (_, at) => ({ id: `g${at}`, tool: "history_get", args: { entry: "e6" } }));
    const { dialogue, requests } = await scripted(openingOf(roundNamed(1)), reads, answer());
    const lookups = dialogue.kind === "held" ? dialogue.turns.flatMap((turn) => turn.lookups) : [];
    const bytes = lookups.reduce((sum, { result }) => sum + resultBytes(result), 0);
    expect(bytes).toBeLessThanOrEqual(32 * 1024);
    expect(bytes).toBeGreaterThan(31 * 1024);
    expect(results(requests[1]).at(-1)).toEqual({ text: expect.stringContaining("used up") as string, error: true });
  });

  it("keeps every request whole: one result for each call, and no id twice, whatever ids the provider gives", async () => {
    const projection = [
      called("p0", "c", "read", { path: "a" }),
      resulted("p1", "c", "text"),
      said("p2", "user", "go"),
    ];
    const opening = openingOf(roundNamed(1), { projection });
    const { requests } = await scripted(
      opening,
      [search("a", "c"), search("b", "c"), search("d", "")],
      [search("e", "c"), search("f", "")],
      answer(),
    );
    expect(requests).toHaveLength(3);
    for (const { messages } of requests) expect(pairFaults(messages)).toEqual([]);
    const ids = requests.at(-1)?.messages.flatMap((message) => callsOf(message).map(({ call }) => call));
    expect(new Set(ids).size).toBe(6);
  });

  it("makes requests that both providers' encodings carry, calls and results in their order", async () => {
    const { requests } = await scripted(
      openingOf(roundNamed(5)),
      [search("ver_lost1"), { id: "x", tool: "history_search", args: [1] }],
      answer(),
    );
    const made = { model: "m", apiKey: "key", windowTokens: 1000 };
    const [first, second] = requests;
    const openai = [first, second].map((request) => request && openAiProvider(made).encode(request));
    const anthropic = [first, second].map((request) => request && anthropicProvider(made).encode(request));
    expect(openai.map((body) => body?.["tool_choice"])).toEqual(["required", "auto"]);
    expect(anthropic.map((body) => body?.["tool_choice"])).toEqual([{ type: "any" }, { type: "auto" }]);
    const roles = openai[1]?.["messages"] as readonly { readonly role: string }[] | undefined;
    expect(roles?.map(({ role }) => role)).toEqual(["system", "user", "user", "assistant", "tool", "tool"]);
    const said = anthropic[1]?.["messages"] as {
      readonly role: string;
      readonly content: { readonly type: string }[];
    }[];
    expect(said.map(({ role, content }) => [role, ...content.map(({ type }) => type)])).toEqual([
      ["user", "text", "text"],
      ["assistant", "tool_use", "tool_use"],
      ["user", "tool_result", "tool_result"],
    ]);
  });

  it("sends nothing that a provider would refuse, in any round, with any interface, whatever the model calls", async () => {
    const made = { model: "m", apiKey: "key", windowTokens: 100_000 };
    const wires = [
      { provider: openAiProvider(made), validate: validateChat },
      { provider: anthropicProvider(made), validate: validateMessages },
    ];
    const odd = [
      search("ver_lost1", "same"),
      search("ver_lost2", "same"),
      { id: "", tool: "no such tool!", args: null },
      { id: "é/ü", tool: "shell", args: "{" },
      { id: "x".repeat(80), tool: "grep", args: { pattern: "\ud800" } },
    ];
    for (const offer of [journalInterface, fileInterface, windowInterface])
      for (const round of rounds) {
        const lookups = offer.open({ journal: smallJournal, compactedAt: [2] });
        const { requests } = await scripted(openingOf(round, { offer, lookups }), odd, odd, answer());
        expect(requests).toHaveLength(round.design === "no tools" ? 1 : 3);
        for (const { provider, validate } of wires)
          for (const request of requests) {
            const body = provider.encode(request);
            const bytes = Buffer.byteLength(JSON.stringify(body));
            expect(validate(body, { bytes, windowTokens: 100_000 }), `${offer.id} ${round.round}`).toEqual([]);
          }
      }
  });

  it("sends a reply's words back with its calls", async () => {
    const requests: ModelRequest[] = [];
    await holdDialogue(openingOf(roundNamed(1)), (request, turn) => {
      requests.push(request);
      const reply: ModelReply = { ...replyWith([search("a")]), text: "Let me look." };
      return Promise.resolve(turn === 0 ? reply : replyWith(answer()));
    });
    expect(textOf(requests[1]?.messages.at(-2) ?? said("", "user", ""))).toBe("Let me look.");
  });

  it("is not begun where its first request does not fit, and has no answer where lookups make it too long", async () => {
    const tight = openingOf(roundNamed(1), { limitTokens: 10 });
    expect((await scripted(tight, answer())).dialogue).toMatchObject({ kind: "does-not-fit", limitTokens: 10 });
    const opening = openingOf(roundNamed(1), { limitTokens: 1500 });
    const outgrown = await scripted(opening, [{ id: "g", tool: "history_get", args: { entry: "e6" } }]);
    expect(outgrown.dialogue).toMatchObject({ kind: "held", end: "outgrown" });
    expect(outgrown.requests).toHaveLength(1);
  });

  it("takes a provider's overflow as such, and passes every other failure on", async () => {
    const failure = { provider: "test", status: 400, charge: "none", decision: "request" } as const;
    const failing = (error: Error) => holdDialogue(openingOf(roundNamed(1)), () => Promise.reject(error));
    expect((await failing(new ContextOverflowError("too long", failure))).kind).toBe("does-not-fit");
    await expect(failing(new ProviderError("no", failure))).rejects.toThrow(ProviderError);
  });
});
