/** The mock model: a loopback server that keeps every request and answers as it is told, in the wire form of one product. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../harness/json.ts";

export type MockAnswer =
  | { readonly kind: "text"; readonly text: string; readonly usedTokens?: number }
  | { readonly kind: "call"; readonly tool: string; readonly args: JsonObject; readonly usedTokens?: number }
  | { readonly kind: "overflow" };

/** Writes an answer to a request in a wire form; `number` counts the requests. */
export type Wire = (response: ServerResponse, answer: MockAnswer, number: number) => void;

export interface MockModel {
  readonly port: number;
  /** Says what the model answers to a request. */
  answer: (body: JsonObject) => MockAnswer | Promise<MockAnswer>;
  close(): void;
}

/** Starts a mock model; `path` is where its wire form is asked. Anything else is answered with 404. */
export async function startMock(path: string, wire: Wire, answer: MockModel["answer"]): Promise<MockModel> {
  let requests = 0;
  const server = createServer((request, response) => {
    void body(request).then(async (text) => {
      if (request.method !== "POST" || new URL(request.url ?? "/", "http://localhost").pathname !== path) {
        response.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"nothing here"}}');
        return;
      }
      const sent = JSON.parse(text) as JsonObject;
      const number = ++requests;
      wire(response, await mock.answer(sent), number);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const mock: MockModel = {
    port: (server.address() as AddressInfo).port,
    answer,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return mock;
}

async function body(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
