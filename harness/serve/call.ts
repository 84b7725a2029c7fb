/** One call of a model route, from its body to its log entry and its reply. */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type JsonObject, sha256 } from "../json.ts";
import { measureBody } from "../models/body.ts";
import type { Answer, Answerer } from "./answer.ts";
import { type BadReplyName, badReplies } from "./bad-replies.ts";
import { parseBody } from "./body.ts";
import { deliver, outcomeOf, refuse, type Written } from "./deliver.ts";
import {
  type BrokenWay,
  brokenWays,
  type Chosen,
  chooseFault,
  type FaultRule,
  type RefusalFault,
  type UsageFaultName,
  usageFaultNames,
} from "./faults.ts";
import type { LogEntry, RequestLog } from "./log.ts";
import { refusalOf } from "./refusals.ts";
import { type Decoded, type Envelope, Refusal, type Wire } from "./wire.ts";

export interface CallHandler {
  /** Answers one call whose body has arrived whole. */
  handle(wire: Wire, incoming: Incoming, response: ServerResponse): Promise<void>;
}

export interface Incoming {
  readonly path: string;
  readonly body: Buffer;
  readonly encoding: string | undefined;
}

type Entry = Omit<LogEntry, "status" | "answered" | "billed" | "usage"> & { readonly call: number };

/** Numbers the calls in the order in which `handle` is called, and counts how often each body came. */
export function createCallHandler(answerer: Answerer, rules: readonly FaultRule[], log: RequestLog): CallHandler {
  const attempts = new Map<string, number>();
  let calls = 0;

  /** Writes a refusal down and sends it. `decoded`: of a streamed call, whose form may want an overflow inside the stream. */
  const refused = (response: ServerResponse, wire: Wire, entry: Entry, refusal: Refusal, decoded?: Decoded): void => {
    const inStream = decoded?.stream === true && refusal.code === "context_length_exceeded";
    const frames = inStream ? wire.overflowFrames?.(refusal, { call: entry.call, model: decoded.model }) : undefined;
    const status = frames === undefined ? refusal.status : 200;
    log.add({ ...entry, status, answered: false, billed: null, usage: null });
    if (frames === undefined) refuse(response, refusal, wire);
    else deliver(response, { kind: "stream", frames }, undefined, wire, entry.call);
  };

  return {
    handle: async (wire, { path, body, encoding }, response) => {
      const call = ++calls;
      const bodySha256 = sha256(body);
      const attempt = (attempts.get(bodySha256) ?? 0) + 1;
      attempts.set(bodySha256, attempt);
      const arrived = { call, method: "POST", path, route: wire.route, bodySha256, bodyBytes: body.length, attempt };
      const unread = { ...arrived, requestSha256: null, model: null, stream: null, fault: null, delayMs: 0 };
      const read = readCall(wire, body, encoding);
      if (read instanceof Refusal) return refused(response, wire, unread, read);

      const { decoded, json } = read;
      const { delayMs, fault } = chooseFault(rules, { call, bodySha256, attempt, body: json });
      const { model, stream } = decoded;
      const entry = { ...arrived, requestSha256: requestSha256(json), model, stream, fault: faultText(fault), delayMs };
      const answer = await dueAnswer(answerer, decoded, wire, fault);
      if (delayMs > 0) await waitFor(delayMs, response);
      if (answer instanceof Refusal) return refused(response, wire, entry, answer, decoded);

      const way = isBroken(fault?.name) ? fault?.name : undefined;
      const usageAtEnd = fault?.name === "usage-last";
      const outcome = outcomeOf(response, way);
      const sendsUsage = outcome.answered && (!stream || decoded.streamsUsage || usageAtEnd);
      answer.keep();
      log.add({
        ...entry,
        ...outcome,
        billed: answer.billed,
        usage: sendsUsage ? (answer.usage?.whole ?? null) : null,
      });
      const written = writtenReply(wire, decoded, answer, { call, usageAtEnd });
      deliver(response, written, way, wire, call);
    },
  };
}

/** The digest that a ledger has of a body: without its transport fields, the other ones in their order. */
function requestSha256(body: unknown): string {
  const { stream: _stream, stream_options: _options, ...request } = body as JsonObject;
  return measureBody(request).sha256;
}

function readCall(wire: Wire, body: Buffer, encoding: string | undefined) {
  try {
    const json = parseBody(body, encoding);
    return { json, decoded: wire.decode(json) };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

async function dueAnswer(
  answerer: Answerer,
  decoded: Decoded,
  wire: Wire,
  fault: Chosen["fault"],
): Promise<Answer | Refusal> {
  if (isRefusal(fault)) return refusalOf(fault, wire.route, Date.now());
  try {
    return await answerer.answer(decoded, wire.route, isSpoilt(fault?.name) ? fault?.name : undefined);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function writtenReply(
  wire: Wire,
  decoded: Decoded,
  answer: Answer,
  { call, usageAtEnd }: Pick<Envelope, "call" | "usageAtEnd">,
): Written {
  const { model, streamsUsage, stream } = decoded;
  const envelope = { call, model, streamsUsage, usageAtEnd, usage: answer.usage };
  return stream
    ? { kind: "stream", frames: wire.frames(answer.reply, envelope) }
    : { kind: "body", json: JSON.stringify(wire.whole(answer.reply, envelope)) };
}

/** Waits, or until the client leaves. */
async function waitFor(ms: number, response: ServerResponse): Promise<void> {
  const left = new AbortController();
  response.once("close", () => left.abort());
  await sleep(ms, undefined, { signal: left.signal }).catch(() => undefined);
}

const isBroken = (name: string | undefined): name is BrokenWay => brokenWays.some((way) => way === name);
const isSpoilt = (name: string | undefined): name is BadReplyName | UsageFaultName =>
  name !== undefined && (Object.hasOwn(badReplies, name) || usageFaultNames.some((one) => one === name));
const isRefusal = (fault: Chosen["fault"]): fault is RefusalFault =>
  fault !== undefined && !isBroken(fault.name) && !isSpoilt(fault.name);

const faultText = (fault: Chosen["fault"]): string | null =>
  fault === undefined ? null : fault.name === "status" ? `status ${fault.status}` : fault.name;
