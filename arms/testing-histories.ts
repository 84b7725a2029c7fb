/** For tests of the codex and opencode arms: messages in few words, sessions that grow, and random histories. */
import * as fc from "fast-check";
import type { Arm, Compaction, CompactionInput } from "../harness/arm.ts";
import type { CallBlock, Message } from "../harness/chain/message.ts";
import { ContextOverflowError } from "../harness/errors.ts";
import type { ModelReply } from "../harness/models/model.ts";
import { type ArmRequest, recordingContext, reply } from "./testing.ts";

export const said = (id: string, role: "user" | "assistant", ...texts: string[]): Message => ({
  id,
  role,
  blocks: texts.map((text) => ({ kind: "text", text })),
});
export const asked = (id: string, text: string): Message => said(id, "user", text);
export const told = (id: string, text: string): Message => said(id, "assistant", text);

const callBlock = (call: string): CallBlock => ({ kind: "call", call, tool: "shell", args: { cmd: `run ${call}` } });

/** One assistant message with parallel calls, and a text before them unless it is "". */
export const called = (id: string, calls: readonly string[], text = ""): Message => ({
  id,
  role: "assistant",
  blocks: [...(text === "" ? [] : [{ kind: "text" as const, text }]), ...calls.map(callBlock)],
});

export const result = (id: string, call: string, text: string, error = false): Message => ({
  id,
  role: "tool",
  blocks: [{ kind: "result", call, text, error }],
});

/** A step of one call and its result. */
export const step = (id: string, text: string): Message[] => [
  called(id, [`${id}-call`]),
  result(`${id}-result`, `${id}-call`, text),
];

type Answer = string | ((request: ArmRequest, index: number) => ModelReply);

/**
 * A session that is compacted again and again. What one compaction leaves reaches the next as JSON, as from a run folder.
 * `answer` is the summary, or what the model does instead.
 */
export function growing(arm: Arm, overrides: Parameters<typeof recordingContext>[2] = {}) {
  const journal: Message[] = [];
  const requests: ArmRequest[] = [];
  let compacted = 0;
  let previous: CompactionInput["previous"];
  const compact = async (answer: Answer, trigger: CompactionInput["trigger"] = "forced"): Promise<Compaction> => {
    const { context, requests: made } = recordingContext(
      arm,
      typeof answer === "string" ? () => reply(answer) : answer,
      { boundary: { chain: "test", end: journal.length }, ...overrides },
    );
    const input = { journal: [...journal], fresh: journal.slice(compacted), previous, trigger };
    const compaction = await arm.compact(input, context).finally(() => requests.push(...made));
    if (compaction.kind === "compacted") {
      previous = JSON.parse(JSON.stringify(compaction)) as typeof compaction;
      compacted = journal.length;
    }
    return compaction;
  };
  return { journal, requests, compact, say: (...messages: Message[]) => void journal.push(...messages) };
}

/** For `growing`: the request does not fit. */
export const overflow = (): never => {
  throw new ContextOverflowError("too long", { provider: "p", status: 400, charge: "none", decision: "request" });
};

/** Each message as `role: content`, blocks joined by ` + `. */
export const texts = (messages: readonly { readonly message: Message }[] | readonly Message[]): string[] =>
  messages.map((item) => {
    const { role, blocks } = "message" in item ? item.message : item;
    const shown = blocks.map((block) => {
      if (block.kind === "call") return `call ${block.call}`;
      return block.kind === "image" ? "image" : block.text;
    });
    return `${role}: ${shown.join(" + ")}`;
  });

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", "  ", "数据", "😀", "\ud83d", '"\\\n'),
  fc.nat(1_600).map((length) => "long text é ".repeat(length / 6)),
);

/** What a random message is, before it gets its id. Call ids repeat, and results may answer nothing. */
type Draft =
  | { readonly kind: "asked" | "told"; readonly text: string }
  | { readonly kind: "called"; readonly text: string; readonly calls: readonly string[] }
  | { readonly kind: "result"; readonly call: string; readonly text: string; readonly error: boolean };

const call = fc.constantFrom("a", "b", "c", "d", "e");
const draft: fc.Arbitrary<Draft> = fc.oneof(
  fc.record({ kind: fc.constantFrom("asked" as const, "told" as const), text }),
  fc.record({ kind: fc.constant("called" as const), text, calls: fc.array(call, { minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: fc.constant("result" as const), call, text, error: fc.boolean() }),
  fc.record({ kind: fc.constant("result" as const), call, text, error: fc.boolean() }),
);

/** Histories of any shape: parallel calls, open calls, stray and repeated results, ids used again, blank and broken text. */
export const histories = (maxLength: number): fc.Arbitrary<Message[]> =>
  fc.array(draft, { maxLength }).map((drafts) =>
    drafts.map((item, index) => {
      const id = `m${index}`;
      switch (item.kind) {
        case "asked":
          return asked(id, item.text);
        case "told":
          return told(id, item.text);
        case "called":
          return called(id, item.calls, item.text);
        case "result":
          return result(id, item.call, item.text, item.error);
      }
    }),
  );
