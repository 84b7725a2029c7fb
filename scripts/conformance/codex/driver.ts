/** Lives scenarios in a running Codex: one thread a scenario. */
import { canonicalJson, type JsonObject } from "../../../harness/json.ts";
import type { ArmWire } from "../arm.ts";
import { sessionSystem } from "../arm.ts";
import { type Endpoint } from "../../../arms/native/endpoint.ts";
import { plainReply, type Product, type Round, type RoundOutcome, type Scenario, type WireItem } from "../scenario.ts";
import type { CodexProgram } from "../../../arms/native/codex/program.ts";
import { asksForSummary, inputItems, inputOf } from "../../../arms/native/codex/wire.ts";
import { objectsAt, textAt } from "../../../arms/native/json-text.ts";

/** The arm's requests and histories as the Responses API has them. */
export const codexWire: ArmWire = {
  request: ({ system, tools, toolChoice, messages }) => [
    { instructions: system, tools: tools.map(({ name }) => name), tool_choice: toolChoice },
    ...inputItems(messages),
  ],
  history: (projection) => inputItems(projection.map(({ message }) => message)),
  compactsNext: false,
};

const summaryRequest = (body: JsonObject): WireItem[] => [
  {
    instructions: body["instructions"] ?? null,
    tools: objectsAt(body, "tools").map((tool) => textAt(tool, "name")),
    tool_choice: body["tool_choice"] ?? null,
  },
  ...inputOf(body),
];

/**
 * The running program as a product. A session whose injected messages were lost is lived again in a new thread; where they
 * are lost every time, that is what the program does.
 */
export const codexProduct = (program: CodexProgram, mock: Endpoint): Product => ({
  run: async (scenario) => {
    for (let tries = 4; tries > 0; tries--)
      try {
        return await liveAll(program, mock, scenario, checkArrival);
      } catch (error) {
        if (!(error instanceof LostMessagesError)) throw error;
      }
    return await liveAll(program, mock, scenario, () => undefined);
  },
});

/** Messages that are injected while the turn before is still being put away do not arrive, though the program says so. */
class LostMessagesError extends Error {}

async function liveAll(
  program: CodexProgram,
  mock: Endpoint,
  { windowTokens, options, rounds }: Scenario,
  check: typeof checkArrival,
): Promise<RoundOutcome[]> {
  const limit = options["autoLimitTokens"];
  const thread = await program.startThread({
    instructions: sessionSystem,
    config: {
      model_context_window: windowTokens,
      ...(typeof limit === "number" ? { model_auto_compact_token_limit: limit } : {}),
    },
  });
  const outcomes: RoundOutcome[] = [];
  for (const round of rounds) outcomes.push(await live(program, mock, thread, round, check));
  await program.leave(thread);
  return outcomes;
}

async function live(
  program: CodexProgram,
  mock: Endpoint,
  thread: string,
  round: Round,
  check: typeof checkArrival,
): Promise<RoundOutcome> {
  const injected = inputItems(round.messages);
  const requests: WireItem[][] = [];
  let first: JsonObject | undefined;
  let last: JsonObject | undefined;
  let usedTokens = round.trigger.kind === "automatic" ? round.trigger.usedTokens : undefined;
  mock.answer = (body) => {
    first ??= body;
    if (!asksForSummary(body)) {
      last = body;
      const reported = usedTokens ?? 2;
      usedTokens = undefined;
      return { kind: "text", text: plainReply, usedTokens: reported };
    }
    const answer = round.answers[requests.length] ?? { kind: "overflow" };
    requests.push(summaryRequest(body));
    return answer;
  };
  await program.inject(thread, injected);
  if (round.trigger.kind === "forced") {
    const end = await program.compact(thread);
    check(injected, first);
    if (end === "failed") return { result: "refused", requests, history: [] };
  } else {
    await program.turn(thread, round.trigger.lead);
    check(injected, first);
  }
  await program.turn(thread, round.next);
  const result = round.trigger.kind === "automatic" && requests.length === 0 ? "unchanged" : "compacted";
  return { result, requests, history: last === undefined ? [] : inputOf(last) };
}

/** Throws where not one of the injected texts and calls is in the next request: they are always sent. */
function checkArrival(injected: readonly JsonObject[], request: JsonObject | undefined): void {
  const sure = injected.filter(({ type }) => type === "message" || type === "function_call");
  if (request === undefined || sure.length === 0) return;
  const sent = new Set(inputOf(request).map((item) => canonicalJson(item)));
  if (!sure.some((item) => sent.has(canonicalJson(item))))
    throw new LostMessagesError("Codex lost messages that it was given");
}
