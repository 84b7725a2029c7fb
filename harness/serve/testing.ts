/** For tests of the server: a server that closes with its test, requests by plain fetch, and the bodies they send. */
import { onTestFinished } from "vitest";
import { sheetText } from "../exam/prompt.ts";
import { parseFaults } from "./faults.ts";
import { type OfflineServer, type OfflineServerOptions, startOfflineServer } from "./server.ts";
import type { Route } from "./wire.ts";

/** A server on a free port. `faults` as a faults file has them. */
export async function serve(
  options: Partial<Omit<OfflineServerOptions, "faults">> & { readonly faults?: unknown } = {},
): Promise<OfflineServer> {
  const { faults = [], ...others } = options;
  const server = await startOfflineServer({ ...others, faults: parseFaults(faults) });
  onTestFinished(() => server.close());
  return server;
}

export const paths: { readonly [route in Route]: string } = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};
export const routes = Object.keys(paths) as Route[];

export const fact = "Keep the cap at 96 MiB.";
export const sheet = sheetText({
  questions: ["96 MiB", "PR #482"].map((value) => ({ kind: "decoy", value, pattern: "test" })),
});
/** The offline model's reply to `sheet` after `fact`. */
export const rightAnswer = '{"appeared":["96 MiB"]}';

/** A body that asks `sheet` after `fact`, in the form of a route. */
export function asking(route: Route, more: object = {}): { readonly [field: string]: unknown } {
  const said = [
    { role: "user", content: fact },
    { role: "user", content: sheet },
  ];
  switch (route) {
    case "chat":
      return { model: "any", messages: said, max_tokens: 500, stream_options: { include_usage: true }, ...more };
    case "responses":
      return { model: "any", input: said, max_output_tokens: 500, ...more };
    case "messages":
      return { model: "any", messages: said, max_tokens: 500, ...more };
  }
}

/** Posts a body: text and bytes as they are, everything else as JSON. */
export const post = (server: OfflineServer, path: string, body: unknown, init: RequestInit = {}): Promise<Response> => {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  return fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    body: isRaw ? (body as string) : JSON.stringify(body),
    ...init,
  });
};

/** Asks on a route and reads the JSON of the reply. */
export async function ask(server: OfflineServer, route: Route, more: object = {}) {
  const response = await post(server, paths[route], asking(route, more));
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}

/** JSON whose fields are looked at without knowing them. */
export type Json = { readonly [field: string]: Json } & { readonly [index: number]: Json };

/** A text as it is; anything else as JSON. */
export const plain = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** The JSON of a stream's events, in order; the closing `[DONE]` as that text. */
const eventsIn = (stream: string): (Json | "[DONE]")[] =>
  [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) =>
    data === "[DONE]" ? data : (JSON.parse(data) as Json),
  );

/** Asks on a route and reads the whole stream. */
export async function askStream(server: OfflineServer, route: Route, more: object = {}) {
  const response = await post(server, paths[route], asking(route, { stream: true, ...more }));
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, events: eventsIn(text) };
}
