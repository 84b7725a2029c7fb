/** For tests of arms: a context whose model is a function and whose requests can be looked at. */
import type { Arm, ArmContext, ProjectedMessage } from "../harness/arm.ts";
import type { Message } from "../harness/chain/message.ts";
import { messageTokens, textTokens } from "../harness/chain/tokens.ts";
import type { ModelReply, SessionShape } from "../harness/models/model.ts";

export type ArmRequest = Parameters<ArmContext["complete"]>[0];

export const smallShape: SessionShape = {
  system: "You are a coding agent working in a checked-out repository.",
  tools: [
    {
      name: "read",
      description: "Read a file.",
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  ],
};

export const reply = (text: string): ModelReply => ({
  text,
  calls: [],
  finish: "stop",
  usage: { freshInputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: textTokens(text) },
});

/** A context for `arm`, and the requests that it makes. `answer` throws or returns what the model says to the n-th request. */
export function recordingContext(
  arm: Arm,
  answer: (request: ArmRequest, index: number) => ModelReply = () => reply("## Goal\n- keep going"),
  overrides: Partial<Omit<ArmContext, "complete">> = {},
): { readonly context: ArmContext; readonly requests: ArmRequest[] } {
  const requests: ArmRequest[] = [];
  const shape = overrides.shape ?? smallShape;
  const context: ArmContext = {
    options: arm.options,
    windowTokens: 1_000_000,
    outputReserveTokens: 384_000,
    fixedTokens: textTokens(shape.system) + textTokens(JSON.stringify(shape.tools)),
    estimate: { text: textTokens, message: messageTokens },
    boundary: { chain: "test", end: 1 },
    signal: new AbortController().signal,
    ...overrides,
    shape,
    complete: (request) => {
      requests.push(request);
      // An async function, so that a throwing `answer` rejects as a provider would.
      return (async () => answer(request, requests.length - 1))();
    },
  };
  return { context, requests };
}

/** Projected messages without their spans. */
export const messagesOf = (projection: readonly ProjectedMessage[]): Message[] =>
  projection.map(({ message }) => message);
