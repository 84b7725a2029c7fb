/**
 * The offline model over HTTP: OpenAI chat completions and responses, Anthropic messages, with the usage that the
 * provider's prompt cache would give, and with faults on request. For trying real clients without a key or a bill.
 * It checks no key, and no clock decides anything it answers: nothing that it cached expires.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { UsageError } from "../errors.ts";
import { sha256 } from "../json.ts";
import type { Provider } from "../models/model.ts";
import { offlineProvider } from "../models/offline/offline.ts";
import { type SearcherName, searcherNames, searcherProvider } from "../models/offline/searchers.ts";
import { yesProvider } from "../models/offline/yes.ts";
import { createAnswerer, type ServedCache } from "./answer.ts";
import { type CallHandler, createCallHandler } from "./call.ts";
import { chatWire } from "./chat.ts";
import { refuse } from "./deliver.ts";
import type { FaultRule } from "./faults.ts";
import { type LogEntry, openLog, type RequestLog, type Totals, totalsOf } from "./log.ts";
import { messagesWire } from "./messages.ts";
import { modelList, modelNamed } from "./models-route.ts";
import { responsesWire } from "./responses.ts";
import { Refusal, type Wire } from "./wire.ts";

export type ServedModel = "offline" | "yes" | SearcherName;

export interface OfflineServerOptions {
  /** 0 for a free one. */
  readonly port: number;
  /** Address to listen on. */
  readonly host: string;
  /** Which offline model answers. A request may call it anything. */
  readonly model: ServedModel;
  readonly windowTokens: number;
  /** Cache accounting and usage fields. Undefined: OpenAI's on its two routes, Anthropic's on its own. */
  readonly cacheRules: ServedCache | undefined;
  /** Requests share cached prefixes only under an equal `prompt_cache_key`. */
  readonly cacheByKey: boolean;
  readonly faults: readonly FaultRule[];
  /** File to append the log to. */
  readonly logFile: string | undefined;
}

/** @default the perfect reader on a free port of the loopback address, a window of 1,000,000 tokens, no faults. */
const defaultServerOptions: OfflineServerOptions = {
  port: 0,
  host: "127.0.0.1",
  model: "offline",
  windowTokens: 1_000_000,
  cacheRules: undefined,
  cacheByKey: false,
  faults: [],
  logFile: undefined,
};

export interface OfflineServer {
  /** Without `/v1`, which every route takes or leaves. */
  readonly baseUrl: string;
  readonly port: number;
  /** One entry a request, the newest last; written before a client sees the end of its reply. */
  readonly log: readonly LogEntry[];
  totals(): Totals;
  /** Ends every connection, writes down what became of them and releases the port. */
  close(): Promise<void>;
}

const wires: readonly Wire[] = [chatWire, responsesWire, messagesWire];
const mostBodyBytes = 256 * 1024 * 1024;

/** Starts the server. Rejects with UsageError where the port cannot be had, ArtifactError where the log file cannot. */
export async function startOfflineServer(options: Partial<OfflineServerOptions> = {}): Promise<OfflineServer> {
  const { port, host, model, windowTokens, faults, logFile, ...accounting } = { ...defaultServerOptions, ...options };
  const provider = served(model, windowTokens);
  const log = openLog(logFile);
  const answerer = createAnswerer({ provider, rules: accounting.cacheRules, cacheByKey: accounting.cacheByKey });
  const calls = createCallHandler(answerer, faults, log);
  const working = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const work = route(request, response, { calls, log, model: provider.model })
      .catch((error: unknown) => {
        request.socket.destroy();
        throw error;
      })
      .finally(() => working.delete(work));
    working.add(work);
  });
  // A client that keeps a connection for its next request must not find it closed just then.
  server.keepAliveTimeout = 600_000;
  await listening(server, port, host).catch((error: unknown) => {
    log.close();
    throw error;
  });
  const address = server.address() as AddressInfo;
  return {
    baseUrl: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    log: log.entries,
    totals: () => totalsOf(log.entries),
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await Promise.all(working);
      log.close();
    },
  };
}

function served(model: ServedModel, windowTokens: number): Provider {
  const searcher = searcherNames.find((name) => name === model);
  if (searcher !== undefined) return searcherProvider(searcher, { windowTokens });
  return model === "yes" ? yesProvider({ windowTokens }) : offlineProvider({ windowTokens });
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === "EADDRINUSE" ? "is taken" : `cannot be had (${cause.code ?? cause.message})`;
      reject(new UsageError(`Port ${port} of ${host} ${reason}. Give another --port, or 0 for a free one.`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

interface Routes {
  readonly calls: CallHandler;
  readonly log: RequestLog;
  readonly model: string;
}

async function route(request: IncomingMessage, response: ServerResponse, { calls, log, model }: Routes): Promise<void> {
  const { method = "" } = request;
  const [path = ""] = (request.url ?? "").split("?");
  const name = path.replace(/^\/v1(?=\/)/, "").replace(/(?<=.)\/$/, "");
  if (method === "GET" && name === "/totals") return sendJson(response, totalsOf(log.entries));
  const wire = wires.find((one) => one.path === name);
  const body = await bodyOf(request);
  if (body === undefined) return;
  const isAnthropic = wire === messagesWire || request.headers["anthropic-version"] !== undefined;
  const refused = (refusal: Refusal): void => {
    log.add({ ...unanswered(method, path, body), route: wire?.route ?? null, status: refusal.status });
    refuse(response, refusal, isAnthropic ? messagesWire : (wire ?? chatWire));
  };
  if (body.length > mostBodyBytes) return refused(new Refusal(413, "The body is larger than 256 MiB."));
  if (wire !== undefined && method === "POST")
    return calls.handle(wire, { path, body, encoding: request.headers["content-encoding"] }, response);

  const [, isList, id] = /^\/models(?:(\/?)|\/(.+))$/.exec(name) ?? [];
  const isModels = isList !== undefined || id !== undefined;
  if (wire !== undefined || (isModels && method !== "GET"))
    return refused(new Refusal(405, `${method} is not allowed here.`, { headers: { allow: wire ? "POST" : "GET" } }));
  if (!isModels) return refused(new Refusal(404, `There is no ${method} ${path} here.`, { code: "unknown_url" }));
  log.add({ ...unanswered(method, path, body), route: null, status: 200 });
  sendJson(response, id === undefined ? modelList(model, isAnthropic) : modelNamed(unescaped(id), isAnthropic));
}

/** A part of a path as it was before it was escaped, or as it is where that is no escape. */
function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Log entry of a request that is no call of a model. */
const unanswered = (method: string, path: string, body: Buffer) => ({
  call: null,
  method,
  path,
  model: null,
  stream: null,
  bodySha256: sha256(body),
  requestSha256: null,
  bodyBytes: body.length,
  attempt: 1,
  fault: null,
  delayMs: 0,
  answered: false,
  billed: null,
  usage: null,
});

/** The whole body, or what had come of it when it grew too large; undefined where the client left before its end. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > mostBodyBytes) break;
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}
