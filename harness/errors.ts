/**
 * One class for each decision a caller can take. Scripts print a HarnessError's message alone and exit with its code;
 * anything else is a bug and keeps its stack.
 */

export const exitCodes = { done: 0, failed: 1, usage: 2, budget: 3, interrupted: 130 } as const;

/** Base of every error that is not a bug of this program. */
export abstract class HarnessError extends Error {
  abstract readonly exitCode: number;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  /**
   * By class name along the prototype chain: an arm file outside an ES-module package gets a second copy of this module,
   * and its errors are ours all the same.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    for (let proto: unknown = value; proto instanceof Object; proto = Object.getPrototypeOf(proto))
      if ((proto.constructor as { name?: unknown }).name === this.name) return true;
    return false;
  }
}

/** The command or its input is wrong: fix it and run again. */
export class UsageError extends HarnessError {
  readonly exitCode = exitCodes.usage;
}

/** A file is not what it has to be: look at `path`. */
export class ArtifactError extends HarnessError {
  readonly exitCode = exitCodes.usage;
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super(`${path}: ${message}`, options);
    this.path = path;
  }
}

/** The next call could exceed the budget: raise it and run again. Finished work is kept. */
export class BudgetError extends HarnessError {
  readonly exitCode = exitCodes.budget;
  readonly neededNano: bigint;
  readonly leftNano: bigint;

  constructor(message: string, neededNano: bigint, leftNano: bigint) {
    super(message);
    this.neededNano = neededNano;
    this.leftNano = leftNano;
  }
}

/** What is known about a failed attempt, and what may be done about it. */
export interface ProviderFailure {
  readonly provider: string;
  /** HTTP status, or undefined where no reply arrived. */
  readonly status: number | undefined;
  /** `none`: refused before billing. `unknown`: nobody can know, so the reservation is spent. */
  readonly charge: "none" | "unknown";
  /**
   * `retry` the attempt after a wait; send the same body again at once, because the provider has changed the refused
   * `parameter`; give up this `request`; or `stop` the run (authentication, quota, no such model).
   */
  readonly decision: "retry" | "parameter" | "request" | "stop";
  /** What the provider asks us to wait before a retry. */
  readonly retryAfterMs?: number;
}

/** An attempt failed. */
export class ProviderError extends HarnessError {
  readonly exitCode = exitCodes.failed;
  readonly failure: ProviderFailure;

  constructor(message: string, failure: ProviderFailure, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** The request does not fit the window. An arm may catch it, trim and ask again; the failed attempt stays in the ledger. */
export class ContextOverflowError extends ProviderError {}

/** An arm found no valid compaction: its cell fails with this reason, visibly. */
export class CompactionRefusedError extends HarnessError {
  readonly exitCode = exitCodes.failed;
}

/** The user stopped the run. What is on disk is complete; the same command resumes. */
export class InterruptedError extends HarnessError {
  readonly exitCode = exitCodes.interrupted;
}
