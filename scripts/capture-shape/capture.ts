/** Runs the capturing proxy until it is told to stop, and keeps the shape that says most. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ArtifactError, UsageError } from "../../harness/errors.ts";
import type { JsonValue } from "../../harness/json.ts";
import { parseBody } from "../../harness/serve/body.ts";
import { startOfflineServer } from "../../harness/serve/server.ts";
import { Refusal } from "../../harness/serve/wire.ts";
import { captureText, capturedShape, type CapturedShape, saysMore } from "../../harness/shape/capture/captured.ts";
import { type Passed, startCaptureProxy } from "../../harness/shape/capture/proxy.ts";
import { secretsOf } from "../../harness/shape/capture/secrets.ts";
import { isObject } from "../../harness/shape/session-shape.ts";
import { makeFolder } from "../../harness/make-folder.ts";

export interface CaptureOptions {
  readonly port: number;
  readonly host: string;
  readonly forward: string | undefined;
  readonly out: string | undefined;
  readonly once: boolean;
  /** Ends the capture. */
  readonly signal: AbortSignal;
  /** @default an ignored folder of the repository */
  readonly folder?: string;
  /** Called once the proxy listens. */
  readonly onListening?: (baseUrl: string) => void;
}

const capturesFolder = fileURLToPath(new URL("../../.captures/", import.meta.url));

/** The path of what was captured, or undefined where no request had a system prompt. Throws UsageError for flags that cannot be. */
export async function captureShape(options: CaptureOptions): Promise<string | undefined> {
  const { port, host, forward, once, signal } = options;
  if (options.out !== undefined && existsSync(options.out))
    throw new UsageError(`--out ${options.out} exists already, and a capture replaces no file. Give another name.`);
  const given = forward === undefined ? undefined : forwardUrl(forward);
  const offline = given === undefined ? await startOfflineServer({ port: 0, host: "127.0.0.1" }) : undefined;
  const target = given ?? new URL(offline?.baseUrl ?? "");
  const keeper = createKeeper(options);
  const stop = new AbortController();
  let failure: unknown;
  const see = (passed: Passed): void => {
    try {
      keeper.see(passed);
    } catch (error) {
      failure = error;
      stop.abort();
    }
  };
  try {
    const proxy = await startCaptureProxy({
      port,
      host,
      target,
      onRequest: see,
      onReply: () => {
        if (once && (keeper.best()?.tools.length ?? 0) > 0) stop.abort();
      },
      onFault: (reason) => say(reason),
    });
    say(startText(proxy.baseUrl, offline === undefined ? target.href : undefined));
    options.onListening?.(proxy.baseUrl);
    await ended(AbortSignal.any([signal, stop.signal]));
    await proxy.close();
  } finally {
    await offline?.close();
  }
  if (failure !== undefined) throw failure;
  say(keeper.summary());
  return keeper.path();
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Throws UsageError for what is no http URL, or has what must not be in a command line. */
function forwardUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError("--forward is no http URL. Give a provider's base URL, such as https://api.openai.com/v1.");
  if (url.username !== "" || url.password !== "" || url.search !== "")
    throw new UsageError(
      "--forward has a user, a password or a query. The agent sends its own key; give the base URL alone.",
    );
  return url;
}

const startText = (baseUrl: string, forward: string | undefined): string =>
  `Capturing at ${baseUrl}/v1 for OpenAI clients and ${baseUrl} for Anthropic's; ${forward === undefined ? "the offline model answers (not an LLM), and any key will do" : `requests go on to ${forward}`}. Ctrl-C stops it.`;

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Keeps the shape that says most on disk, from the moment it arrived. */
function createKeeper({ out, folder = capturesFolder }: CaptureOptions) {
  let best: CapturedShape | undefined;
  let path: string | undefined;
  /** This capture has made the file, so it may replace it. */
  let isOwn = false;
  let requests = 0;
  let unread = 0;
  const keep = (shape: CapturedShape): void => {
    const next = out ?? join(folder, `${shape.name}.json`);
    const text = captureText(shape);
    if (path !== undefined && path !== next && isOwn) rmSync(path);
    if (path !== next || !isOwn) isOwn = !isThere(next, text);
    if (isOwn) write(next, text);
    best = shape;
    path = next;
  };
  return {
    best: () => best,
    path: () => path,
    see: ({ route, headers, body }: Passed): void => {
      requests++;
      const read = readBody(body, headers["content-encoding"]);
      if (typeof read === "string") {
        unread++;
        return say(`${route}: ${read}`);
      }
      const shape = isObject(read) ? capturedShape(route, read, headers, secretsOf(process.env)) : undefined;
      say(`${route}: ${shape === undefined ? "no system prompt" : shapeText(shape)}`);
      if (shape !== undefined && saysMore(shape, best)) keep(shape);
    },
    summary: (): string => {
      const seen = `${requests} request${requests === 1 ? "" : "s"}${unread === 0 ? "" : `, ${unread} of them in an encoding that cannot be read here`}`;
      return best === undefined || path === undefined
        ? `${seen}. None had a system prompt, so nothing was written.`
        : `${seen}. Kept: ${shapeText(best)}\nclosed-book run --shape ${path}`;
    },
  };
}

function readBody(body: Buffer, encoding: string | undefined): JsonValue | string {
  try {
    const value = parseBody(body, encoding) as JsonValue;
    return typeof value === "string" ? "the body is a text and no request" : value;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function shapeText({ agent, system, tools, otherTools, masked }: CapturedShape): string {
  const who = agent === null ? "an agent that does not name itself" : `${agent.name} ${agent.version}`;
  const secrets = Object.entries(masked).map(([kind, times]) => `${times} ${kind}`);
  return [
    `${who}, a system prompt of ${system.length.toLocaleString("en-US")} characters, ${tools.length} tools`,
    ...(otherTools.length === 0 ? [] : [`${otherTools.length} tools of other kinds beside them`]),
    `masked or left out: ${secrets.length === 0 ? "nothing" : secrets.join(", ")}`,
  ].join("; ");
}

/** Whether the very same capture is on disk. Throws ArtifactError where something else is. */
function isThere(path: string, text: string): boolean {
  if (!existsSync(path)) return false;
  if (readFileSync(path, "utf8") === text) return true;
  throw new ArtifactError(path, "holds something else, and a capture replaces no file. Move it away.");
}

/** For its owner's eyes alone. */
function write(path: string, text: string): void {
  makeFolder(dirname(path));
  writeFileSync(path, text, { mode: 0o600 });
}
