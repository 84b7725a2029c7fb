/** An earlier compaction as the events by which OpenCode stores it. */
import type { JsonObject } from "../../../harness/json.ts";
import type { Minter } from "./minter.ts";
import { draftEvents, type Draft, fewTokens, stepInfo, type StoredSession, userInfo } from "./session.ts";

/** The events that store a completed compaction: its question and its summary. */
export function compactionEvents(
  session: StoredSession,
  mint: Minter,
  summary: string,
  tailStart: string | undefined,
): JsonObject[] {
  const [marker, reply] = [mint.id("msg"), mint.id("msg")];
  const part = (messageID: string, fields: JsonObject): JsonObject => ({
    ...fields,
    id: mint.id("prt"),
    sessionID: session.id,
    messageID,
  });
  const time = { start: mint.time, end: mint.time };
  const question: Draft = {
    id: marker,
    info: userInfo(session, marker, mint),
    parts: [
      part(marker, {
        type: "compaction",
        auto: false,
        ...(tailStart === undefined ? {} : { tail_start_id: tailStart }),
      }),
    ],
  };
  const answer: Draft = {
    id: reply,
    info: {
      ...stepInfo(session, reply, marker, mint),
      mode: "compaction",
      agent: "compaction",
      summary: true,
      finish: "stop",
      time: { created: mint.time, completed: mint.time },
    },
    parts: [
      part(reply, { type: "step-start" }),
      ...(summary === "" ? [] : [part(reply, { type: "text", text: summary, time })]),
      part(reply, { type: "step-finish", reason: "stop", tokens: fewTokens, cost: 0 }),
    ],
  };
  return [question, answer].flatMap((draft) => draftEvents(session, draft, mint));
}
