/** What a provider over HTTP is made from. */
import { UsageError } from "../../errors.ts";
import type { JsonObject } from "../../json.ts";
import type { ModelRequest, Provider } from "../model.ts";
import type { Timeouts } from "./attempt.ts";
import type { Learned, Lesson } from "./learned.ts";
import type { Repairs } from "./turns.ts";

/** `off`: no thinking where the API allows it. `default`: nothing is said about it. */
export type Thinking = "off" | "low" | "medium" | "high" | "default";

export interface RemoteOptions {
  readonly model: string;
  /** Never stored, logged or printed. A server that needs none takes any text. */
  readonly apiKey: string;
  readonly windowTokens: number;
  /** Without user name, password, query or fragment. */
  readonly baseUrl?: string;
  /** How the reply travels; decides nothing about it. Off for servers that cannot stream. */
  readonly stream?: boolean;
  readonly thinking?: Thinking;
  readonly timeouts?: Timeouts;
  /** Further fields of every body, such as `{"temperature":0}`: part of the run's identity. */
  readonly extra?: JsonObject;
  /** What an earlier process of the run has learnt from refusals. */
  readonly learned?: Learned;
  /** Called once for each thing learnt, for the run's log. */
  readonly onLesson?: (lesson: Lesson) => void;
  /** Milliseconds since the epoch, to read dates in `retry-after` and reset headers. */
  readonly now?: () => number;
}

export interface RemoteProvider extends Provider {
  /** What refusals have taught so far: kept with the run and given back to the next process. */
  learned(): Learned;
  /** How a request had to be changed to be sendable. */
  repairs(request: ModelRequest): Repairs;
}

export const remoteDefaults = {
  stream: true,
  thinking: "off",
  timeouts: { firstByteMs: 300_000, gapMs: 120_000 },
  extra: {},
  learned: {},
  onLesson: () => undefined,
  now: Date.now,
} as const satisfies Omit<RemoteOptions, "model" | "apiKey" | "windowTokens" | "baseUrl">;

/**
 * A base URL as the SDKs take it, without a slash at its end. Throws UsageError for one that holds what must not be
 * recorded (user name, password, query) or that is no http URL; the value is not repeated.
 */
export function cleanBaseUrl(provider: string, baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `--base-url of ${provider} is no http or https URL. Give one such as "http://localhost:8000/v1".`,
    );
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new UsageError(
      `--base-url of ${provider} holds a user name, a password, a query or a fragment, which would be recorded. Give it without; a key belongs into the environment.`,
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** A key that can be a header. Throws UsageError, without the key, for an empty one or one with other than printable ASCII. */
export function cleanKey(provider: string, variable: string, apiKey: string): string {
  const key = apiKey.trim();
  if (key === "")
    throw new UsageError(`${provider} needs a key. Set ${variable}; a server that needs none takes any text.`);
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(`The key in ${variable} holds characters that no key has, such as spaces. Set it again.`);
  return key;
}

/** Throws UsageError where `extra` names a field that the request itself decides. */
export function checkExtra(extra: JsonObject, decided: readonly string[]): void {
  const field = decided.find((name) => Object.hasOwn(extra, name));
  if (field !== undefined)
    throw new UsageError(`The extra body field "${field}" is decided by the request itself. Leave it out.`);
}

/** What `construct` returns, made while an environment variable is hidden: both SDKs add custom headers from one, whatever their options say. */
export function withoutVariable<Made>(variable: string, construct: () => Made): Made {
  const value = process.env[variable];
  if (value === undefined) return construct();
  delete process.env[variable];
  try {
    return construct();
  } finally {
    process.env[variable] = value;
  }
}
