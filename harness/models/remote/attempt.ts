/**
 * One attempt over HTTP under two deadlines. Both SDKs leave a slow body and a stalled stream alone, end an aborted stream
 * in silence and drop the causes of some errors, so the bytes are watched here, beneath them.
 */

export interface Timeouts {
  /** From the start to the first byte of the reply's body. A connection gets at most ten seconds and a reply's head at most 300 of them, by Node's own limits. */
  readonly firstByteMs: number;
  /** Between two chunks of the body. A keep-alive counts. Node's own limit is 300 s. */
  readonly gapMs: number;
}

/** A reply with an error status, its body read. */
export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Why an attempt came to nothing. */
export type Failure =
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** No reply began. `error` is what `fetch` threw. */
  | { readonly kind: "no reply"; readonly error: unknown }
  | { readonly kind: "stalled"; readonly waitedMs: number; readonly began: boolean }
  /** A reply began with a success status and broke off. */
  | { readonly kind: "broken off"; readonly error: unknown }
  /** The reply arrived, and `run` could not use it. */
  | { readonly kind: "unusable"; readonly error: unknown };

/** Carries the failure of an attempt to whoever classifies it. */
export class AttemptFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** What an SDK client is made with for one attempt. */
export interface Attempt {
  readonly signal: AbortSignal;
  readonly fetch: typeof globalThis.fetch;
}

interface Trace {
  refusal?: Refusal;
  noReply?: unknown;
  brokenOff?: unknown;
  began: boolean;
  waitedMs?: number;
}

/**
 * What `run` resolves with. Rejects with AttemptFailed, or with the signal's reason where the caller's `signal` ended it.
 * `run` has to reject where the reply is not complete: a stream that was aborted ends without a sign.
 */
export async function attempt<Reply>(
  timeouts: Timeouts,
  signal: AbortSignal | undefined,
  run: (attempt: Attempt) => Promise<Reply>,
): Promise<Reply> {
  signal?.throwIfAborted();
  const trace: Trace = { began: false };
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  signal?.addEventListener("abort", abort, { once: true });
  const watch = deadlines(timeouts, (waitedMs) => {
    trace.waitedMs = waitedMs;
    abort();
  });
  try {
    return await run({ signal: controller.signal, fetch: watchedFetch(trace, watch.arrived) });
  } catch (error) {
    signal?.throwIfAborted();
    throw new AttemptFailed(failureOf(trace, error));
  } finally {
    watch.end();
    signal?.removeEventListener("abort", abort);
  }
}

function failureOf(trace: Trace, error: unknown): Failure {
  const { waitedMs, began, refusal } = trace;
  if (waitedMs !== undefined) return { kind: "stalled", waitedMs, began };
  if (refusal !== undefined) return { kind: "refused", refusal };
  if ("noReply" in trace) return { kind: "no reply", error: trace.noReply };
  if ("brokenOff" in trace) return { kind: "broken off", error: trace.brokenOff };
  return { kind: "unusable", error };
}

/** Calls `expired` once unless something arrives in time: first within `firstByteMs`, then within `gapMs` each, until the end. */
export function deadlines({ firstByteMs, gapMs }: Timeouts, expired: (waitedMs: number) => void) {
  let timer = setTimeout(() => expired(firstByteMs), firstByteMs);
  let first = true;
  return {
    arrived: (): void => {
      if (!first) timer.refresh();
      else {
        first = false;
        clearTimeout(timer);
        timer = setTimeout(() => expired(gapMs), gapMs);
      }
    },
    end: (): void => clearTimeout(timer),
  };
}

/** `fetch` that writes down how an attempt goes: error replies are read whole, success replies are watched chunk by chunk. */
const watchedFetch =
  (trace: Trace, arrived: () => void): typeof globalThis.fetch =>
  async (input, init) => {
    let response: Response;
    try {
      response = await globalThis.fetch(input, init);
    } catch (error) {
      trace.noReply = error;
      throw error;
    }
    const { status, statusText, headers, body } = response;
    const watched = body === null ? null : watchedBody(body, trace, arrived);
    if (response.ok) {
      trace.began = true;
      return new Response(watched, { status, statusText, headers });
    }
    const text = await new Response(watched).text().catch(() => "");
    trace.refusal = { status, headers, body: text };
    return new Response(text, { status, statusText, headers });
  };

/** The same bytes. A reader that gives up, as an SDK does after an event that it cannot read, leaves no trace. */
function watchedBody(body: ReadableStream<Uint8Array>, trace: Trace, arrived: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let cancelled = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (cancelled) return;
        arrived();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (!(error instanceof Error && error.name === "AbortError")) trace.brokenOff = error;
        controller.error(error);
      }
    },
    cancel: (reason) => {
      cancelled = true;
      return reader.cancel(reason);
    },
  });
}
