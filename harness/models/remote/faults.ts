/** A failed attempt as the error that its caller decides by. Messages hold no key and no header. */
import { ContextOverflowError, ProviderError, type ProviderFailure } from "../../errors.ts";
import type { Failure, Refusal } from "./attempt.ts";
import { isAbout, type Problem, problemOf } from "./problem.ts";
import { causes, firstCode, redacted } from "./redact.ts";
import { retryAfterMsOf } from "./retry-after.ts";
import { chargeOfStatus, longestWaitMs, type Verdict, verdictOf, verdictOnSilence } from "./verdict.ts";

/** Whom a fault is about. */
export interface Subject {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** The environment variable that the key comes from. */
  readonly variable: string;
  readonly secrets: readonly string[];
  readonly now: () => number;
  /** Changes a refused parameter for later attempts and says how, or undefined where the refusal is about none that can be changed. */
  readonly mend: (problem: Problem) => string | undefined;
  /** Parameters that the user set, with what to do about a refusal, which concerns every request. */
  readonly advice: { readonly [parameter: string]: string };
}

/** A reply that arrived and is no reply: to be thrown while one is read. `problem`: what the server says instead. */
export class UnusableReply extends Error {
  readonly problem: Problem | undefined;

  constructor(message: string, problem?: Problem) {
    super(message);
    this.problem = problem;
  }
}

/** The typed error of a failed attempt; anything that is no fault of the other side comes back as it is. */
export function faultOf(subject: Subject, failure: Failure): unknown {
  switch (failure.kind) {
    case "refused":
      return refusalFault(subject, failure.refusal);
    case "stalled": {
      const sentence = failure.began ? "the reply stalled: no byte" : "no reply: no byte";
      return broken(subject, `${sentence} for ${failure.waitedMs / 1000} s`, undefined);
    }
    case "no reply": {
      const known = verdictOnSilence(firstCode(failure.error));
      const next = known.decision === "stop" ? " Check --base-url." : "";
      return broken(subject, `no reply from ${subject.baseUrl}`, failure.error, { status: undefined, ...known }, next);
    }
    case "broken off":
      return broken(subject, "the reply broke off", failure.error);
    case "unusable":
      return unusable(subject, failure.error);
  }
}

function refusalFault(subject: Subject, { status, headers, body }: Refusal): ProviderError {
  const retryAfterMs = retryAfterMsOf(headers, subject.now(), status);
  const problem = problemOf(status, body);
  const verdict = verdictOf(problem, retryAfterMs);
  const final = verdict === "retry" && headers.get("x-should-retry") === "false" ? "request" : verdict;
  const waitMs = retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, longestWaitMs);
  return problemFault(subject, problem, final, chargeOfStatus(status), waitMs);
}

/** A success status began, so nobody can know what was billed. */
function unusable(subject: Subject, error: unknown): unknown {
  if (error instanceof UnusableReply) {
    const { problem } = error;
    return problem === undefined
      ? broken(subject, error.message, undefined)
      : problemFault(subject, problem, verdictOf(problem, undefined), "unknown", undefined);
  }
  if (error instanceof SyntaxError) return broken(subject, "the reply is no JSON", error);
  // An error event inside a stream: both SDKs throw it with what the event held and without a status.
  if (error instanceof Error && "error" in error && "headers" in error) {
    const problem = problemOf(undefined, { error: inside(error.error) });
    return problemFault(subject, problem, verdictOf(problem, undefined), "unknown", undefined);
  }
  return error;
}

/** Anthropic's SDK hands over the whole event, OpenAI's what stands under `error` in it. */
const inside = (event: unknown): unknown =>
  typeof event === "object" && event !== null && "error" in event ? event.error : event;

const lost = { status: undefined, charge: "unknown", decision: "retry" } as const;

function broken(
  { provider, secrets }: Subject,
  what: string,
  error: unknown,
  known: Omit<ProviderFailure, "provider"> = lost,
  next = "",
): ProviderError {
  const why = error === undefined ? "" : redacted(causes(error), secrets);
  const options = why === "" ? undefined : { cause: new Error(why) };
  return new ProviderError(
    `${provider}: ${what}${why === "" ? "" : ` (${why})`}.${next}`,
    { provider, ...known },
    options,
  );
}

function problemFault(
  subject: Subject,
  problem: Problem,
  verdict: Verdict,
  charge: ProviderFailure["charge"],
  retryAfterMs: number | undefined,
): ProviderError {
  const { provider, model, baseUrl, variable } = subject;
  const said = saidBy(subject, problem);
  const failure = (decision: ProviderFailure["decision"]): ProviderFailure => ({
    provider,
    status: problem.status,
    charge,
    decision,
    ...(retryAfterMs === undefined || decision !== "retry" ? {} : { retryAfterMs }),
  });
  const fault = (decision: ProviderFailure["decision"], text: string) =>
    new ProviderError(`${provider}: ${text}`, failure(decision));
  switch (verdict) {
    case "overflow":
      return new ContextOverflowError(
        `${provider}: the request does not fit "${model}" (${said}).`,
        failure("request"),
      );
    case "key":
      return fault("stop", `the key was refused (${said}). Set ${variable} to a key that may use "${model}".`);
    case "model":
      return fault("stop", `no model "${model}" at ${baseUrl} (${said}). Check --model and --base-url.`);
    case "quota":
      return fault("stop", `the quota is used up (${said}). Raise it or wait, and run again; finished work is kept.`);
    case "server":
      return fault("stop", `${baseUrl} cannot do this (${said}). Check --base-url.`);
    case "retry":
      return fault("retry", `${said}.`);
    case "request":
      return parameterFault(subject, problem, said, fault);
  }
}

/** A request that is refused for what it says: perhaps because of a parameter, which may be one that can be changed. */
function parameterFault(
  { mend, advice, model }: Subject,
  problem: Problem,
  said: string,
  fault: (decision: ProviderFailure["decision"], text: string) => ProviderError,
): ProviderError {
  const mended = problem.status === 400 || problem.status === 422 ? mend(problem) : undefined;
  if (mended !== undefined)
    return fault("parameter", `"${model}" refuses a parameter (${said}): from now on ${mended}.`);
  const refused = Object.keys(advice).find((parameter) => isAbout(problem, parameter));
  return refused === undefined
    ? fault("request", `the request was refused (${said}).`)
    : fault("stop", `"${model}" refuses "${refused}" (${said}). ${advice[refused] ?? ""}`);
}

/** As in `status 429, "slow down"`. */
function saidBy({ secrets }: Subject, { status, code, type, message }: Problem): string {
  const text = redacted(message || code || type, secrets);
  const where = status === undefined ? "an error in the reply" : `status ${status}`;
  return text === "" ? where : `${where}, "${text.replaceAll('"', "'")}"`;
}
