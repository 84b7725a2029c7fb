/** Lives scenarios in a running OpenCode: one session a scenario. */
import type { JsonObject } from "../../../harness/json.ts";
import type { ArmWire } from "../arm.ts";
import type { Message } from "../../../harness/chain/message.ts";
import type { Endpoint } from "../../../arms/native/endpoint.ts";
import { plainReply, type Product, type Round, type RoundOutcome, type Scenario, type WireItem } from "../scenario.ts";
import type { OpenCodeProgram } from "../../../arms/native/opencode/program.ts";
import type { OpenCodeSetup } from "../../../arms/native/opencode/setup.ts";
import type { StoredSession } from "../../../arms/native/opencode/session.ts";
import { asksForSummary, chatMessages } from "../../../arms/native/opencode/wire.ts";

/** The arm's requests and histories as chat completions have them. */
export const openCodeWire: ArmWire = {
  request: ({ system, tools, messages, maxOutputTokens }) => [
    { max_tokens: maxOutputTokens, tools: tools.map(({ name }) => name) },
    { role: "system", content: system },
    ...chatMessages(
      messages.map((message) => ({ message, spans: [] })),
      [],
    ),
  ],
  history: chatMessages,
  compactsNext: true,
};

const messagesOf = (body: JsonObject): JsonObject[] => body["messages"] as JsonObject[];

const settingNames = {
  tailTurns: "tail_turns",
  preserveRecentTokens: "preserve_recent_tokens",
  reservedTokens: "reserved",
  auto: "auto",
} as const;

/** The program's configuration for a scenario: the arm's options under the product's names. */
export function setupOf({ windowTokens, outputReserveTokens, options }: Scenario): OpenCodeSetup {
  const input = options["inputLimitTokens"];
  const compaction = Object.entries(settingNames).flatMap(([option, setting]) => {
    const value = options[option];
    return value === undefined || value === null ? [] : [[setting, value] as const];
  });
  return {
    limits: { context: windowTokens, output: outputReserveTokens, ...(typeof input === "number" ? { input } : {}) },
    compaction: Object.fromEntries(compaction),
  };
}

/** The running program as a product. */
export const openCodeProduct = (program: OpenCodeProgram, mock: Endpoint): Product => ({
  run: async (scenario) => {
    const session = await program.open(setupOf(scenario));
    const outcomes: RoundOutcome[] = [];
    for (const round of scenario.rounds) outcomes.push(await live(program, mock, session, round));
    return outcomes;
  },
});

async function live(
  program: OpenCodeProgram,
  mock: Endpoint,
  session: StoredSession,
  round: Round,
): Promise<RoundOutcome> {
  const { trigger, messages, answers, next } = round;
  const requests: WireItem[][] = [];
  let made = false;
  let last: JsonObject | undefined;
  mock.answer = (body) => {
    if (!asksForSummary(body)) {
      last = body;
      return { kind: "text", text: plainReply };
    }
    const answer = answers[requests.length] ?? { kind: "overflow" };
    requests.push([{ max_tokens: body["max_tokens"] ?? null, tools: [] }, ...messagesOf(body)]);
    made = answer.kind === "text";
    return answer;
  };
  if (trigger.kind === "forced") {
    await program.store(session, messages);
    await program.summarize(session);
  } else
    await program.store(
      session,
      [...messages, said("user", trigger.lead), said("assistant", plainReply)],
      trigger.usedTokens,
    );
  await program.prompt(session, next);
  const result = trigger.kind === "automatic" && requests.length === 0 ? "unchanged" : made ? "compacted" : "refused";
  const history = last === undefined ? [] : messagesOf(last).filter(({ role }) => role !== "system");
  return { result, requests, history };
}

const said = (role: "user" | "assistant", text: string): Message => ({
  id: role,
  role,
  blocks: [{ kind: "text", text }],
});
