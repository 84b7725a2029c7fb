/** The two things that happen at a boundary: an arm compacts, and a sheet is asked. Neither knows of the folder. */
import type { Arm, ArmContext, Compaction, CompactionInput, ProjectedMessage } from "../arm.ts";
import { pairFaults, readable } from "../chain/message.ts";
import { messageTokens, textTokens } from "../chain/tokens.ts";
import { CompactionRefusedError, ContextOverflowError, HarnessError } from "../errors.ts";
import type { Sheet } from "../exam/question.ts";
import type { StepComplete } from "../models/meter.ts";
import type { StepName, StoredAnswer } from "./artifacts.ts";
import { answerRequest, fixedTokensOf, requestTokens } from "./ask.ts";
import type { RunPlan } from "./plan.ts";

/** What a step needs: the run's plan, its own name, and the door to the model. */
export interface StepContext {
  readonly plan: RunPlan;
  readonly arm: Arm;
  readonly name: StepName;
  readonly complete: StepComplete;
  readonly signal: AbortSignal;
}

const cacheKeyOf = ({ chain, arm }: StepName): string => `${chain}/${arm}`;

/** Lets the arm compact. Throws CompactionRefusedError where it finds no valid compaction or makes one that no provider would take. */
export async function compactStep(
  input: CompactionInput,
  { plan, arm, name, complete, signal }: StepContext,
): Promise<Compaction> {
  const context: ArmContext = {
    options: arm.options,
    windowTokens: plan.options.windowTokens,
    outputReserveTokens: plan.options.outputReserveTokens,
    shape: plan.shape,
    fixedTokens: fixedTokensOf(plan.shape),
    estimate: { text: textTokens, message: messageTokens },
    boundary: { chain: name.chain, end: name.end },
    signal,
    complete: (request) => complete({ ...request, purpose: "compact", cacheKey: cacheKeyOf(name) }),
  };
  const compaction = await compacted(arm, input, context);
  assertSendable(arm, compaction.projection);
  return compaction;
}

/** What the arm makes of it. An arm that throws what is no decision, or returns no compaction, has refused: others can go on. */
async function compacted(arm: Arm, input: CompactionInput, context: ArmContext): Promise<Compaction> {
  try {
    const compaction: Compaction = await arm.compact(input, context);
    if (isCompaction(compaction)) return compaction;
  } catch (error) {
    if (error instanceof HarnessError || context.signal.aborted) throw error;
    throw new CompactionRefusedError(`Arm "${arm.id}" threw ${described(error)}.`, { cause: error });
  }
  throw new CompactionRefusedError(
    `Arm "${arm.id}" returned no compaction: it needs a projection of messages with spans.`,
  );
}

/** An error on one line, with the place that it came from. */
function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = /\n\s+at ([^\n]+)/.exec(error.stack ?? "")?.[1];
  return `${error.name}: ${error.message.replaceAll(/\s*\n\s*/g, " ")}${place === undefined ? "" : ` at ${place}`}`;
}

function isCompaction(value: unknown): boolean {
  const { kind, projection } = (value ?? {}) as Partial<Compaction>;
  if ((kind !== "compacted" && kind !== "unchanged") || !Array.isArray(projection)) return false;
  return projection.every(
    (one: Partial<ProjectedMessage> | null) => Array.isArray(one?.message?.blocks) && Array.isArray(one.spans),
  );
}

function assertSendable(arm: Arm, projection: readonly ProjectedMessage[]): void {
  const fault =
    pairFaults(projection.map(({ message }) => message))[0] ??
    projection.map(spanFault).find((found) => found !== undefined);
  if (fault !== undefined)
    throw new CompactionRefusedError(`Arm "${arm.id}" made a projection that cannot be used: ${fault}.`);
}

function spanFault({ message, spans }: ProjectedMessage): string | undefined {
  const chars = readable(message).reduce((sum, text) => sum + text.length, 0);
  const covered = spans.reduce((sum, span) => sum + span.chars, 0);
  return covered === chars
    ? undefined
    : `the spans of message "${message.id}" cover ${covered} of its ${chars} characters`;
}

/** Asks a sheet of a projection, unless the request exceeds window less output reservation or the provider refuses it as too long. */
export async function answerStep(
  projection: readonly ProjectedMessage[],
  sheet: Sheet,
  { plan, name, complete }: StepContext,
): Promise<StoredAnswer> {
  const { probe, windowTokens, outputReserveTokens } = plan.options;
  const request = answerRequest(probe, plan.shape, projection, sheet, cacheKeyOf(name));
  const neededTokens = requestTokens(request);
  const limitTokens = windowTokens - outputReserveTokens;
  const tooLong: StoredAnswer = { kind: "does-not-fit", neededTokens, limitTokens };
  if (neededTokens > limitTokens) return tooLong;
  try {
    return { kind: "asked", reply: await complete(request) };
  } catch (error) {
    if (error instanceof ContextOverflowError) return tooLong;
    throw error;
  }
}
