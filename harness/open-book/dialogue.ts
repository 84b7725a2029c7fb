/** The dialogue on one sheet: the model asks, calls are served, and its last reply is the answer. Knows neither ledger nor folder. */
import { callsOf, type Block, type Message } from "../chain/message.ts";
import { ContextOverflowError } from "../errors.ts";
import type { Sheet } from "../exam/question.ts";
import type { ModelReply, ModelRequest, SessionShape, ToolDefinition } from "../models/model.ts";
import { answerOutputTokens, requestTokens } from "../run/ask.ts";
import { type Interface, type Lookups, resultText } from "./lookup.ts";
import type { Round } from "./rounds.ts";
import { type Lookup, type ReadingLimits, sendableArgs, server } from "./serving.ts";
import { roundSheetText, roundSystem } from "./wording.ts";

/** What a dialogue starts from. */
export interface Opening {
  readonly shape: SessionShape;
  readonly projection: readonly Message[];
  readonly sheet: Sheet;
  readonly round: Round;
  readonly offer: Interface;
  readonly lookups: Lookups;
  readonly limits: ReadingLimits;
  readonly cacheKey: string;
  /** Input tokens that a request may have. */
  readonly limitTokens: number;
}

export interface Turn {
  readonly reply: ModelReply;
  /** Empty for the last reply. */
  readonly lookups: readonly Lookup[];
}

export type Dialogue =
  | {
      readonly kind: "held";
      readonly turns: readonly Turn[];
      /** `outgrown`: with the last lookups the request no longer fits, so there is no answer. */
      readonly end: "answered" | "outgrown";
    }
  /** The first request does not fit, so the model was not asked. */
  | { readonly kind: "does-not-fit"; readonly neededTokens: number; readonly limitTokens: number };

/** The tools of a round's requests: the session's own, and behind them those of the interface, where the round is open. */
function roundTools(shape: SessionShape, { design }: Round, offer: Interface): readonly ToolDefinition[] {
  if (design === "no tools") return shape.tools;
  const offered = new Set(offer.tools.map(({ name }) => name));
  return [...shape.tools.filter(({ name }) => !offered.has(name)), ...offer.tools];
}

/**
 * Holds the dialogue. `ask` gets each request with its turn's number. A call that cannot be served is answered with a
 * tool error, and the dialogue goes on. Rejects with whatever `ask` rejects with, except that a request that does not
 * fit ends the dialogue.
 */
export async function holdDialogue(
  opening: Opening,
  ask: (request: ModelRequest, turn: number) => Promise<ModelReply>,
): Promise<Dialogue> {
  const { round, limits, limitTokens, lookups, offer, shape } = opening;
  const request = firstRequest(opening);
  const serve = server({ offer, lookups, limits, sessionTools: new Set(shape.tools.map(({ name }) => name)) });
  const nameOf = freshIds(opening.projection);
  const turns: Turn[] = [];
  const messages: Message[] = [];
  for (;;) {
    const turn = turns.length;
    const mayCall = round.design !== "no tools" && turn < limits.callRounds;
    const toolChoice = mayCall ? (turn === 0 && round.design === "required" ? "required" : "auto") : "none";
    const next: ModelRequest = { ...request, toolChoice, messages: [...request.messages, ...messages] };
    const neededTokens = requestTokens(next);
    const reply = neededTokens > limitTokens ? undefined : await fitting(() => ask(next, turn));
    if (reply === undefined)
      return turn === 0
        ? { kind: "does-not-fit", neededTokens, limitTokens }
        : { kind: "held", turns, end: "outgrown" };
    if (!mayCall || reply.calls.length === 0) {
      turns.push({ reply, lookups: [] });
      return { kind: "held", turns, end: "answered" };
    }
    const made = reply.calls.map(({ id, tool, args }): Lookup => ({
      call: nameOf(id),
      tool,
      args: sendableArgs(args),
      result: serve(tool, args),
    }));
    turns.push({ reply, lookups: made });
    messages.push(...spoken(turn, reply.text, made));
  }
}

function firstRequest({ shape, projection, sheet, round, offer, cacheKey }: Opening): ModelRequest {
  const ask: Message = {
    id: `sheet-${sheet.chain}-${sheet.stage}`,
    role: "user",
    blocks: [{ kind: "text", text: roundSheetText(round, sheet) }],
  };
  return {
    purpose: "answer",
    cacheKey,
    system: roundSystem(shape.system, round, offer.guide),
    tools: roundTools(shape, round, offer),
    toolChoice: "none",
    messages: [...projection, ask],
    maxOutputTokens: answerOutputTokens,
  };
}

/** A reply, or undefined where its request did not fit after all. */
async function fitting(ask: () => Promise<ModelReply>): Promise<ModelReply | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ContextOverflowError) return undefined;
    throw error;
  }
}

/** A reply with calls and their results, as messages of the next request. */
function spoken(turn: number, text: string, lookups: readonly Lookup[]): Message[] {
  const blocks: Block[] = [
    ...(text === "" ? [] : [{ kind: "text", text } as const]),
    ...lookups.map(({ call, tool, args }) => ({ kind: "call", call, tool, args }) as const),
  ];
  return [
    { id: `turn-${turn}`, role: "assistant", blocks },
    ...lookups.map(({ call, result }): Message => ({
      id: `result-${call}`,
      role: "tool",
      blocks: [{ kind: "result", call, text: resultText(result), error: result.kind === "refused" }],
    })),
  ];
}

/** Names calls: the provider's own id, unless the request has it already or it is empty; then one derived from it. */
function freshIds(projection: readonly Message[]): (id: string) => string {
  const taken = new Set(projection.flatMap((message) => callsOf(message).map(({ call }) => call)));
  return (id) => {
    const base = id === "" ? "lookup" : id;
    let name = base;
    for (let use = 2; taken.has(name); use++) name = `${base}_${use}`;
    taken.add(name);
    return name;
  };
}
