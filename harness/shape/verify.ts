/** The whole check of request shapes: every request of a plan in every style, over HTTP to a loopback server. */
import type { SessionShape } from "../models/model.ts";
import type { RunPlan } from "../run/plan.ts";
import { arrive, encodedOnly } from "./arrival.ts";
import { type Check, checkNames } from "./checks.ts";
import type { Claims } from "./claims.ts";
import type { Recorder } from "./recorder.ts";
import { eachStep, offlineReplies, type Stopped } from "./sessions.ts";
import type { BoundaryShare } from "./shares.ts";
import type { Style } from "./styles.ts";
import { watchAnswers } from "./watch-answers.ts";
import { watchControls } from "./watch-controls.ts";
import { watchPrefix } from "./watch-prefix.ts";
import { watchShape } from "./watch-shape.ts";
import { watchValidity, watchWire } from "./watch-wire.ts";

export interface VerifyInput {
  /** Its chains are measured. */
  readonly plan: RunPlan;
  /** The same arms on chains that hold what breaks requests: encoded and checked, neither sent nor measured. */
  readonly awkward?: RunPlan;
  /** The session shape as it was captured, read apart from the plan's. */
  readonly captured: SessionShape;
  readonly claims: Claims;
  readonly styles: readonly Style[];
  readonly recorder: Recorder;
}

export interface Verification {
  /** In the order of the output. */
  readonly checks: readonly Check[];
  readonly shares: readonly BoundaryShare[];
  /** Cells that an arm refused: no request of theirs is missing, but later ones were never made. */
  readonly stopped: readonly Stopped[];
  /** Requests that arrived. */
  readonly requests: number;
}

/**
 * Sends every request of the plan once in each style and checks what arrives. Nothing leaves the loopback address. A
 * variant, which travels as its base does, is not sent.
 */
export async function verifyShape(input: VerifyInput): Promise<Verification> {
  const { plan, awkward, captured, claims, styles, recorder } = input;
  const { windowTokens } = plan.options;
  const shape = watchShape(captured, claims);
  const answers = watchAnswers();
  const wire = watchWire();
  const validity = watchValidity(windowTokens);
  const prefix = watchPrefix(claims, captured.tools.length);
  const control = watchControls(plan.arms, claims, captured.tools.length);
  const isBase = ({ variantOf }: Style): boolean => !styles.some(({ id }) => id === variantOf);
  const connected = await Promise.all(
    styles.map(async (style) => ({
      style,
      provider: isBase(style) ? await style.connect(recorder.baseUrl, windowTokens) : undefined,
    })),
  );
  let requests = 0;
  const go = (one: RunPlan): Promise<Stopped[]> =>
    eachStep(one, offlineReplies(one), async (step) => {
      const { chain, end, arm, calls } = step;
      for (const { style, provider } of connected) {
        for (const { request } of calls) {
          const origin = { style, chain, end, arm: arm.id, request };
          const isSent = one === plan && provider !== undefined;
          const arrival = isSent ? await arrive(origin, provider, recorder) : encodedOnly(origin, style);
          if (isSent) requests++;
          for (const watcher of [...(isSent ? [wire] : []), validity, shape, answers]) watcher.see(arrival);
        }
        if (one === plan) prefix.see(step, style);
        if (isBase(style)) control.see(step, style);
      }
    });
  const stopped = [...(await go(plan)), ...(awkward === undefined ? [] : await go(awkward))];
  const found = [wire, shape, answers, validity, prefix, control].flatMap((watcher) => watcher.checks());
  const order = (check: Check): number => checkNames.indexOf(check.name);
  const checks = found.toSorted((left, right) => order(left) - order(right));
  return { checks, shares: prefix.shares, stopped, requests };
}
