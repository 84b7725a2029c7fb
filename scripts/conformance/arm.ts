/** An arm that lives through a scenario as its product does. */
import type { Arm, ArmContext, CompactionInput, ProjectedMessage } from "../../harness/arm.ts";
import type { Message } from "../../harness/chain/message.ts";
import { textTokens } from "../../harness/chain/tokens.ts";
import { CompactionRefusedError, ContextOverflowError } from "../../harness/errors.ts";
import { plainReply, type Product, type Round, type RoundOutcome, type Scenario, type WireItem } from "./scenario.ts";

type ArmRequest = Parameters<ArmContext["complete"]>[0];

/** How a product puts messages on the wire, and what its automatic compaction sees. */
export interface ArmWire {
  /** A request for a summary, its settings first. */
  request(request: ArmRequest): WireItem[];
  /** A projection as the next request has it; `journal` tells how its messages were stored. */
  history(projection: readonly ProjectedMessage[], journal: readonly Message[]): WireItem[];
  /** Whether the user's next message is part of what an automatic compaction compacts. */
  readonly compactsNext: boolean;
}

/** The system prompt of every scenario's session. */
export const sessionSystem = "You are a coding agent in a session that checks how compaction works.";

/** An arm as the product that it mirrors. */
export const armProduct = (arm: Arm, wire: ArmWire): Product => ({
  run: async (scenario) => {
    const session = new Session(arm, wire, scenario);
    const outcomes: RoundOutcome[] = [];
    for (const [index, round] of scenario.rounds.entries()) outcomes.push(await session.live(round, index));
    return outcomes;
  },
});

class Session {
  readonly #arm: Arm;
  readonly #wire: ArmWire;
  readonly #scenario: Scenario;
  readonly #journal: Message[] = [];
  #compacted = 0;
  #previous: CompactionInput["previous"];

  constructor(arm: Arm, wire: ArmWire, scenario: Scenario) {
    this.#arm = arm;
    this.#wire = wire;
    this.#scenario = scenario;
  }

  async live(round: Round, index: number): Promise<RoundOutcome> {
    const { trigger } = round;
    this.#journal.push(...round.messages);
    if (trigger.kind === "automatic")
      this.#journal.push(said(index, "user", trigger.lead, "lead"), said(index, "assistant", plainReply, "led"));
    const next = said(index, "user", round.next, "next");
    const early = trigger.kind === "automatic" && this.#wire.compactsNext;
    if (early) this.#journal.push(next);
    const requests: WireItem[][] = [];
    const outcome = await this.#compact(round, requests);
    if (!early) this.#journal.push(next);
    this.#journal.push(said(index, "assistant", plainReply, "reply"));
    if (outcome === undefined) return { result: "refused", requests, history: [] };
    const tail: ProjectedMessage = {
      message: next,
      spans: [{ part: "tail", chars: round.next.length, sources: [next.id] }],
    };
    const history = this.#wire.history(early ? outcome.projection : [...outcome.projection, tail], this.#journal);
    const failed = outcome.kind === "unchanged" && trigger.kind === "forced";
    return { result: failed ? "refused" : outcome.kind, requests, history };
  }

  async #compact(round: Round, requests: WireItem[][]) {
    const end = this.#journal.length;
    const input: CompactionInput = {
      journal: [...this.#journal],
      fresh: this.#journal.slice(this.#compacted),
      previous: this.#previous,
      trigger: round.trigger.kind,
    };
    try {
      const compaction = await this.#arm.compact(input, this.#context(round, requests));
      if (compaction.kind === "compacted") {
        this.#previous = JSON.parse(JSON.stringify(compaction)) as typeof compaction;
        this.#compacted = end;
      }
      return compaction;
    } catch (error) {
      if (!(error instanceof CompactionRefusedError)) throw error;
      return undefined;
    }
  }

  /** What the provider reported stands in for the estimate: the whole of it as what every request carries anyway. */
  #context(round: Round, requests: WireItem[][]): ArmContext {
    const usedTokens = round.trigger.kind === "automatic" ? round.trigger.usedTokens : 0;
    return {
      options: { ...this.#arm.options, ...this.#scenario.options },
      windowTokens: this.#scenario.windowTokens,
      outputReserveTokens: this.#scenario.outputReserveTokens,
      shape: { system: sessionSystem, tools: [] },
      fixedTokens: usedTokens,
      estimate: { text: textTokens, message: () => 0 },
      boundary: { chain: this.#scenario.name, end: this.#journal.length },
      signal: new AbortController().signal,
      complete: async (request) => {
        const answer = round.answers[requests.length] ?? { kind: "overflow" };
        requests.push(this.#wire.request(request));
        if (answer.kind === "overflow")
          throw new ContextOverflowError("too long", {
            provider: "mock",
            status: undefined,
            charge: "none",
            decision: "request",
          });
        return { text: answer.text, calls: [], finish: "stop" };
      },
    };
  }
}

const said = (round: number, role: "user" | "assistant", text: string, what: string): Message => ({
  id: `${what}-${round}`,
  role,
  blocks: [{ kind: "text", text }],
});
