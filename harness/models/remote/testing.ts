/** For tests: a loopback server that answers request after request by a script, and the two wire forms of replies. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../json.ts";

/** Answers one request. */
export type Scene = (response: ServerResponse) => void;

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

export interface ScriptedServer {
  readonly url: string;
  /** What arrived, in order. */
  readonly seen: SeenRequest[];
  /** Scenes for the requests to come; the last one stays. */
  play(...scenes: readonly Scene[]): void;
  close(): Promise<void>;
}

/** Listens on a free port of the loopback interface. */
export async function scriptedServer(): Promise<ScriptedServer> {
  let script: readonly Scene[] = [];
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as JsonObject;
      seen.push({ path: request.url ?? "", headers: request.headers, body });
      const [scene, ...rest] = script;
      if (rest.length > 0) script = rest;
      if (scene === undefined) response.destroy();
      else scene(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    play: (...scenes) => {
      script = scenes;
      seen.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A whole JSON reply. */
export const json =
  (status: number, body: unknown, headers: { readonly [name: string]: string } = {}): Scene =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

/** A reply of another content type, as it is. */
export const raw =
  (status: number, contentType: string, body: string): Scene =>
  (response) => {
    response.writeHead(status, { "content-type": contentType });
    response.end(body);
  };

/** What becomes of a connection after the first part of a reply. */
export type Ending = "end" | "reset" | "stall";

/** A reply that begins, and then ends in a certain way. Without events even the head is missing. */
export const begun =
  (contentType: string, events: readonly string[], ending: Ending): Scene =>
  (response) => {
    if (events.length === 0) {
      if (ending === "reset") response.socket?.destroy();
      return;
    }
    response.writeHead(200, { "content-type": contentType });
    response.flushHeaders();
    response.write(events.join(""), () => {
      if (ending === "reset") response.socket?.resetAndDestroy();
      if (ending === "end") response.end();
    });
  };

export const sse = "text/event-stream";

/** The chunks of a chat completion as server-sent events: texts and arguments in two halves, usage in a chunk of its own. */
export function completionEvents(completion: JsonObject): string[] {
  const { choices, usage, ...head } = completion as unknown as Completion;
  const events: unknown[] = [];
  const [choice] = choices;
  const chunk = (delta: unknown, finish: string | null = null): void => {
    events.push({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] });
  };
  if (choice !== undefined) {
    const { tool_calls: calls = [], ...texts } = choice.message;
    chunk({ role: "assistant", content: texts.content === null ? null : "" });
    for (const name of ["reasoning_content", "content", "refusal"] as const)
      for (const half of halves(texts[name])) chunk({ [name]: half });
    for (const [index, { id, type, function: called }] of calls.entries()) {
      chunk({ tool_calls: [{ index, id, type, function: { name: called.name, arguments: "" } }] });
      for (const half of halves(called.arguments)) chunk({ tool_calls: [{ index, function: { arguments: half } }] });
    }
    chunk({}, choice.finish_reason);
  }
  if (usage !== undefined) events.push({ ...head, object: "chat.completion.chunk", choices: [], usage });
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), "data: [DONE]\n\n"];
}

interface Completion {
  readonly choices: readonly {
    readonly message: {
      readonly content: string | null;
      readonly refusal?: string | null;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly {
        readonly id: string;
        readonly type: string;
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
    };
    readonly finish_reason: string;
  }[];
  readonly usage?: unknown;
}

/** The events of an Anthropic message: blocks opened empty and filled in two halves, a ping between, the final usage at the end. */
export function messageEvents(message: JsonObject): string[] {
  const { content, usage, stop_reason: reason, ...head } = message as unknown as WholeMessage;
  const first = usage === undefined ? {} : { usage: { ...usage, output_tokens: 1 } };
  const events: { readonly type: string }[] = [
    event("message_start", { message: { ...head, content: [], stop_reason: null, ...first } }),
    event("ping", {}),
  ];
  for (const [index, block] of content.entries()) {
    const { text, thinking, input, ...rest } = block;
    const empty = {
      ...rest,
      ...(text === undefined ? {} : { text: "" }),
      ...(thinking === undefined ? {} : { thinking: "" }),
      ...(input === undefined ? {} : { input: {} }),
    };
    events.push(event("content_block_start", { index, content_block: empty }));
    const delta = (type: string, name: string, whole: string | undefined): void => {
      for (const half of halves(whole))
        events.push(event("content_block_delta", { index, delta: { type, [name]: half } }));
    };
    delta("text_delta", "text", text);
    delta("thinking_delta", "thinking", thinking);
    delta("input_json_delta", "partial_json", input === undefined ? undefined : JSON.stringify(input));
    events.push(event("content_block_stop", { index }));
  }
  events.push(event("message_delta", { delta: { stop_reason: reason }, ...(usage === undefined ? {} : { usage }) }));
  events.push(event("message_stop", {}));
  return events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`);
}

interface WholeMessage {
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly thinking?: string;
    readonly input?: unknown;
  }[];
  readonly usage?: object;
  readonly stop_reason: string;
}

const event = (type: string, fields: object): { readonly type: string } => ({ type, ...fields });

function halves(text: string | null | undefined): string[] {
  if (text === null || text === undefined || text === "") return [];
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== "");
}
