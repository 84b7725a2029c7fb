import { afterAll, beforeAll } from "vitest";
import { anthropicProvider } from "./anthropic/anthropic.ts";
import { offlineProvider } from "./offline/offline.ts";
import { yesProvider } from "./offline/yes.ts";
import { openAiProvider } from "./openai/openai.ts";
import { providerContract } from "./provider-contract.ts";
import { json, type ScriptedServer, scriptedServer } from "./remote/testing.ts";

const apiKey = "sk-contract-0a1b2c3d";
/** A reply in both wire forms at once. */
const both = json(200, {
  type: "message",
  choices: [{ message: { role: "assistant", content: "yes" }, finish_reason: "stop" }],
  content: [{ type: "text", text: "yes" }],
  stop_reason: "end_turn",
  usage: { prompt_tokens: 10, completion_tokens: 1, input_tokens: 10, output_tokens: 1 },
});

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer();
  server.play(both);
});
afterAll(() => server.close());

providerContract({ name: "offline", make: () => offlineProvider({ windowTokens: 200_000 }), secrets: [] });
providerContract({ name: "yes", make: () => yesProvider({ windowTokens: 200_000 }), secrets: [] });
for (const [name, make] of [
  ["openai", openAiProvider],
  ["anthropic", anthropicProvider],
] as const)
  providerContract({
    name,
    make: () => make({ model: "m", windowTokens: 1000, apiKey, baseUrl: server.url }),
    secrets: [apiKey],
  });
