/** Messages as the events by which OpenCode stores a session. */
import type { Block, Message } from "../../../harness/chain/message.ts";
import type { JsonObject } from "../../../harness/json.ts";
import type { Minter } from "./minter.ts";

/** A stored message in the making. */
export interface Draft {
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
/** Stands for the user message of a step whose own was not stored: a tail may begin in the middle of a turn. */
const noUser = `msg_${"0".repeat(26)}`;

/** The event that opens a session. */
export const createdEvent = (
  { id, folder }: StoredSession,
  version: string,
  project: string,
  ms: number,
): JsonObject => ({
  type: "session.created.1",
  data: {
    sessionID: id,
    info: {
      id,
      slug: id,
      projectID: project,
      directory: folder,
      title: "conformance",
      version,
      time: { created: ms, updated: ms },
    },
  },
});

/**
 * The events that store messages: one stored message a user message, one a step; a result is the state of its call. The
 * last step reports `usedTokens`. `begins` has the message that each stored one begins with, by the stored one's id. Throws
 * where a result has no call.
 */
export function messageEvents(
  session: StoredSession,
  messages: readonly Message[],
  mint: Minter,
  usedTokens = 2,
): { readonly events: JsonObject[]; readonly begins: ReadonlyMap<string, Message> } {
  const begins = new Map<string, Message>();
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
    const id = mint.id("msg");
    const draft: Draft = { id, info: stepInfo(session, id, session.user ?? noUser, mint), parts: [] };
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
        info: userInfo(session, id, mint),
        parts: [],
      };
      for (const block of message.blocks) part(draft, saidPart(block, mint));
      session.user = draft.id;
      begins.set(id, message);
      drafts.push(draft);
    } else if (message.role === "assistant") {
      if (step === undefined) {
        step = open();
        begins.set(step.id, message);
      }
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
  return { events: drafts.flatMap((draft) => draftEvents(session, draft, mint)), begins };
}

/** The events of one stored message. */
export const draftEvents = ({ id }: StoredSession, { info, parts }: Draft, mint: Minter): JsonObject[] => [
  { type: "message.updated.1", data: { sessionID: id, info } },
  ...parts.map((part) => ({ type: "message.part.updated.1", data: { sessionID: id, part, time: mint.time } })),
];

export const fewTokens = { total: 2, input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } };

/** What a stored user message says of itself. */
export const userInfo = (session: StoredSession, id: string, mint: Minter): JsonObject => ({
  id,
  sessionID: session.id,
  role: "user",
  time: { created: mint.time },
  agent,
  model: { providerID: provider, modelID: session.model },
});

/** What a stored step says of itself before it ends. */
export const stepInfo = (session: StoredSession, id: string, parent: string, mint: Minter): JsonObject => ({
  id,
  sessionID: session.id,
  role: "assistant",
  parentID: parent,
  mode: agent,
  agent,
  path: { cwd: session.folder, root: "/" },
  cost: 0,
  tokens: fewTokens,
  modelID: session.model,
  providerID: provider,
  time: { created: mint.time },
});

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
