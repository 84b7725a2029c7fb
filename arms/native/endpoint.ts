/** The model that a real program talks to: a loopback server that hands every request over and answers in the wire form of one product. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../harness/json.ts";

export type EndpointAnswer =
  | { readonly kind: "text"; readonly text: string; readonly usedTokens?: number }
  | { readonly kind: "overflow" }
  /** Refused for good, for a reason that is not the program's affair. */
  | { readonly kind: "refusal" };

/** Writes an answer to a request in a wire form; `number` counts the requests. */
export type Wire = (response: ServerResponse, answer: EndpointAnswer, number: number) => void;

export interface Endpoint {
  readonly port: number;
  /** Says what the model answers to a request. */
  answer: (body: JsonObject) => EndpointAnswer | Promise<EndpointAnswer>;
  close(): void;
}

/** Starts an endpoint; `path` is where its wire form is asked. Anything else is answered with 404. */
export async function startEndpoint(path: string, wire: Wire, answer: Endpoint["answer"]): Promise<Endpoint> {
  let requests = 0;
  const server = createServer((request, response) => {
    void body(request).then(async (text) => {
      if (request.method !== "POST" || new URL(request.url ?? "/", "http://localhost").pathname !== path) {
        response.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"nothing here"}}');
        return;
      }
      const sent = JSON.parse(text) as JsonObject;
      const number = ++requests;
      const waiting = setInterval(() => sendWaiting(response), waitingMs).unref();
      const answer = await endpoint.answer(sent);
      clearInterval(waiting);
      wire(response, answer, number);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // What waits for an answer keeps the process alive; the server alone does not.
  server.unref();
  const endpoint: Endpoint = {
    port: (server.address() as AddressInfo).port,
    answer,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return endpoint;
}

/** Programs give up on a model that is silent for some minutes. */
const waitingMs = 60_000;

const streamHeaders = { "content-type": "text/event-stream", "cache-control": "no-cache" } as const;

/** Begins the stream of an answer, unless it has begun already. */
export function beginStream(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(200, streamHeaders);
}

/** A comment in the stream, which says nothing but that the model is at work. */
function sendWaiting(response: ServerResponse): void {
  beginStream(response);
  response.write(": waiting\n\n");
}

async function body(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
