/**
 * The real OpenCode as an arm: the released program is given the session, asks the run's model for its summary through a
 * loopback endpoint, and what its next request carries is the projection.
 *
 * Each compaction begins in a new session that holds what the last one left: the kept tail, the earlier questions and
 * summaries where they were stored, and the new messages.
 */
import { type ArmContext, defineArm, type ProjectedMessage } from "../../harness/arm.ts";
import type { Message } from "../../harness/chain/message.ts";
import { CompactionRefusedError } from "../../harness/errors.ts";
import type { JsonObject } from "../../harness/json.ts";
import { startEndpoint } from "./endpoint.ts";
import { objectsAt, textAt } from "./json-text.ts";
import { type OpenCodeProgram, startOpenCode } from "./opencode/program.ts";
import type { StoredSession } from "./opencode/session.ts";
import { asksForSummary, chat, chatPath, messageOfChat } from "./opencode/wire.ts";
import { queue, refuseAutomatic, relay, startOnce } from "./running.ts";
import { inOrder, kept, type Live, written } from "./sources.ts";
import { install, pinnedVersion } from "./upstream.ts";

export type OpenCodeNativeOptions = {
  /** `--opencode-version`: the release. */
  readonly version: string;
};

/** A compaction: after how many journal messages, where its tail begins among them (null for no tail), and its summary. */
type Earlier = { readonly end: number; readonly tailFrom: number | null; readonly summary: string };

/** The compactions that are still stored, oldest first: the newest, and those inside its tail. */
export type OpenCodeNativeState = { readonly compactions: readonly Earlier[] };

const exclusive = queue();

const running = startOnce("opencode", async (key, folder) => {
  const { version, limits } = JSON.parse(key) as { version: string; limits: { context: number; output: number } };
  const endpoint = await startEndpoint(chatPath, chat, () => ({ kind: "refusal" }));
  const setup = { limits, compaction: {} };
  const release = install("opencode", { version });
  return { endpoint, setup, program: await startOpenCode(release, folder, endpoint.port, [setup]) };
});

export const openCodeNative = defineArm<OpenCodeNativeState, OpenCodeNativeOptions>({
  id: "opencode-native",
  title: "OpenCode (real)",
  source: { kind: "native", product: "anomalyco/opencode", version: pinnedVersion("opencode") },
  options: { version: pinnedVersion("opencode") },
  compact: async ({ journal, previous, trigger }, context) => {
    refuseAutomatic(trigger, "opencode-native");
    const earlier = previous?.state.compactions ?? [];
    const { history, tailFrom, summary } = await exclusive(() => nextHistory(journal, earlier, context));
    const newest: Earlier = { end: journal.length, tailFrom: tailFrom ?? null, summary };
    const prefix = `opencode-native/${context.boundary.chain}/${context.boundary.end}`;
    return {
      kind: "compacted",
      projection: project(history, journal.slice(tailFrom ?? journal.length), prefix),
      state: { compactions: [...earlier.filter(({ end }) => tailFrom !== undefined && end > tailFrom), newest] },
      ...(summary === "" ? { fellBack: "empty summary" } : {}),
      counts: { tailMessages: journal.length - (tailFrom ?? journal.length) },
    };
  },
});

interface Compacted {
  /** What the next request carries before the user's message. */
  readonly history: JsonObject[];
  /** Where the kept tail begins in the journal. */
  readonly tailFrom: number | undefined;
  readonly summary: string;
}

async function nextHistory(
  journal: readonly Message[],
  earlier: readonly Earlier[],
  context: ArmContext<OpenCodeNativeOptions>,
): Promise<Compacted> {
  const limits = { context: context.windowTokens, output: context.outputReserveTokens };
  const key = JSON.stringify({ version: context.options.version, limits });
  const { program, endpoint, setup } = await running(key);
  const session = await program.open(setup);
  const places = await load(program, session, journal, earlier);
  let next: JsonObject = {};
  let summary = "";
  const model = relay(async (request) => {
    const [system, ...messages] = objectsAt(request, "messages");
    const reply = await context.complete({
      system: textAt(system, "content"),
      tools: [],
      toolChoice: "none",
      messages: messages.map((message, index) =>
        messageOfChat(message, `opencode-native/${context.boundary.end}/${index}`),
      ),
      maxOutputTokens: Number(request["max_tokens"]),
    });
    summary = reply.text;
    return reply;
  });
  let refused = false;
  endpoint.answer = async (body) => {
    if (asksForSummary(body)) {
      const answer = await model.answer(body);
      refused = answer.kind !== "text";
      return answer;
    }
    next = body;
    return { kind: "text", text: "Noted." };
  };
  await program.summarize(session);
  model.check();
  if (refused) throw new CompactionRefusedError("OpenCode: the program could not compact, its request does not fit.");
  const tailStart = await program.tailStart(session);
  await program.prompt(session, "Next.");
  const history = objectsAt(next, "messages").filter(({ role }) => role !== "system");
  return {
    history: history.slice(0, -1),
    tailFrom: tailStart === undefined ? undefined : places.get(tailStart),
    summary,
  };
}

/** Stores what the newest compaction left and what came since. Gives the journal index of every stored message, by its id. */
async function load(
  program: OpenCodeProgram,
  session: StoredSession,
  journal: readonly Message[],
  earlier: readonly Earlier[],
): Promise<ReadonlyMap<string, number>> {
  const indexOf = new Map(journal.map((message, index) => [message, index]));
  const places = new Map<string, number>();
  const idAt = (place: number | null): string | undefined => [...places].find(([, index]) => index === place)?.[0];
  const newest = earlier.at(-1);
  let from = newest === undefined ? 0 : (newest.tailFrom ?? newest.end);
  const store = async (end: number): Promise<void> => {
    const begins = await program.store(session, journal.slice(from, end));
    for (const [id, message] of begins) places.set(id, indexOf.get(message) ?? -1);
    from = end;
  };
  for (const { end, tailFrom, summary } of earlier) {
    await store(end);
    await program.storeCompaction(session, summary, idAt(tailFrom));
  }
  await store(journal.length);
  return places;
}

/** The tail is the journal's own; what stands before it and between is the program's and the model's. */
function project(history: readonly JsonObject[], tail: readonly Message[], prefix: string): ProjectedMessage[] {
  const live: Live[] = tail.map((message) => ({ message, sources: [message.id] }));
  const take = inOrder(live);
  return history.map((item, index) => {
    const { id, role, blocks } = messageOfChat(item, `${prefix}/${index}`);
    const found = take(role, blocks);
    const part = role === "tool" ? "tail" : "summary";
    return found === undefined ? written(part, id, role, blocks) : kept("tail", found);
  });
}
