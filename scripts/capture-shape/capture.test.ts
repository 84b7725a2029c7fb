import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { anthropicProvider } from "../../harness/models/anthropic/anthropic.ts";
import { openAiProvider } from "../../harness/models/openai/openai.ts";
import { requestOf, say } from "../../harness/models/remote/testing-requests.ts";
import { readShape } from "../../harness/run/shape.ts";
import { captureShape, type CaptureOptions } from "./capture.ts";

const root = mkdtempSync(join(tmpdir(), "captures-"));
afterAll(() => rmSync(root, { recursive: true }));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, "c-"));
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
});
afterEach(() => vi.restoreAllMocks());

/** Captures while `act` runs, and gives the path that was written. */
async function capture(
  act: (baseUrl: string) => Promise<unknown>,
  over: Partial<CaptureOptions> = {},
): Promise<string | undefined> {
  const stop = new AbortController();
  let acting: Promise<unknown> | undefined;
  const captured = captureShape({
    port: 0,
    host: "127.0.0.1",
    forward: undefined,
    out: undefined,
    once: false,
    signal: stop.signal,
    folder,
    onListening: (baseUrl) => {
      acting = act(baseUrl).finally(() => {
        if (over.once !== true) stop.abort();
      });
    },
    ...over,
  });
  const path = await captured;
  await acting;
  return path;
}

const request = requestOf([say("user", "hello")], { system: "You are an agent. My key: sk-own-0123456789abcdef." });
const key = "sk-of-this-test-0123456789";
const common = { apiKey: key, windowTokens: 100_000 };
const openAi = (baseUrl: string) => openAiProvider({ ...common, model: "any", baseUrl: `${baseUrl}/v1` });
const anthropic = (baseUrl: string) => anthropicProvider({ ...common, model: "any", baseUrl });
const posted = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: "POST", body: JSON.stringify(body), headers: { authorization: `Bearer ${key}` } });

