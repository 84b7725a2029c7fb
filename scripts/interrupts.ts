/** Ctrl-C: the first stops after what is under way, calls in flight included, because they are paid for; the second leaves at once. */
import { exitCodes } from "../harness/errors.ts";
import { interrupted } from "../harness/models/meter.ts";

export interface Interrupts {
  readonly signal: AbortSignal;
  /** Gives the signals back. */
  readonly release: () => void;
}

export function catchInterrupts(): Interrupts {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    process.stderr.write("\nStopping: what is under way finishes and is kept. Press Ctrl-C again to leave at once.\n");
    // With a reason, because arms hand the signal to what they wait for, and its reason is what comes back.
    controller.abort(interrupted());
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    release: () => void process.off("SIGINT", onSignal).off("SIGTERM", onSignal),
  };
}
