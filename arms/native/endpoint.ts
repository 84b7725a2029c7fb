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
      wire(response, await endpoint.answer(sent), number);
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

async function body(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