describe("capture-shape", () => {
  it("writes the shape that a real SDK sends while the offline model answers it, in both wire forms", async () => {
    for (const make of [openAi, anthropic]) {
      const path = await capture(async (baseUrl) => {
        const provider = make(baseUrl);
        expect((await provider.send(provider.encode(request))).text).toContain("offline extractive summariser");
      });
      const shape = readShape(path ?? "");
      expect(shape.system).toBe("You are an agent. My key: [masked].");
      expect(shape.tools).toEqual(request.tools);
      const text = readFileSync(path ?? "", "utf8");
      expect(text).not.toContain(key);
      expect(text).toContain('"API key": 1');
      expect(statSync(path ?? "").mode & 0o777).toBe(0o600);
    }
  });

  it("captures the responses form, and names the agent that names itself", async () => {
    const path = await capture(async (baseUrl) => {
      const body = { model: "any", instructions: "You are an agent.", input: "hello" };
      const headers = { "user-agent": "some_agent/2.0.1 (test)" };
      const reply = await fetch(`${baseUrl}/v1/responses`, { method: "POST", body: JSON.stringify(body), headers });
      expect(reply.status).toBe(200);
      await reply.text();
    });
    expect(path).toMatch(/some_agent-2\.0\.1-[0-9a-f]{8}\.json$/);
  });

  it("keeps the shape that says most, and of one capture one file", async () => {
    const system = (content: string) => ({
      model: "any",
      messages: [
        { role: "system", content },
        { role: "user", content: "hi" },
      ],
    });
    const tools = [{ type: "function", function: { name: "read", parameters: { type: "object" } } }];
    const path = await capture(async (baseUrl) => {
      await posted(`${baseUrl}/v1/chat/completions`, system("Write a title of a few words."));
      await posted(`${baseUrl}/v1/chat/completions`, { ...system("Agent."), tools });
      await posted(`${baseUrl}/v1/chat/completions`, system("Write a summary of everything that was said."));
    });
    expect(readShape(path ?? "").system).toBe("Agent.");
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([path]);
  });

  it("leaves a file of an earlier capture alone", async () => {
    const act = (tools: object[]) => (baseUrl: string) =>
      posted(`${baseUrl}/v1/messages`, {
        model: "any",
        max_tokens: 9,
        system: "Agent.",
        tools,
        messages: [{ role: "user", content: "hi" }],
      });
    const first = await capture(act([]));
    const same = await capture(act([]));
    const other = await capture(act([{ name: "read", input_schema: { type: "object" } }]));
    expect(same).toBe(first);
    expect([existsSync(first ?? ""), existsSync(other ?? ""), first === other]).toEqual([true, true, false]);
  });

  it("stops by itself after the first reply to a request with tools, if it is told to", async () => {
    const path = await capture(
      async (baseUrl) => {
        const provider = openAi(baseUrl);
        await provider.send(provider.encode({ ...request, tools: [] }));
        await provider.send(provider.encode(request));
      },
      { once: true },
    );
    expect(readShape(path ?? "").tools).toHaveLength(1);
  });

  it("forwards to the server it is given, unchanged", async () => {
    const inner = new Promise<string>((resolve) => {
      void capture(
        async (baseUrl) => {
          resolve(baseUrl);
          await new Promise((done) => (finish = () => done(undefined)));
        },
        { folder: join(folder, "inner") },
      );
    });
    let finish = (): void => undefined;
    const path = await capture(
      async (baseUrl) => {
        const provider = openAi(baseUrl);
        await provider.send(provider.encode(request));
      },
      { forward: `${await inner}/v1` },
    );
    finish();
    const names = readdirSync(join(folder, "inner"));
    expect(names.map((name) => readFileSync(join(folder, "inner", name), "utf8"))).toEqual([
      readFileSync(path ?? "", "utf8"),
    ]);
  });

  it("writes nothing where no request had a system prompt", async () => {
    const path = await capture((baseUrl) =>
      posted(`${baseUrl}/v1/chat/completions`, { model: "any", messages: [{ role: "user", content: "hi" }] }),
    );
    expect([path, readdirSync(folder)]).toEqual([undefined, []]);
  });

  it("says what it cannot read, and goes on", async () => {
    const write = vi.spyOn(process.stderr, "write");
    const path = await capture(async (baseUrl) => {
      const headers = { "content-encoding": "zstd" };
      await fetch(`${baseUrl}/v1/responses`, { method: "POST", body: "x", headers });
      await fetch(`${baseUrl}/v1/responses`, { method: "POST", body: "{" });
      await posted(`${baseUrl}/v1/responses`, { model: "any", instructions: "Agent.", input: "hi" });
    });
    const said = write.mock.calls.map(([text]) => String(text)).join("");
    expect(said).toContain('Content encoding "zstd" is not known here');
    expect(said).toContain("3 requests, 2 of them");
    expect(readShape(path ?? "").system).toBe("Agent.");
  });

  it("writes to --out, and never over a file that is there", async () => {
    const out = join(folder, "mine.json");
    const act = (baseUrl: string) =>
      posted(`${baseUrl}/v1/responses`, { model: "any", instructions: "Agent.", input: "hi" });
    expect(await capture(act, { out })).toBe(out);
    await expect(capture(act, { out })).rejects.toThrow(/exists already, and a capture replaces no file/);
    const taken = join(folder, "taken.json");
    await expect(
      capture(
        async (baseUrl) => {
          writeFileSync(taken, "something else");
          // The capture ends here, and the connection with it.
          await act(baseUrl).catch(() => undefined);
        },
        { out: taken },
      ),
    ).rejects.toThrow(/holds something else/);
    expect(readFileSync(taken, "utf8")).toBe("something else");
  });

  it.each(["api.example.com", "ftp://example.com", "https://me:secret@example.com", "https://example.com?key=1"])(
    "refuses to forward to %s",
    async (forward) => {
      await expect(capture(async () => undefined, { forward })).rejects.toThrow(
        /^--forward (is no http URL|has a user)/,
      );
    },
  );
});
