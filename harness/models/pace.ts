/** When a request may go out: not while the provider asked everybody to wait, and not before the first of its prefix is back. */
import { setTimeout as delay } from "node:timers/promises";
import { digest } from "../json.ts";
import type { ModelRequest } from "./model.ts";

export interface Pace {
  /** Resolves when no hold is in force, or when the signal aborts. */
  turn(): Promise<void>;
  /** Holds every request back for so long: the provider said when it wants the next one. */
  hold(forMs: number): void;
  /** Waits for one request alone. */
  wait(forMs: number): Promise<void>;
}

export function createPace(signal: AbortSignal): Pace {
  let heldUntilMs = 0;
  const wait = (forMs: number): Promise<void> => delay(forMs, undefined, { signal }).catch(() => undefined);
  return {
    turn: async () => {
      for (
        let leftMs = heldUntilMs - performance.now();
        leftMs > 0 && !signal.aborted;
        leftMs = heldUntilMs - performance.now()
      )
        await wait(leftMs);
    },
    hold: (forMs) => {
      heldUntilMs = Math.max(heldUntilMs, performance.now() + forMs);
    },
    wait,
  };
}

export interface PrefixGate {
  /** Sends at once if it is the first request with these tools and this system prompt, else after that one ended, well or not. */
  after<Reply>(request: ModelRequest, send: () => Promise<Reply>): Promise<Reply>;
}

/** The first request of a shared prefix finishes before the others start, so that a provider's cache can be warm for them. */
export function createPrefixGate(): PrefixGate {
  const first = new Map<string, Promise<unknown>>();
  return {
    after: async (request, send) => {
      const prefix = digest({ tools: request.tools.map((tool) => ({ ...tool })), system: request.system });
      const leader = first.get(prefix);
      if (leader !== undefined) {
        await leader;
        return send();
      }
      const sending = send();
      first.set(
        prefix,
        sending.catch(() => undefined),
      );
      return sending;
    },
  };
}
