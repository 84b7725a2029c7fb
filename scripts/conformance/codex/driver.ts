/** Lives scenarios in a running Codex: one thread a scenario. */
import type { JsonObject } from "../../../harness/json.ts";
import type { ArmWire } from "../arm.ts";
import { sessionSystem } from "../arm.ts";
import { type MockModel } from "../mock.ts";
import { plainReply, type Product, type Round, type RoundOutcome, type WireItem } from "../scenario.ts";
import type { CodexProgram } from "./program.ts";
import { inputItems, plainItem } from "./wire.ts";

/** The arm's requests and histories as the Responses API has them. */
export const codexWire: ArmWire = {
  request: ({ system, tools, toolChoice, messages }) => [
    { instructions: system, tools: tools.map(({ name }) => name), tool_choice: toolChoice },
    ...inputItems(messages),
  ],
  history: (projection) => inputItems(projection.map(({ message }) => message)),
  compactsNext: false,
};

const input = (body: JsonObject): JsonObject[] => (body["input"] as JsonObject[]).map(plainItem);

const summaryRequest = (body: JsonObject): WireItem[] => [
  {
    instructions: body["instructions"] ?? null,
    tools: (body["tools"] as JsonObject[]).map((tool) => String(tool["name"])),
    tool_choice: body["tool_choice"] ?? null,
  },
  ...input(body),
];

/** Whether a request asks for a summary: the program says so in its turn metadata. */
export function asksForSummary(body: JsonObject): boolean {
  const metadata = (body["client_metadata"] ?? {}) as JsonObject;
  const turn = JSON.parse(String(metadata["x-codex-turn-metadata"] ?? "{}")) as JsonObject;
  return turn["request_kind"] === "compaction";
}

/** The running program as a product. */
export const codexProduct = (program: CodexProgram, mock: MockModel): Product => ({
  run: async ({ windowTokens, options, rounds }) => {
    const limit = options["autoLimitTokens"];
    const thread = await program.startThread({
      instructions: sessionSystem,
      config: {
        model_context_window: windowTokens,
        ...(typeof limit === "number" ? { model_auto_compact_token_limit: limit } : {}),
      },
    });
    const outcomes: RoundOutcome[] = [];
    for (const round of rounds) outcomes.push(await live(program, mock, thread, round));
    await program.leave(thread);
    return outcomes;
  },
});

async function live(program: CodexProgram, mock: MockModel, thread: string, round: Round): Promise<RoundOutcome> {
  const requests: WireItem[][] = [];
  let last: JsonObject | undefined;
  let usedTokens = round.trigger.kind === "automatic" ? round.trigger.usedTokens : 2;
  mock.answer = (body) => {
    if (!asksForSummary(body)) {
      last = body;
      const reported = usedTokens;
      usedTokens = 2;
      return { kind: "text", text: plainReply, usedTokens: reported };
    }
    const answer = round.answers[requests.length] ?? { kind: "overflow" };
    requests.push(summaryRequest(body));
    return answer;
  };
  await program.inject(thread, inputItems(round.messages));
  if (round.trigger.kind === "forced") {
    usedTokens = 2;
    if ((await program.compact(thread)) === "failed") return { result: "refused", requests, history: [] };
  } else await program.turn(thread, round.trigger.lead);
  await program.turn(thread, round.next);
  const result = round.trigger.kind === "automatic" && requests.length === 0 ? "unchanged" : "compacted";
  return { result, requests, history: last === undefined ? [] : input(last) };
}
