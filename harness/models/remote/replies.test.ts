import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import { anthropicProvider } from "../anthropic/anthropic.ts";
import { openAiProvider } from "../openai/openai.ts";
import type { ModelReply } from "../model.ts";
import { begun, completionEvents, json, messageEvents, type ScriptedServer, scriptedServer, sse } from "./testing.ts";

interface Row {
  readonly body: JsonObject;
  readonly reply: ModelReply;
}
const fixture = (name: string): [string, Row][] =>
  Object.entries(
    JSON.parse(readFileSync(new URL(`../../../fixtures/replies/${name}.json`, import.meta.url), "utf8")) as {
      [name: string]: Row;
    },
  );

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer();
});
afterAll(() => server.close());

const options = { model: "m", apiKey: "test-key-123", windowTokens: 1000 };
const forms = [
  { style: "openai", provider: openAiProvider, path: "/v1", events: completionEvents },
  { style: "deepseek", provider: openAiProvider, path: "/v1", events: completionEvents },
  { style: "anthropic", provider: anthropicProvider, path: "", events: messageEvents },
];

describe.each(forms)("replies of $style", ({ style, provider, path, events }) => {
  const send = (stream: boolean): Promise<ModelReply> =>
    provider({ ...options, baseUrl: server.url + path, stream }).send({ model: "m", messages: [] });
  /** What is expected of a row: its reply, and its usage object beside it. */
  const expected = ({ body, reply }: Row): ModelReply => {
    const usage = body["usage"];
    return usage === undefined ? reply : { ...reply, rawUsage: usage };
  };

  it.each(fixture(style))("reads %s, whole and in a stream", async (_name, row) => {
    server.play(json(200, row.body), begun(sse, events(row.body), "end"));
    expect(await send(false)).toEqual(expected(row));
    expect(await send(true)).toEqual(expected(row));
  });

  it("keeps the usage object of a reply whose counts cannot be believed, and counts nothing", async () => {
    for (const [_name, { body }] of fixture(style)) {
      const usage = body["usage"] as JsonObject | undefined;
      if (usage === undefined) continue;
      const broken = Object.fromEntries(Object.entries(usage).map(([name, value]) => [name, value === 0 ? 0 : "?"]));
      server.play(json(200, { ...body, usage: broken }));
      const reply = await send(false);
      expect(reply.usage).toBeUndefined();
      expect(reply.rawUsage).toEqual(broken);
    }
  });

  it("takes a server at its word that answers a stream with a whole reply", async () => {
    const [first] = fixture(style);
    if (first === undefined) throw new Error("no fixture");
    server.play(json(200, first[1].body));
    expect(await send(true)).toEqual(expected(first[1]));
  });
});
