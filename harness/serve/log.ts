/** What the server writes down: one entry a request, never a header and never a text. */
import { closeSync, openSync, writeSync } from "node:fs";
import { ArtifactError } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import type { Usage } from "../models/model.ts";
import type { Billed } from "./usage.ts";
import type { Route } from "./wire.ts";

export interface LogEntry {
  /** Counts all calls of the three model routes in the order in which their bodies had arrived, from 1; null for any other request. */
  readonly call: number | null;
  readonly method: string;
  readonly path: string;
  readonly route: Route | null;
  readonly model: string | null;
  readonly stream: boolean | null;
  /** Of the body as it arrived. */
  readonly bodySha256: string;
  /** Of the body without what only decides how the reply travels (`stream`, `stream_options`): a ledger's `request`. Null for what was no call. */
  readonly requestSha256: string | null;
  readonly bodyBytes: number;
  /** How many times this body had come, this one included. */
  readonly attempt: number;
  /** Name of the fault, with its status where it has one. */
  readonly fault: string | null;
  readonly delayMs: number;
  /** HTTP status; null where the connection was reset before it. */
  readonly status: number | null;
  /** A whole reply was handed to a connection that was still open. */
  readonly answered: boolean;
  /** What the request costs at a provider, whether or not anybody got the reply; null where it was refused. */
  readonly billed: Billed | null;
  /** The usage object as it was sent, faults included; null where none was sent. */
  readonly usage: JsonValue;
}

export interface Totals {
  readonly requests: number;
  readonly answered: number;
  /** Replies with a status of 400 or more. */
  readonly refused: number;
  /** Begun or due, but never whole: reset, stalled, cut off, or the client went away. */
  readonly broken: number;
  /** Of everything that was billed. */
  readonly tokens: Required<Usage>;
}

export interface RequestLog {
  readonly entries: readonly LogEntry[];
  add(entry: LogEntry): void;
  close(): void;
}

/** A log in memory, and with `path` also appended to a file: one JSON line an entry, written before `add` returns. Throws ArtifactError. */
export function openLog(path: string | undefined): RequestLog {
  const entries: LogEntry[] = [];
  const file = path === undefined ? undefined : openedToAppend(path);
  return {
    entries,
    add: (entry) => {
      entries.push(entry);
      if (file !== undefined) writeSync(file, `${JSON.stringify(entry)}\n`);
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}

function openedToAppend(path: string): number {
  try {
    return openSync(path, "a");
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new ArtifactError(path, `cannot be written (${code}). Give another --log file.`, { cause });
  }
}

/** The sums of a log. */
export function totalsOf(entries: readonly LogEntry[]): Totals {
  const isRefused = ({ status }: LogEntry): boolean => status !== null && status >= 400;
  const sum = (count: keyof Required<Usage>): number =>
    entries.reduce((total, { billed }) => total + (billed?.[count] ?? 0), 0);
  const calls = entries.filter(({ call }) => call !== null);
  return {
    requests: entries.length,
    answered: calls.filter(({ answered }) => answered).length,
    refused: entries.filter(isRefused).length,
    broken: calls.filter((entry) => !entry.answered && !isRefused(entry)).length,
    tokens: {
      freshInputTokens: sum("freshInputTokens"),
      cacheReadTokens: sum("cacheReadTokens"),
      cacheWriteTokens: sum("cacheWriteTokens"),
      cacheWriteHourTokens: sum("cacheWriteHourTokens"),
      outputTokens: sum("outputTokens"),
    },
  };
}
