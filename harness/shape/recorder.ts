/** A loopback server that keeps the bytes of what arrives and answers every request with a short reply of its form. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { chatWire } from "../serve/chat.ts";
import { messagesWire } from "../serve/messages.ts";

interface ArrivedBytes {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

export interface Recorder {
  /** Without `/v1`. */
  readonly baseUrl: string;
  /** What has arrived since the last call, in order. */
  take(): ArrivedBytes[];
  close(): Promise<void>;
}

const reply = { text: "noted", reasoning: "", refusal: "", calls: [], finish: "stop" } as const;
const counts = { input_tokens: 1, output_tokens: 1, prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const envelope = {
  call: 1,
  model: "recorder",
  usage: { whole: counts, first: counts, last: counts },
  usageAtEnd: false,
  streamsUsage: true,
} as const;
const frames = {
  "/v1/chat/completions": chatWire.frames(reply, envelope).join(""),
  "/v1/messages": messagesWire.frames(reply, envelope).join(""),
} as const;
const hasFrames = (path: string): path is keyof typeof frames => Object.hasOwn(frames, path);

/** Listens on a free port of the loopback address. */
export async function startRecorder(): Promise<Recorder> {
  let arrived: ArrivedBytes[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      arrived.push({ path, headers: request.headers, bytes: Buffer.concat(chunks) });
      if (!hasFrames(path)) response.writeHead(404).end();
      else response.writeHead(200, { "content-type": "text/event-stream" }).end(frames[path]);
    });
  });
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = arrived;
      arrived = [];
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
