/** How far a run is: a bar in a terminal, a plain line every tenth elsewhere. Always on stderr. */
import { Presets, SingleBar } from "cli-progress";
import { decimalOf } from "../harness/models/prices.ts";
import type { Progress } from "../harness/run/run.ts";

export interface ProgressView {
  readonly show: (progress: Progress) => void;
  /** Leaves the terminal as it was found. */
  readonly stop: () => void;
}

const isTerminal = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && (stream.columns ?? 0) > 0 && process.env["TERM"] !== "dumb" && process.env["CI"] === undefined;

const details = ({ chain, end, arm, questionsAsked, spentNano }: Progress, currency: string): string =>
  `${chain} at ${end}, ${arm}, ${questionsAsked} questions asked, ${decimalOf(spentNano, 4)}${currency === "" ? "" : ` ${currency}`} spent`;

/** A view on `stream`; `currency` is "" where nothing is billed. */
export function progressView(stream: NodeJS.WriteStream, currency: string): ProgressView {
  return isTerminal(stream) ? bar(stream, currency) : lines(stream, currency);
}

function bar(stream: NodeJS.WriteStream, currency: string): ProgressView {
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
      view.update(progress.steps.done, { details: details(progress, currency) });
    },
    stop: () => {
      if (started) view.stop();
    },
  };
}

function lines(stream: NodeJS.WriteStream, currency: string): ProgressView {
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
      stream.write(`${done}/${all} steps: ${details(progress, currency)}, about ${leftSeconds.toFixed(0)} s left\n`);
    },
    stop: () => undefined,
  };
}
