/** Messages as the events by which OpenCode stores a session. */
import type { Block, Message } from "../../../harness/chain/message.ts";
import type { JsonObject } from "../../../harness/json.ts";

interface Draft {
  readonly id: string;
  info: JsonObject;
  readonly parts: JsonObject[];
}

/** Whose session it is, and where it is up to. */
export interface StoredSession {
  readonly id: string;
  readonly folder: string;
  readonly model: string;
  /** Events stored so far. */
  events: number;
  /** The last user message's id. */
  user: string | undefined;
}

const provider = "mock";
const agent = "build";

/** Mints ids that sort by time, as the program's own do: 12 hex digits of milliseconds and a counter. */
export class Minter {
  #count = 0;
  readonly #ms: number;
  constructor(ms: number) {
    this.#ms = ms;
  }
  get time(): number {
    return this.#ms + Math.floor(this.#count / 4_096);
  }
  id(kind: "msg" | "prt"): string {
    const stamp = BigInt.asUintN(48, BigInt(this.#ms) * 4_096n + BigInt(this.#count++));
    return `${kind}_${stamp.toString(16).padStart(12, "0")}${"0".repeat(14)}`;
  }
}

/** The event that opens a session. */
export const createdEvent = ({ id, folder }: StoredSession, project: string, ms: number): JsonObject => ({
  type: "session.created.1",
  data: {
    sessionID: id,
    info: {
      id,
      slug: id,
      projectID: project,
      directory: folder,
      title: "conformance",
      version: "1.18.31",
      time: { created: ms, updated: ms },
    },
  },
});

/**
 * The events that store messages: one stored message a user message, one a step; a result is the state of its call. The
 * last step reports `usedTokens`. Throws where an assistant message has no user message before it or a result no call.
 */
export function messageEvents(
  session: StoredSession,
  messages: readonly Message[],
  mint: Minter,
  usedTokens = 2,
): JsonObject[] {
  const drafts: Draft[] = [];
  const calls = new Map<string, { draft: Draft; index: number }>();
  let step: Draft | undefined;
  const part = (draft: Draft, fields: JsonObject): void =>
    void draft.parts.push({ ...fields, id: mint.id("prt"), sessionID: session.id, messageID: draft.id });
  const close = (tokens: number): void => {
    if (step === undefined) return;
    const reason = step.parts.some(({ type }) => type === "tool") ? "tool-calls" : "stop";
    const used = { total: tokens, input: tokens - 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } };
    part(step, { type: "step-finish", reason, tokens: used, cost: 0 });
    step.info = {
      ...step.info,
      finish: reason,
      tokens: used,
      time: { ...(step.info["time"] as JsonObject), completed: mint.time },
    };
    step = undefined;
  };
  const open = (): Draft => {
    if (session.user === undefined) throw new Error("an assistant message comes before every user message");
    const id = mint.id("msg");
    const draft: Draft = {
      id,
      info: {
        id,
        sessionID: session.id,
        role: "assistant",
        parentID: session.user,
        mode: agent,
        agent,
        path: { cwd: session.folder, root: "/" },
        cost: 0,
        tokens: { total: 2, input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
        modelID: session.model,
        providerID: provider,
        time: { created: mint.time },
      },
      parts: [],
    };
    drafts.push(draft);
    part(draft, { type: "step-start" });
    return draft;
  };
  for (const message of messages) {
    if (message.role === "user") {
      close(2);
      const id = mint.id("msg");
      const draft: Draft = {
        id,
        info: {
          id,
          sessionID: session.id,
          role: "user",
          time: { created: mint.time },
          agent,
          model: { providerID: provider, modelID: session.model },
        },
        parts: [],
      };
      for (const block of message.blocks) part(draft, saidPart(block, mint));
      session.user = draft.id;
      drafts.push(draft);
    } else if (message.role === "assistant") {
      step ??= open();
      for (const block of message.blocks) {
        if (block.kind === "call") calls.set(block.call, { draft: step, index: step.parts.length });
        part(step, saidPart(block, mint));
      }
    } else {
      for (const block of message.blocks) {
        if (block.kind !== "result") continue;
        const found = calls.get(block.call);
        const call = found?.draft.parts[found.index];
        if (found === undefined || call === undefined) throw new Error(`result of an unknown call "${block.call}"`);
        const { input } = call["state"] as JsonObject;
        const time = { start: mint.time, end: mint.time };
        const state = block.error
          ? { status: "error", input: input ?? {}, error: block.text, time }
          : { status: "completed", input: input ?? {}, output: block.text, title: "", metadata: {}, time };
        found.draft.parts[found.index] = { ...call, state };
      }
      close(2);
    }
  }
  close(usedTokens);
  return drafts.flatMap(({ info, parts }) => [
    { type: "message.updated.1", data: { sessionID: session.id, info } },
    ...parts.map((one) => ({
      type: "message.part.updated.1",
      data: { sessionID: session.id, part: one, time: mint.time },
    })),
  ]);
}

function saidPart(block: Block, mint: Minter): JsonObject {
  switch (block.kind) {
    case "text":
      return { type: "text", text: block.text };
    case "reasoning":
      return { type: "reasoning", text: block.text, time: { start: mint.time, end: mint.time } };
    case "image":
      return { type: "file", mime: block.mediaType, url: `data:${block.mediaType};base64,${block.data}` };
    case "call":
      return {
        type: "tool",
        tool: block.tool,
        callID: block.call,
        state: { status: "pending", input: block.args, raw: JSON.stringify(block.args) },
      };
    case "result":
      throw new Error("a result inside another message");
  }
}
