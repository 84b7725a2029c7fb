/** For tests: a small history, a sheet on it, and models that reply as a script says. */
import type { Message } from "../chain/message.ts";
import type { Sheet } from "../exam/question.ts";
import type { JsonValue } from "../json.ts";
import type { ModelCall, ModelReply, ModelRequest } from "../models/model.ts";
import { type Dialogue, holdDialogue, type Opening } from "./dialogue.ts";
import { journalInterface } from "./journal-tools.ts";
import { type Round, rounds } from "./rounds.ts";
import { readingLimits } from "./serving.ts";

export const said = (id: string, role: "user" | "assistant", text: string): Message => ({
  id,
  role,
  blocks: [{ kind: "text", text }],
});
export const called = (
  id: string,
  call: string,
  tool: string,
  args: { readonly [name: string]: JsonValue },
): Message => ({
  id,
  role: "assistant",
  blocks: [{ kind: "call", call, tool, args }],
});
export const resulted = (id: string, call: string, text: string, error = false): Message => ({
  id,
  role: "tool",
  blocks: [{ kind: "result", call, text, error }],
});

/** A history in which `ver_kept1` and `ver_lost1` to `ver_lost3` stand. */
export const smallJournal: readonly Message[] = [
  said("e1", "user", "Use ver_kept1 from now on."),
  called("e2", "c1", "read", { path: "src/a.ts" }),
  resulted("e3", "c1", "one\nver_lost1 here\nthree"),
  said("e4", "assistant", "It was ver_lost2, not ver_lost2x."),
  called("e5", "c2", "shell", { command: "make" }),
  resulted("e6", "c2", `${"built a part\n".repeat(900)}ver_lost3\n`),
];

export const smallSheet: Sheet = {
  chain: "alder",
  stage: 0,
  end: 6,
  redrawn: 0,
  questions: [
    ...["ver_kept1", "ver_lost1", "ver_lost2", "ver_lost3"].map(
      (value) => ({ kind: "target", value, source: "tool", pattern: "prefixed" }) as const,
    ),
    { kind: "decoy", value: "ver_never", pattern: "prefixed" },
  ],
};
/** Whether each of the sheet's values stands in `smallProjection`. */
export const smallKept: readonly boolean[] = [true, false, false, false, false];
export const smallProjection: readonly Message[] = [said("p1", "user", "Summary: ver_kept1 is used.")];

export const roundNamed = (name: Round["round"]): Round => {
  const found = rounds.find(({ round }) => round === name);
  if (found === undefined) throw new RangeError(`no round ${name}`);
  return found;
};

export const openingOf = (round: Round, over: Partial<Opening> = {}): Opening => ({
  shape: {
    system: "You are a coding agent.",
    tools: [{ name: "shell", description: "Run a command.", parameters: { type: "object", properties: {} } }],
  },
  projection: smallProjection,
  sheet: smallSheet,
  round,
  offer: journalInterface,
  lookups: journalInterface.open({ journal: smallJournal, compactedAt: [] }),
  limits: readingLimits,
  cacheKey: "alder/codex",
  limitTokens: 100_000,
  ...over,
});

/** A reply of text alone, or of calls. */
export const replyWith = (content: string | readonly ModelCall[]): ModelReply => ({
  text: typeof content === "string" ? content : "",
  calls: typeof content === "string" ? [] : content,
  finish: typeof content === "string" ? "stop" : "tool",
  usage: { freshInputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 },
});
export const search = (query: string, id = "c"): ModelCall => ({ id, tool: "history_search", args: { query } });
export const answer = (...values: string[]): string => JSON.stringify({ appeared: values });

/** Holds a dialogue with a model that gives these replies in turn, the last one again and again; gives it and the requests. */
export async function scripted(
  opening: Opening,
  ...script: readonly (string | readonly ModelCall[])[]
): Promise<{ readonly dialogue: Dialogue; readonly requests: readonly ModelRequest[] }> {
  const requests: ModelRequest[] = [];
  const dialogue = await holdDialogue(opening, (request, turn) => {
    requests.push(request);
    return Promise.resolve(replyWith(script[Math.min(turn, script.length - 1)] ?? ""));
  });
  return { dialogue, requests };
}
