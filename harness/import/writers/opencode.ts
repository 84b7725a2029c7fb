/**
 * Records as an OpenCode session. A call and its result are one part there, so only a result that follows its call's
 * message, before anybody speaks again, has a place.
 */
import type { ChainRecord } from "../../chain/record.ts";
import { type Group, groupsOf, writtenTimes } from "./groups.ts";

const sessionId = "ses_closedbook0000000000000000";

/** A document as `opencode export` writes it. Throws RangeError for a result that does not follow the message of its call. */
export function openCodeExport(records: readonly ChainRecord[]): string {
  const times = writtenTimes();
  const info = {
    id: sessionId,
    slug: "written",
    projectID: "global",
    directory: "/work/project",
    title: "written",
    version: "1.18.31",
  };
  const messages = steps(groupsOf(records)).map(({ group, results }, index) => {
    const id = `msg_${`${index}`.padStart(12, "0")}`;
    const time = { created: times.nextMs() };
    const base = { id, sessionID: sessionId, role: group.role, time };
    const parts = partsOf(group, results).map((part, at) => ({
      ...part,
      id: `prt_${index}_${at}`,
      sessionID: sessionId,
      messageID: id,
    }));
    const reply = {
      modelID: "mock-model",
      providerID: "mock",
      cost: 0,
      tokens: { input: 100, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
    };
    return { info: group.role === "assistant" ? { ...base, ...reply } : base, parts };
  });
  return JSON.stringify({ info, messages }, null, 1);
}

type Speaker = Extract<Group, { kind: "speaker" }>;
type Result = Extract<Group, { kind: "result" }>;

function steps(groups: readonly Group[]): { readonly group: Speaker; readonly results: Result[] }[] {
  const found: { readonly group: Speaker; readonly results: Result[] }[] = [];
  for (const group of groups)
    if (group.kind === "speaker") found.push({ group, results: [] });
    else {
      const step = found.at(-1);
      if (step === undefined) throw new RangeError(`result "${group.call}" comes before every message`);
      step.results.push(group);
    }
  return found;
}

function partsOf({ role, texts, calls }: Speaker, results: readonly Result[]): object[] {
  const spoken = texts.map((text) => ({ type: "text", text }));
  if (role === "user") return spoken;
  const left = [...results];
  const tools = calls.map(({ call, tool, args }) => {
    const at = left.findIndex((result) => result.call === call);
    const [result] = at < 0 ? [] : left.splice(at, 1);
    return { type: "tool", tool, callID: call, state: stateOf(args, result) };
  });
  const [orphan] = left;
  if (orphan !== undefined) throw new RangeError(`result "${orphan.call}" does not follow the message of its call`);
  return [
    { type: "step-start" },
    ...spoken,
    ...tools,
    { type: "step-finish", reason: calls.length > 0 ? "tool-calls" : "stop" },
  ];
}

function stateOf(input: object, result: Result | undefined): object {
  if (result === undefined) return { status: "running", input, time: { start: 0 } };
  const time = { start: 0, end: 0 };
  return result.error
    ? { status: "error", input, error: result.text, time }
    : { status: "completed", input, output: result.text, title: "", metadata: {}, time };
}
