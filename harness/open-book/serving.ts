/** Serving the calls of one sheet: what is offered, whether the arguments are any, and the sheet's allowance. */
import type { JsonObject, JsonValue } from "../json.ts";
import { type Interface, type LookupResult, type Lookups, refuse, resultBytes, withinAllowance } from "./lookup.ts";

/** What one sheet may cost in reading. */
export interface ReadingLimits {
  /** Bytes of UTF-8 that all lookups of a sheet may show. */
  readonly bytes: number;
  /** Replies with calls; after so many the model is asked once more and may not call. */
  readonly callRounds: number;
}

/** @default 32 KB and 60 rounds of calls, as in the original experiment. */
export const readingLimits: ReadingLimits = { bytes: 32 * 1024, callRounds: 60 };

/** One call and what came of it. `args` as they were sent back to the model. */
export interface Lookup {
  /** Unique in its request, so not always the provider's own id. */
  readonly call: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly result: LookupResult;
}

interface Served {
  readonly offer: Interface;
  readonly lookups: Lookups;
  readonly limits: ReadingLimits;
  readonly sessionTools: ReadonlySet<string>;
}

/** Serves the calls of one sheet, in order, each within what is left of its allowance. */
export function server({
  offer,
  lookups,
  limits,
  sessionTools,
}: Served): (tool: string, args: JsonValue) => LookupResult {
  const offered = offer.tools.map(({ name }) => name);
  let leftBytes = limits.bytes;
  return (tool, args) => {
    if (!offered.includes(tool)) return notOffered(tool, sessionTools.has(tool), offered);
    if (!isObject(args)) return refuse("broken arguments", `${tool}: the arguments are no JSON object.`);
    const result = withinAllowance(lookups.serve(tool, args), leftBytes);
    leftBytes -= resultBytes(result);
    return result;
  };
}

function notOffered(tool: string, isSessionTool: boolean, offered: readonly string[]): LookupResult {
  const instead = `What works now: ${offered.join(", ")}.`;
  return isSessionTool
    ? refuse("not runnable", `${tool} cannot be used while these values are checked: nothing runs. ${instead}`)
    : refuse("not given", `There is no tool ${JSON.stringify(tool)}. ${instead}`);
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Arguments as a request can carry them: what is no object is kept whole under a name. */
export const sendableArgs = (args: JsonValue): JsonObject => (isObject(args) ? args : { arguments: args });
