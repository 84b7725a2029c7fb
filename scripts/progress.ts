/** How far a run is: a bar in a terminal, a plain line every tenth elsewhere. Always on stderr. */
import { Presets, SingleBar } from "cli-progress";
import { decimalOf, type Pricing } from "../harness/models/prices.ts";
import type { Progress } from "../harness/run/run.ts";

export interface ProgressView {
  readonly show: (progress: Progress) => void;
  /** Leaves the terminal as it was found. */
  readonly stop: () => void;
}

const isTerminal = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && (stream.columns ?? 0) > 0 && process.env["TERM"] !== "dumb" && process.env["CI"] === undefined;

/** How far, and for how much. */
type Details = (progress: Progress) => string;

/** A view on `stream`, with what is spent at `pricing`. */
export function progressView(stream: NodeJS.WriteStream, pricing: Pricing): ProgressView {
  const details: Details = ({ chain, end, arm, questionsAsked, spentNano }) =>
    `${chain} at ${end}, ${arm}, ${questionsAsked} questions asked, ${spentText(spentNano, pricing)}`;
  return isTerminal(stream) ? bar(stream, details) : lines(stream, details);
}

function spentText(spentNano: bigint, pricing: Pricing): string {
  switch (pricing.kind) {
    case "free":
      return `${decimalOf(spentNano, 4)} spent`;
    case "unknown":
      return "spent unknown";
    case "priced":
      return `${decimalOf(spentNano, 4)} ${pricing.price.currency} spent`;
  }
}

function bar(stream: NodeJS.WriteStream, details: Details): ProgressView {
  const view = new SingleBar(
    {
      format: "{bar} {value}/{total}  {details}, {eta_formatted} left",
      stream,
      hideCursor: true,
      barsize: 24,
      clearOnComplete: true,
      linewrap: null,
    },
    Presets.rect,
  );
  let started = false;
  return {
    show: (progress) => {
      if (!started) view.start(progress.steps.all, 0, { details: "" });
      started = true;
      view.update(progress.steps.done, { details: details(progress) });
    },
    stop: () => {
      if (started) view.stop();
    },
  };
}

function lines(stream: NodeJS.WriteStream, details: Details): ProgressView {
  let tenth = 0;
  // By the latest steps: those before them may have been read from the folder of an earlier run.
  let last = { done: 0, atMs: performance.now() };
  return {
    show: (progress) => {
      const { done, all } = progress.steps;
      if (Math.floor((10 * done) / all) <= tenth) return;
      tenth = Math.floor((10 * done) / all);
      const atMs = performance.now();
      const leftSeconds = (((atMs - last.atMs) / 1000) * (all - done)) / (done - last.done);
      last = { done, atMs };
      stream.write(`${done}/${all} steps: ${details(progress)}, about ${leftSeconds.toFixed(0)} s left\n`);
    },
    stop: () => undefined,
  };
}
