import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { UsageError } from "../../errors.ts";
import { type CaptureProxy, type Passed, startCaptureProxy, targetUrl } from "./proxy.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Setting {
  readonly proxy: CaptureProxy;
  readonly passed: Passed[];
  readonly faults: string[];
  readonly target: Server;
}

/** A proxy in front of a target that answers with `answer`. */
async function setting(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  path = "",
): Promise<Setting> {
  const target = createServer(answer);
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const passed: Passed[] = [];
  const faults: string[] = [];
  const proxy = await startCaptureProxy({
    port: 0,
    host: "127.0.0.1",
    target: new URL(`http://127.0.0.1:${(target.address() as AddressInfo).port}${path}`),
    onRequest: (one) => void passed.push(one),
    onFault: (reason) => void faults.push(reason),
  });
  closing.push(
    proxy.close,
    () =>
      new Promise((resolve) => {
        target.close(() => resolve());
        target.closeAllConnections();
      }),
  );
  return { proxy, passed, faults, target };
}

const bodyOf = async (stream: AsyncIterable<unknown>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

describe("the capturing proxy", () => {
  it("passes a request on as it is and sees its body, on each of the three routes", async () => {
    const seen: { url: string | undefined; body: string; key: string | undefined }[] = [];
    const { proxy, passed } = await setting((request, response) => {
      void bodyOf(request).then((body) => {
        seen.push({ url: request.url, body: body.toString(), key: request.headers.authorization });
        response.writeHead(201, { "x-own": "kept" }).end("answer");
      });
    });
    for (const path of ["/v1/chat/completions", "/v1/responses", "/v1/messages?beta=true"]) {
      const headers = { authorization: "Bearer k", "content-type": "application/json" };
      const reply = await fetch(`${proxy.baseUrl}${path}`, { method: "POST", headers, body: `{"at":"${path}"}` });
      expect([reply.status, reply.headers.get("x-own"), await reply.text()]).toEqual([201, "kept", "answer"]);
      expect(seen.at(-1)).toEqual({ url: path, body: `{"at":"${path}"}`, key: "Bearer k" });
    }
    expect(passed.map(({ route, body }) => `${route} ${body.toString()}`)).toEqual([
      'chat {"at":"/v1/chat/completions"}',
      'responses {"at":"/v1/responses"}',
      'messages {"at":"/v1/messages?beta=true"}',
    ]);
  });

  it("passes everything else on without looking at it", async () => {
    const { proxy, passed } = await setting((request, response) => void response.end(request.url));
    expect(await (await fetch(`${proxy.baseUrl}/v1/models`)).text()).toBe("/v1/models");
    expect(await (await fetch(`${proxy.baseUrl}/v1/messages/count_tokens`, { method: "POST", body: "x" })).text()).toBe(
      "/v1/messages/count_tokens",
    );
    expect(passed).toEqual([]);
  });

  it("passes a stream on piece by piece: the second is sent only after the first has arrived", async () => {
    let goOn = (): void => undefined;
    const { proxy } = await setting((request, response) => {
      void bodyOf(request).then(() => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("data: one\n\n");
        goOn = () => void response.end("data: two\n\n");
      });
    });
    const reply = await fetch(`${proxy.baseUrl}/v1/responses`, { method: "POST", body: "{}" });
    const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
    const text = async (): Promise<string | undefined> => {
      const { value } = await reader.read();
      return value && Buffer.from(value).toString();
    };
    expect(await text()).toBe("data: one\n\n");
    goOn();
    expect(await text()).toBe("data: two\n\n");
    expect(await text()).toBeUndefined();
  });

  it("passes a request's body on before it is whole", async () => {
    let arrived = (_text: string): void => undefined;
    const first = new Promise<string>((resolve) => (arrived = resolve));
    const { proxy, passed } = await setting((request, response) => {
      request.once("data", (chunk: Buffer) => arrived(chunk.toString()));
      request.once("end", () => response.end("done"));
    });
    const sending = requestHttp(`${proxy.baseUrl}/v1/messages`, { method: "POST" });
    const reply = new Promise<IncomingMessage>((resolve) => sending.once("response", resolve));
    sending.write('{"first":');
    expect(await first).toBe('{"first":');
    sending.end("1}");
    expect((await bodyOf(await reply)).toString()).toBe("done");
    expect(passed.map(({ body }) => body.toString())).toEqual(['{"first":1}']);
  });

  it("leaves compressed bodies as they are, both ways", async () => {
    const zipped = gzipSync("text");
    const { proxy, passed } = await setting((request, response) => {
      void bodyOf(request).then((body) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(body.equals(zipped) ? zipped : "other"),
      );
    });
    const headers = { "content-encoding": "gzip" };
    const reply = await fetch(`${proxy.baseUrl}/v1/responses`, { method: "POST", headers, body: zipped });
    expect(await reply.text()).toBe("text");
    expect(passed[0]?.body.equals(zipped)).toBe(true);
    expect(passed[0]?.headers["content-encoding"]).toBe("gzip");
  });

  it("answers 502 where the target cannot be reached, and says so", async () => {
    const { proxy, faults, target } = await setting(() => undefined);
    await new Promise((resolve) => target.close(resolve));
    const reply = await fetch(`${proxy.baseUrl}/v1/messages`, { method: "POST", body: "{}" });
    expect(reply.status).toBe(502);
    expect(await reply.json()).toMatchObject({
      error: { message: expect.stringMatching(/cannot be reached/) as string },
    });
    expect(faults).toEqual([expect.stringMatching(/ECONNREFUSED$/)]);
  });

  it("breaks a reply off where the target does", async () => {
    const { proxy, faults } = await setting((_request, response) => {
      response.writeHead(200);
      response.write("half", () => response.destroy());
    });
    const reply = await fetch(`${proxy.baseUrl}/v1/messages`, { method: "POST", body: "{}" });
    await expect(reply.text()).rejects.toThrow("terminated");
    expect(faults).toHaveLength(1);
  });

  it("takes the request to the target along when its client leaves", async () => {
    let left = (): void => undefined;
    const gone = new Promise<void>((resolve) => (left = resolve));
    const { proxy } = await setting((_request, response) => {
      response.once("close", left);
      response.writeHead(200).write("begun");
    });
    const controller = new AbortController();
    const { signal } = controller;
    await fetch(`${proxy.baseUrl}/v1/messages`, { method: "POST", body: "{}", signal });
    controller.abort();
    await expect(gone).resolves.toBeUndefined();
  });

  it("refuses to become a web socket", async () => {
    const { proxy } = await setting(() => undefined);
    const headers = { connection: "Upgrade", upgrade: "websocket" };
    const asking = requestHttp(`${proxy.baseUrl}/v1/responses`, { headers });
    const reply = new Promise<IncomingMessage>((resolve) => asking.once("response", resolve));
    asking.end();
    expect((await reply).statusCode).toBe(426);
  });

  it("names a port that is taken", async () => {
    const { proxy } = await setting(() => undefined);
    const again = startCaptureProxy({
      port: proxy.port,
      host: "127.0.0.1",
      target: new URL("http://x"),
      onRequest: () => undefined,
    });
    await expect(again).rejects.toThrow(UsageError);
    await expect(again).rejects.toThrow(/is taken\. Give another --port/);
  });
});

describe("targetUrl", () => {
  it.each([
    ["https://api.example.com", "/v1/messages?a=b", "https://api.example.com/v1/messages?a=b"],
    ["https://api.example.com/v1", "/v1/responses", "https://api.example.com/v1/responses"],
    ["https://api.example.com/v1/", "/responses", "https://api.example.com/v1/responses"],
    ["https://gateway.example.com/openai", "/v1/responses", "https://gateway.example.com/openai/v1/responses"],
    ["https://api.example.com/v1", "/v1beta/models", "https://api.example.com/v1/v1beta/models"],
  ])("sends %s %s to %s", (target, path, expected) => {
    expect(targetUrl(new URL(target), path).href).toBe(expected);
  });
});
