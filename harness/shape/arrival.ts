/** A request that went over HTTP to a loopback server, through the real SDK of its style, as it arrived there. */
import { isAscii } from "node:buffer";
import type { JsonObject } from "../json.ts";
import type { ModelRequest, Provider } from "../models/model.ts";
import type { Recorder } from "./recorder.ts";
import type { Style } from "./styles.ts";

/** Which request of a plan it is. */
export interface Origin {
  readonly style: Pick<Style, "id" | "form">;
  readonly chain: string;
  readonly end: number;
  readonly arm: string;
  readonly request: ModelRequest;
}

export interface Arrival extends Origin {
  /** What the provider encoded, before it was sent. */
  readonly encoded: JsonObject;
  readonly path: string;
  /** Without the body's length. */
  readonly headers: JsonObject;
  readonly bytes: number;
  /** As it was parsed from the bytes. */
  readonly body: JsonObject;
}

/** Sends one request and gives back what arrived. Rejects where not exactly one JSON object did. */
export async function arrive(origin: Origin, provider: Provider, recorder: Recorder): Promise<Arrival> {
  const encoded = provider.encode(origin.request);
  await provider.send(encoded);
  const arrived = recorder.take();
  const [one] = arrived;
  if (one === undefined || arrived.length > 1)
    throw new Error(`${placeOf(origin)}: ${arrived.length} requests arrived where one was sent`);
  const text = one.bytes.toString(isAscii(one.bytes) ? "latin1" : "utf8");
  const { "content-length": _length, ...headers } = one.headers;
  return {
    ...origin,
    encoded,
    path: one.path,
    headers: headers as JsonObject,
    bytes: one.bytes.length,
    body: JSON.parse(text) as JsonObject,
  };
}

/** A request as it would arrive, had it been sent: what is encoded is JSON already. */
export function encodedOnly(origin: Origin, style: Style): Arrival {
  const encoded = style.encode(origin.request);
  return {
    ...origin,
    encoded,
    path: "",
    headers: {},
    body: encoded,
    get bytes() {
      return Buffer.byteLength(JSON.stringify(encoded));
    },
  };
}

/** Where a request belongs, in words. */
export const placeOf = ({ chain, end, arm, request }: Omit<Origin, "style">): string =>
  `${request.purpose === "compact" ? "compaction" : "answer"} of ${arm} at ${chain} ${end}`;

/** Looks at every arrival and then says what it found. */
export interface Watcher {
  see(arrival: Arrival): void;
}
