/** A provider over HTTP, given the dialect that its server speaks. */
import type { JsonObject } from "../../json.ts";
import type { ModelReply, ModelRequest } from "../model.ts";
import { type Attempt, attempt, AttemptFailed, type Timeouts } from "./attempt.ts";
import { faultOf, type Subject } from "./faults.ts";
import { applied, type Change, changeText, createMemory, type Learned } from "./learned.ts";
import {
  checkExtra,
  cleanBaseUrl,
  cleanKey,
  remoteDefaults,
  type RemoteOptions,
  type RemoteProvider,
} from "./options.ts";
import type { Problem } from "./problem.ts";
import type { Repairs } from "./turns.ts";

/** What a client is made from, for one attempt. */
export interface Connection extends Attempt {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeouts: Timeouts;
}

/** A wire form: everything that tells one API from another. */
export interface Dialect {
  readonly id: string;
  /** The environment variable that the key comes from. */
  readonly variable: string;
  readonly baseUrl: string;
  /** What decides replies besides model, base URL, thinking and extra fields. Part of the run's identity. */
  readonly parameters: JsonObject;
  /** Body fields that the request decides. */
  readonly decided: readonly string[];
  /** What may become of a refused parameter, in order. */
  readonly ladders: { readonly [parameter: string]: readonly Change[] };
  /** Whether a problem refuses that parameter of a ladder. */
  readonly refuses: (problem: Problem, parameter: string) => boolean;
  readonly advice: Subject["advice"];
  /** Fields added while sending, which decide nothing about the reply. */
  readonly transport: (stream: boolean) => JsonObject;
  readonly encode: (request: ModelRequest) => { readonly body: JsonObject; readonly repairs: Repairs };
  /** One exchange. Rejects where the reply is not complete. */
  readonly exchange: (connection: Connection, body: JsonObject) => Promise<ModelReply>;
}

/**
 * The provider. `send` is one attempt without retries; it rejects with ProviderError (ContextOverflowError where the
 * request does not fit), or with the signal's reason. Throws UsageError for a base URL, a key or an extra field that
 * cannot be.
 */
export function remoteProvider(dialect: Dialect, options: RemoteOptions): RemoteProvider {
  const { id, variable, encode, exchange, transport, advice } = dialect;
  const { model, windowTokens, stream, thinking, timeouts, extra, learned, onLesson, now, ...rest } = {
    ...remoteDefaults,
    baseUrl: dialect.baseUrl,
    ...options,
  };
  const baseUrl = cleanBaseUrl(id, rest.baseUrl);
  const apiKey = cleanKey(id, variable, rest.apiKey);
  checkExtra(extra, dialect.decided);
  const memory = createMemory(dialect.ladders, learned, onLesson);
  const mend = (problem: Problem, used: Learned): string | undefined => {
    const parameter = Object.keys(dialect.ladders).find((name) => dialect.refuses(problem, name));
    const change = parameter === undefined ? undefined : memory.learn(parameter, used);
    return parameter === undefined || change === undefined ? undefined : changeText({ parameter, change });
  };
  const subject = { provider: id, model, baseUrl, variable, secrets: [apiKey], now, advice };
  return {
    id,
    model,
    windowTokens,
    parameters: { baseUrl, thinking, extra, ...dialect.parameters },
    encode: (request) => encode(request).body,
    repairs: (request) => encode(request).repairs,
    learned: () => memory.learned(),
    send: async (body, signal) => {
      const used = memory.learned();
      const sent = applied({ ...body, ...transport(stream) }, used);
      try {
        return await attempt(timeouts, signal, (one) => exchange({ ...one, baseUrl, apiKey, timeouts }, sent));
      } catch (error) {
        if (!(error instanceof AttemptFailed)) throw error;
        throw faultOf({ ...subject, mend: (problem) => mend(problem, used) }, error.failure);
      }
    },
  };
}
