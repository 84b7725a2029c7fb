/**
 * The real Codex as an arm: the released program is given the session, asks the run's model for its summary through a
 * loopback endpoint, and what its next request carries is the projection.
 *
 * A compaction leaves nothing in the program but the history itself, so each one begins in a new thread.
 */
import { type ArmContext, defineArm, type ProjectedMessage } from "../../harness/arm.ts";
import { type Block, type Message, paired } from "../../harness/chain/message.ts";
import { CompactionRefusedError } from "../../harness/errors.ts";
import type { JsonObject } from "../../harness/json.ts";
import { startCodex } from "./codex/program.ts";
import {
  asksForSummary,
  historyOf,
  inputItems,
  instructionsOf,
  messagesOfInput,
  responses,
  responsesPath,
} from "./codex/wire.ts";
import { startEndpoint } from "./endpoint.ts";
import { queue, refuseAutomatic, relay, startOnce } from "./running.ts";
import { inOrder, kept, type Live, written } from "./sources.ts";
import { install, pinnedVersion } from "./upstream.ts";

export type CodexNativeOptions = {
  /** `--codex-version`: the release. */
  readonly version: string;
  /** Codex sends no output limit. This one is the original experiment's, as in the mirror. */
  readonly maxOutputTokens: number;
};

const exclusive = queue();

const running = startOnce("codex", async (version, folder) => {
  const endpoint = await startEndpoint(responsesPath, responses, () => ({ kind: "refusal" }));
  return { endpoint, program: await startCodex(install("codex", { version }).binary, folder, endpoint.port) };
});

export const codexNative = defineArm<null, CodexNativeOptions>({
  id: "codex-native",
  title: "Codex (real)",
  source: { kind: "native", product: "openai/codex", version: pinnedVersion("codex") },
  options: { version: pinnedVersion("codex"), maxOutputTokens: 8_192 },
  compact: async ({ fresh, previous, trigger }, context) => {
    refuseAutomatic(trigger, "codex-native");
    const live: Live[] = [
      ...(previous?.projection ?? []).map(({ message, spans }) => ({
        message,
        sources: [...new Set(spans.flatMap(({ sources }) => sources))],
      })),
      ...fresh.map((message) => ({ message, sources: [message.id] })),
    ];
    const history = await exclusive(() => nextHistory(live, context));
    const prefix = `codex-native/${context.boundary.chain}/${context.boundary.end}`;
    const projection = project(history, live, prefix);
    return { kind: "compacted", projection, state: null, counts: { keptTexts: projection.length - 1 } };
  },
});

/** Compacts in a new thread and says what the next request carries before the user's message. */
async function nextHistory(live: readonly Live[], context: ArmContext<CodexNativeOptions>): Promise<JsonObject[]> {
  const { program, endpoint } = await running(context.options.version);
  const thread = await program.startThread({
    instructions: context.shape.system,
    config: { model_context_window: context.windowTokens },
  });
  let next: JsonObject = {};
  const model = relay((request) =>
    context.complete({
      system: instructionsOf(request),
      tools: [],
      toolChoice: "auto",
      messages: paired(messagesOfInput(historyOf(request), `codex-native/${context.boundary.end}`)),
      maxOutputTokens: context.options.maxOutputTokens,
    }),
  );
  endpoint.answer = async (body) => {
    if (asksForSummary(body)) return await model.answer(body);
    next = body;
    return { kind: "text", text: "Noted." };
  };
  await program.inject(thread, inputItems(live.map(({ message }) => message)));
  const end = await program.compact(thread);
  model.check();
  if (end === "failed")
    throw new CompactionRefusedError("Codex: the program could not compact, its request does not fit.");
  await program.turn(thread, "Next.");
  await program.leave(thread);
  return historyOf(next).slice(0, -1);
}

/** Everything but the last message is a user text that was kept, whole or cut; the last is the summary. */
function project(history: readonly JsonObject[], live: readonly Live[], prefix: string): ProjectedMessage[] {
  const messages = messagesOfInput(history, prefix);
  const users = live
    .filter(({ message }) => message.role === "user")
    .map(({ message, sources }) => ({ message, sources }));
  const take = inOrder(users.map((one) => ({ ...one, message: { ...one.message, blocks: [joined(one.message)] } })));
  const whole = new Map(users.map((one) => [one.message.id, one]));
  return messages.map((message, index): ProjectedMessage => {
    if (index === messages.length - 1) return written("summary", `${prefix}/summary`, message.role, message.blocks);
    const found = take(message.role, message.blocks);
    const stored = found && whole.get(found.message.id);
    if (stored !== undefined && stored.message.blocks.length === 1) return kept("original", stored);
    const cut = found ?? users.find(({ message: user }) => isCut(joined(user).text, joined(message).text));
    const { message: other, spans } = written("original", message.id, message.role, message.blocks);
    return { message: other, spans: spans.map((span) => ({ ...span, sources: cut?.sources ?? [] })) };
  });
}

const joined = ({ blocks }: Message): Extract<Block, { kind: "text" }> => ({
  kind: "text",
  text: blocks.map((block) => (block.kind === "text" ? block.text : "")).join(""),
});

/** Whether a text is what a cut in its middle leaves of another. */
function isCut(text: string, left: string): boolean {
  const mark = /…\d+ tokens truncated…/.exec(left);
  if (mark === null) return false;
  return text.startsWith(left.slice(0, mark.index)) && text.endsWith(left.slice(mark.index + mark[0].length));
}
