/** A proxy that looks at the bodies of model requests on their way. Both directions pass through as they come, unbuffered. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from "node:http";
import { request as requestHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { UsageError } from "../../errors.ts";
import type { Route } from "../../serve/wire.ts";

/** A model request whose body has passed. */
export interface Passed {
  readonly route: Route;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent, compressed or not. */
  readonly body: Buffer;
}

export interface CaptureProxy {
  /** Without `/v1`. */
  readonly baseUrl: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface ProxyOptions {
  readonly port: number;
  readonly host: string;
  /** Where requests go: a base URL, whose path a request's path is put behind. */
  readonly target: URL;
  readonly onRequest: (passed: Passed) => void;
  /** A reply to a model request has ended. */
  readonly onReply?: () => void;
  /** The target cannot be reached, or broke off. */
  readonly onFault?: (reason: string) => void;
}

/** Starts the proxy. Rejects with UsageError where the port cannot be had. */
export async function startCaptureProxy(options: ProxyOptions): Promise<CaptureProxy> {
  const { port, host } = options;
  const server = createServer((request, response) => pass(request, response, options));
  server.on("upgrade", (_request, socket) => {
    socket.end("HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  });
  server.keepAliveTimeout = 600_000;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === "EADDRINUSE" ? "is taken" : `cannot be had (${cause.code ?? cause.message})`;
      reject(new UsageError(`Port ${port} of ${host} ${reason}. Give another --port, or 0 for a free one.`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    baseUrl: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pass(request: IncomingMessage, response: ServerResponse, options: ProxyOptions): void {
  const { target, onRequest, onReply, onFault } = options;
  const route = routeOf(request);
  const chunks: Buffer[] = [];
  const broken = (error: NodeJS.ErrnoException): void => {
    if (response.destroyed) return;
    onFault?.(`${target.origin}: ${error.code ?? error.message}`);
    if (response.headersSent) response.destroy();
    else refuse(response, `${target.origin} cannot be reached through the capturing proxy.`);
  };
  const send = target.protocol === "https:" ? requestHttps : requestHttp;
  const onward = send(
    targetUrl(target, request.url ?? "/"),
    { method: request.method ?? "GET", headers: [...passedHeaders(request.rawHeaders), "host", target.host] },
    (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.statusMessage, passedHeaders(reply.rawHeaders));
      response.flushHeaders();
      reply.once("error", broken).pipe(response);
      if (route !== undefined) reply.once("end", () => onReply?.());
    },
  );
  onward.once("error", broken);
  // A client that leaves takes its request along.
  response.once("close", () => response.writableFinished || onward.destroy());
  request.once("error", () => onward.destroy());
  request.pipe(onward);
  if (route === undefined) return;
  request.on("data", (chunk: Buffer) => void chunks.push(chunk));
  request.once("end", () => onRequest({ route, headers: request.headers, body: Buffer.concat(chunks) }));
}

/** In a form that clients of both providers read. */
function refuse(response: ServerResponse, message: string): void {
  const error = { type: "api_error", message };
  response.writeHead(502, { "content-type": "application/json" }).end(JSON.stringify({ type: "error", error }));
}

const routes: { readonly [path: string]: Route } = {
  "/chat/completions": "chat",
  "/responses": "responses",
  "/messages": "messages",
};

/** The route of a model request by the end of its path; undefined for any other. */
function routeOf({ method, url = "" }: IncomingMessage): Route | undefined {
  const path = url.split("?")[0]?.replace(/\/+$/, "") ?? "";
  return method === "POST" ? Object.entries(routes).find(([end]) => path.endsWith(end))?.[1] : undefined;
}

/** The target's path and then the request's; a `/v1` that both have stands once. */
export function targetUrl(target: URL, path: string): URL {
  const base = target.pathname.replace(/\/+$/, "");
  const own = base.endsWith("/v1") ? path.replace(/^\/v1(?=\/|$)/, "") : path;
  return new URL(`${target.origin}${base}${own.startsWith("/") ? own : `/${own}`}`);
}

/** Headers of one connection, which its own ends write anew. */
const ofConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "host",
  "expect",
]);

/** Raw headers in their order and spelling, those of one connection apart. */
function passedHeaders(raw: readonly string[]): string[] {
  const passed: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = raw.slice(at, at + 2);
    if (!ofConnection.has(name.toLowerCase())) passed.push(name, value);
  }
  return passed;
}
