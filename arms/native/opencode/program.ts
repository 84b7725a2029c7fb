/** A running OpenCode: one server for many sessions, in a home of its own, that asks an endpoint. */
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Message } from "../../../harness/chain/message.ts";
import { CompactionRefusedError } from "../../../harness/errors.ts";
import type { JsonObject, JsonValue } from "../../../harness/json.ts";
import { objectAt, textAt } from "../json-text.ts";
import { isRunning, lastLine, startProgram, stopProgram } from "../process.ts";
import type { Release } from "../upstream.ts";
import { modelName, type OpenCodeSetup, settingsKey, writeHome } from "./setup.ts";
import { compactionEvents } from "./compaction-events.ts";
import { Minter } from "./minter.ts";
import { callServer, type ServerCall } from "./server-call.ts";
import { createdEvent, messageEvents, type StoredSession } from "./session.ts";

export interface OpenCodeProgram {
  /** Opens an empty session under a setup. */
  open(setup: OpenCodeSetup): Promise<StoredSession>;
  /** Stores messages at the end of a session; its last step reports `usedTokens`. Says which message begins each stored one, by its id. */
  store(
    session: StoredSession,
    messages: readonly Message[],
    usedTokens?: number,
  ): Promise<ReadonlyMap<string, Message>>;
  /** Stores an earlier compaction at the end of a session. `tailStart` is the id of the stored message that its tail begins with. */
  storeCompaction(session: StoredSession, summary: string, tailStart: string | undefined): Promise<void>;
  /** Id of the stored message that the newest compaction's tail begins with. */
  tailStart(session: StoredSession): Promise<string | undefined>;
  /** Asks for a compaction. */
  summarize(session: StoredSession): Promise<void>;
  prompt(session: StoredSession, text: string): Promise<void>;
  /** Whether it can still be asked. */
  isRunning(): boolean;
  stop(): Promise<void>;
}

/** Starts the server. `port` is the endpoint's; everything the program writes goes below `folder`. */
export async function startOpenCode(
  { binary, version }: Pick<Release, "binary" | "version">,
  folder: string,
  port: number,
  setups: readonly OpenCodeSetup[],
): Promise<OpenCodeProgram> {
  rmSync(folder, { recursive: true, force: true });
  const { work, folders, env } = writeHome(folder, version, port, setups);
  const serverPort = await freePort();
  const child = startProgram(
    binary,
    ["serve", "--port", String(serverPort), "--hostname", "127.0.0.1", "--print-logs"],
    {
      folder,
      work,
      env,
    },
  );
  let log = "";
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    const read = (data: Buffer): void => {
      log = `${log}${data.toString()}`.slice(-20_000);
      if (log.includes("listening on http://")) resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    const gaveUp = (what: string): void => reject(new CompactionRefusedError(`OpenCode ${what}.${lastLine(log)}`));
    child.once("exit", () => gaveUp("ended by itself"));
    timer = setTimeout(() => gaveUp("did not start within a minute"), 60_000);
  }).finally(() => clearTimeout(timer));

  const call = (
    method: ServerCall["method"],
    path: string,
    directory: string,
    sent?: JsonValue,
    timeoutMs?: number,
  ): Promise<JsonValue> =>
    callServer(serverPort, {
      method,
      path,
      directory,
      ...(sent === undefined ? {} : { sent }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  const projects = new Map<string, string>();
  /** The first request to a folder is sometimes never answered; a second one is, and waits twice as long. */
  const projectOf = async (directory: string): Promise<string> => {
    for (let waitMs = 1_500; ; waitMs *= 2)
      try {
        const known = projects.get(directory);
        if (known !== undefined) return known;
        const project = (await call("GET", "/project/current", directory, undefined, waitMs)) as JsonObject;
        projects.set(directory, textAt(project, "id"));
      } catch (error) {
        if (waitMs > 30_000 || !isRunning(child)) throw error;
      }
  };
  /** Sessions begin in the past, each at a time of its own: ids come from it. */
  const firstMs = Date.now() - 864e5;
  const replay = async (session: StoredSession, events: readonly JsonObject[]): Promise<void> => {
    for (let from = 0; from < events.length; from += batchEvents)
      await replayBatch(session, events.slice(from, from + batchEvents));
  };
  const replayBatch = async (session: StoredSession, events: readonly JsonObject[]): Promise<void> => {
    const numbered = events.map((event) => {
      const seq = session.events++;
      return {
        id: `evt_${session.id.slice(4, 16)}${String(seq).padStart(14, "0")}`,
        aggregateID: session.id,
        seq,
        ...event,
      };
    });
    await call("POST", "/sync/replay", session.folder, { directory: session.folder, events: numbered });
  };
  const sessions: StoredSession[] = [];
  /** Counts what the program itself stored in a session; of the others nothing is asked for. */
  const catchUp = async (session: StoredSession): Promise<JsonObject[]> => {
    const known = Object.fromEntries(
      sessions.map((one) => [one.id, one === session ? one.events - 1 : Number.MAX_SAFE_INTEGER]),
    );
    const added = (await call("POST", "/sync/history", session.folder, known)) as JsonObject[];
    session.events += added.length;
    return added;
  };
  let lastMs = 0;
  /** Mints ids after all that are stored, at a time of its own that has come: the program orders by time, then by id. */
  const minter = async (session: StoredSession): Promise<Minter> => {
    await catchUp(session);
    lastMs = Math.max(lastMs + 16, Date.now());
    while (Date.now() <= lastMs + 16) await pause(1);
    return new Minter(lastMs);
  };
  return {
    open: async ({ limits, compaction }) => {
      const directory = folders.get(settingsKey(compaction)) ?? "";
      const project = await projectOf(directory);
      const number = sessions.length;
      const id = `ses_${String(number).padStart(12, "0")}${"c".repeat(14)}`;
      const session: StoredSession = { id, folder: directory, model: modelName(limits), events: 0, user: undefined };
      sessions.push(session);
      await replay(session, [createdEvent(session, version, project, firstMs + number * 1e4)]);
      return session;
    },
    store: async (session, messages, usedTokens) => {
      if (messages.length === 0) return new Map();
      const { events, begins } = messageEvents(session, messages, await minter(session), usedTokens);
      await replay(session, events);
      return begins;
    },
    storeCompaction: async (session, summary, tailStart) =>
      await replay(session, compactionEvents(session, await minter(session), summary, tailStart)),
    tailStart: async (session) => {
      const parts = (await catchUp(session)).map(({ data }) => objectAt(data as JsonObject, "part"));
      const last = parts.findLast(({ type }) => type === "compaction");
      return textAt(last, "tail_start_id") || undefined;
    },
    summarize: async (session) => {
      await call("POST", `/session/${session.id}/summarize`, session.folder, {
        providerID: "mock",
        modelID: session.model,
      });
    },
    prompt: async (session, text) => {
      await call("POST", `/session/${session.id}/message`, session.folder, {
        model: { providerID: "mock", modelID: session.model },
        parts: [{ type: "text", text }],
      });
    },
    isRunning: () => isRunning(child),
    stop: () => stopProgram(child),
  };
}

/** Events that one request stores. */
const batchEvents = 1_000;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
