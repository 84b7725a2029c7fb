/** Writes replies to a connection, whole or broken on purpose. */
import type { ServerResponse } from "node:http";
import type { BrokenWay } from "./faults.ts";
import { Refusal, type Wire } from "./wire.ts";

/** A reply ready to be written: one body, or the frames of an event stream. */
export type Written =
  | { readonly kind: "body"; readonly json: string }
  | { readonly kind: "stream"; readonly frames: readonly string[] };

/** What a client will have got. Known before anything is written, so that the log can be ahead of the client. */
export interface Outcome {
  readonly status: number | null;
  readonly answered: boolean;
}

export function outcomeOf(response: ServerResponse, way: BrokenWay | undefined): Outcome {
  const isGone = response.destroyed || response.socket === null || response.socket.destroyed;
  if (isGone || way === "reset-before" || way === "stall-before") return { status: null, answered: false };
  return { status: 200, answered: way === undefined };
}

const jsonHeaders = { "content-type": "application/json" };
const streamHeaders = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

/** Writes a reply. A stall keeps the connection until the client or the server closes it. */
export function deliver(
  response: ServerResponse,
  reply: Written,
  way: BrokenWay | undefined,
  wire: Wire,
  call: number,
): void {
  response.setHeader("x-request-id", `offline-${call}`);
  const isStream = reply.kind === "stream";
  const all = isStream ? reply.frames.join("") : reply.json;
  const begin = (): ServerResponse => response.writeHead(200, isStream ? streamHeaders : jsonHeaders);
  switch (way) {
    case undefined:
      begin().end(all);
      return;
    case "reset-before":
      response.socket?.resetAndDestroy();
      return;
    case "stall-before":
      return;
    case "reset-after":
      begin().write(beginningOf(reply), () => response.socket?.resetAndDestroy());
      return;
    case "stall":
      begin().write(beginningOf(reply));
      return;
    case "cut-stream":
      begin().end(beginningOf(reply));
      return;
    case "error-event": {
      const refusal = new Refusal(529, "Overloaded: try again later.", { type: "overloaded_error" });
      const error = isStream ? wire.problemFrame(refusal, call) : JSON.stringify(wire.problem(refusal));
      begin().end(isStream ? beginningOf(reply) + error : error);
      return;
    }
    case "html":
      response.writeHead(200, { "content-type": "text/html" }).end("<html><body>A gateway speaks.</body></html>");
      return;
    case "bad-json":
      begin().end(isStream ? `${beginningOf(reply)}data: {"id": oops\n\n` : '{"id": oops');
      return;
  }
}

/** The first half of a reply: of a stream whole frames, at least one and never the last. */
function beginningOf(reply: Written): string {
  if (reply.kind === "body") return reply.json.slice(0, Math.ceil(reply.json.length / 2)).toWellFormed();
  const count = Math.max(1, Math.floor(reply.frames.length / 2));
  return reply.frames.slice(0, Math.min(count, reply.frames.length - 1)).join("");
}

/** Writes an error reply: a gateway's 502, 503 and 504 are pages, all others the provider's own JSON. */
export function refuse(response: ServerResponse, refusal: Refusal, wire: Pick<Wire, "problem">): void {
  const { status, headers } = refusal;
  if (status >= 502 && status <= 504)
    response.writeHead(status, { "content-type": "text/html", ...headers }).end(`<html><h1>${status}</h1></html>`);
  else response.writeHead(status, { ...jsonHeaders, ...headers }).end(JSON.stringify(wire.problem(refusal)));
}
