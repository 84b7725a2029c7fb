/**
 * The one door to money: joins a provider to the ledger. Every attempt has its own reservation; a key that was answered is
 * never asked again; retries and waits live here.
 */
import { BudgetError, ContextOverflowError, InterruptedError, ProviderError } from "../errors.ts";
import { digest } from "../json.ts";
import { type BodyMeasure, measureBody } from "./body.ts";
import type { Known, Ledger, LedgerCell, Outcome, Reserve } from "./ledger.ts";
import type { ModelReply, ModelRequest, Provider } from "./model.ts";
import { createPace, createPrefixGate } from "./pace.ts";
import { callNano, type Pricing, reservationNano } from "./prices.ts";

export interface Retries {
  readonly maxAttempts: number;
  /** Before the second attempt; doubles with each further one. */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
}

/** @default five attempts, waits of 0.5 s doubling to at most 30 s; a provider's own wish wins. */
export const defaultRetries: Retries = { maxAttempts: 5, firstWaitMs: 500, maxWaitMs: 30_000 };

export interface MeterOptions {
  readonly provider: Provider;
  readonly ledger: Ledger;
  readonly pricing: Pricing;
  readonly retries?: Retries;
  /** The user wants to leave: nothing new is sent and nothing is waited for, but what is in flight is paid for and finishes. */
  readonly signal: AbortSignal;
  /** The same for another reason, which is what requests are then refused with. */
  readonly drain?: AbortSignal;
}

/** Asks the model on behalf of one step; equal requests within a step are told apart by their order. */
export type StepComplete = (request: ModelRequest) => Promise<ModelReply>;

export interface Meter {
  /** The `complete` of one step. Call it once a step: it counts equal requests. */
  forStep(cell: LedgerCell): StepComplete;
}

export const interrupted = (): InterruptedError =>
  new InterruptedError("Interrupted. Everything finished is kept; the same command resumes.");

/** A meter over one ledger. Rejects with ProviderError when attempts run out or none is allowed, BudgetError, InterruptedError. */
export function createMeter(options: MeterOptions): Meter {
  const { provider, ledger, pricing, retries = defaultRetries, signal, drain } = options;
  const inFlight = new Set<Promise<unknown>>();
  const pace = createPace(drain === undefined ? signal : AbortSignal.any([signal, drain]));
  const prefixes = createPrefixGate();

  const assertOpen = (): void => {
    if (signal.aborted) throw interrupted();
    drain?.throwIfAborted();
  };

  /** Reserves; where only calls in flight stand in the way, waits for them to settle for less. */
  const reserve = async (row: Reserve): Promise<void> => {
    for (;;) {
      assertOpen();
      try {
        ledger.reserve(row);
        return;
      } catch (error) {
        if (!(error instanceof BudgetError) || inFlight.size === 0) throw error;
        await Promise.race(inFlight);
      }
    }
  };

  const attempt = async (call: Call, body: Encoded, maxOutputTokens: number): Promise<ModelReply> => {
    const reservedNano = reservedFor(pricing, body.bytes, maxOutputTokens);
    const reservation = `${call.key.slice(0, 16)}.${ledger.nextReservation()}`;
    await reserve({ row: "reserve", ...call, reservation, reservedNano, at: now() });
    // Async, so that a provider that throws at once leaves no reservation open either.
    const sending = (async () => provider.send(body.json))();
    const settled = sending.then(
      (reply) => ledger.close({ row: "settle", reservation, costNano: costOf(pricing, reply), reply, at: now() }),
      (error: unknown) => ledger.close(failedOutcome(reservation, error)),
    );
    inFlight.add(settled);
    try {
      await settled;
      return await sending;
    } catch (error) {
      throw signal.aborted ? interrupted() : error;
    } finally {
      inFlight.delete(settled);
    }
  };

  const withRetries = async (call: Call, body: Encoded, maxOutputTokens: number): Promise<ModelReply> => {
    for (let tried = 1; ; tried++) {
      await pace.turn();
      assertOpen();
      try {
        return await attempt(call, body, maxOutputTokens);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        // The provider has changed the refused parameter by itself, a bounded number of times; that was no failed attempt.
        if (error.failure.decision === "parameter") {
          tried--;
          continue;
        }
        if (error.failure.decision !== "retry" || tried >= retries.maxAttempts) throw error;
        const backOffMs = Math.min(retries.maxWaitMs, retries.firstWaitMs * 2 ** (tried - 1));
        const { retryAfterMs } = error.failure;
        if (retryAfterMs !== undefined) pace.hold(retryAfterMs);
        // A wish that was obeyed and did not help was too short, and so is the same wish again.
        if (retryAfterMs === undefined || tried > 1) await pace.wait(backOffMs);
      }
    }
  };

  const ask = (cell: LedgerCell, ordinal: (request: string) => number, request: ModelRequest): Promise<ModelReply> => {
    const body = encoded(provider, request);
    const { chain, end, arm, round, turn } = cell;
    const place = { chain, end, arm, ...(round !== undefined && { round }), ...(turn !== undefined && { turn }) };
    const { purpose } = request;
    const key = digest({ ...place, purpose, ordinal: ordinal(body.sha256), request: body.sha256 });
    const known = ledger.known(key);
    if (known !== undefined) return answered(known, provider.id);
    const call: Call = { key, ...place, purpose, request: body.sha256 };
    return prefixes.after(request, () => withRetries(call, body, request.maxOutputTokens));
  };

  return {
    forStep: (cell) => {
      const seen = new Map<string, number>();
      const ordinal = (request: string): number => {
        const before = seen.get(request) ?? 0;
        seen.set(request, before + 1);
        return before;
      };
      return async (request) => ask(cell, ordinal, request);
    },
  };
}

/** What the ledger already knows, as the provider gave it. */
function answered(known: Known, provider: string): Promise<ModelReply> {
  if (known.kind === "reply") return Promise.resolve(known.reply);
  const failure = { provider, status: 400, charge: "none", decision: "request" } as const;
  return Promise.reject(new ContextOverflowError(known.reason, failure));
}

type Call = Omit<Reserve, "row" | "reservedNano" | "reservation" | "at">;
interface Encoded extends BodyMeasure {
  readonly json: ReturnType<Provider["encode"]>;
}

function encoded(provider: Provider, request: ModelRequest): Encoded {
  const json = provider.encode(request);
  return { json, ...measureBody(json) };
}

const now = (): string => new Date().toISOString();

function reservedFor(pricing: Pricing, bodyBytes: number, maxOutputTokens: number): string | null {
  if (pricing.kind === "unknown") return null;
  return pricing.kind === "free" ? "0" : String(reservationNano(bodyBytes, maxOutputTokens, pricing.price));
}

function costOf(pricing: Pricing, reply: ModelReply): string | null {
  if (pricing.kind === "free") return "0";
  if (pricing.kind === "unknown" || reply.usage === undefined) return null;
  return String(callNano(reply.usage, pricing.price));
}

/** What a failed attempt costs: nothing where the provider refused before billing, the reservation where nobody can know. */
function failedOutcome(reservation: string, error: unknown): Outcome {
  const reason = error instanceof Error ? error.message : String(error);
  return error instanceof ProviderError && error.failure.charge === "none"
    ? { row: "release", reservation, reason, overflow: error instanceof ContextOverflowError, at: now() }
    : { row: "settle", reservation, costNano: null, lost: reason, at: now() };
}
