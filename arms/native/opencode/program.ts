/** A running OpenCode: one server for many sessions, in a home of its own, that asks an endpoint. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Message } from "../../../harness/chain/message.ts";
import type { JsonObject, JsonValue } from "../../../harness/json.ts";
import { startProgram, stopProgram } from "../process.ts";
import { compactionEvents, createdEvent, messageEvents, Minter, type StoredSession } from "./session.ts";
import { objectAt, textAt } from "../json-text.ts";

/** A model of the mock provider, by its limits. */
export interface ModelLimits {
  readonly context: number;
  readonly output: number;
  readonly input?: number;
}

/** One configuration of the program: the limits of its model, and its compaction settings. */
export interface OpenCodeSetup {
  readonly limits: ModelLimits;
  readonly compaction: JsonObject;
}

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
  stop(): Promise<void>;
}

/** Starts the server. `port` is the endpoint's; everything the program writes goes below `folder`. */
export async function startOpenCode(
  binary: string,
  folder: string,
  port: number,
  setups: readonly OpenCodeSetup[],
): Promise<OpenCodeProgram> {
  rmSync(folder, { recursive: true, force: true });
  const home = join(folder, "home");
  const configFolder = join(home, ".config/opencode");
  mkdirSync(join(configFolder, "node_modules"), { recursive: true });
  // The program installs its plugin package there unless it seems to be there already.
  const dependencies = { "@opencode-ai/plugin": "1.18.31" };
  writeFileSync(join(configFolder, "package.json"), JSON.stringify({ dependencies }));
  writeFileSync(
    join(configFolder, "package-lock.json"),
    JSON.stringify({ name: "opencode", lockfileVersion: 3, requires: true, packages: { "": { dependencies } } }),
  );
  const config = join(folder, "opencode.json");
  writeFileSync(config, JSON.stringify(configOf(port, setups)));
  const work = join(folder, "work");
  const folders = new Map<string, string>();
  for (const { compaction } of setups) {
    const key = JSON.stringify(compaction);
    if (folders.has(key)) continue;
    const own = join(work, String(folders.size));
    mkdirSync(own, { recursive: true });
    if (key !== "{}") writeFileSync(join(own, "opencode.json"), JSON.stringify({ compaction }));
    folders.set(key, own);
  }
  const serverPort = await freePort();
  const child = startProgram(
    binary,
    ["serve", "--port", String(serverPort), "--hostname", "127.0.0.1", "--print-logs"],
    {
      folder: work,
      env: {
        PATH: "/usr/bin:/bin",
        LANG: "C.UTF-8",
        TZ: "UTC",
        HOME: home,
        XDG_CONFIG_HOME: join(home, ".config"),
        XDG_DATA_HOME: join(home, ".local/share"),
        XDG_STATE_HOME: join(home, ".local/state"),
        XDG_CACHE_HOME: join(home, ".cache"),
        OPENCODE_CONFIG: config,
        ...Object.fromEntries(quiet.map((name) => [`OPENCODE_${name}`, "1"])),
      },
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
    child.once("exit", () => reject(new Error(`OpenCode ended by itself.\n${log}`)));
    timer = setTimeout(() => reject(new Error(`OpenCode did not start.\n${log}`)), 60_000);
  }).finally(() => clearTimeout(timer));

  const call = async (
    method: string,
    path: string,
    directory: string,
    sent?: JsonValue,
    timeoutMs = 290_000,
  ): Promise<JsonValue> => {
    const response = await fetch(`http://127.0.0.1:${serverPort}${path}`, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { "content-type": "application/json", "x-opencode-directory": encodeURIComponent(directory) },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`OpenCode refused ${method} ${path}: ${response.status} ${text.slice(0, 400)}`);
    return text === "" ? null : (JSON.parse(text) as JsonValue);
  };
  const projects = new Map<string, string>();
  /** The first request to a folder is sometimes never answered; a second one is. */
  const projectOf = async (directory: string): Promise<string> => {
    for (let left = 6; ; left--)
      try {
        const known = projects.get(directory);
        if (known !== undefined) return known;
        const project = (await call("GET", "/project/current", directory, undefined, 6_000)) as JsonObject;
        projects.set(directory, textAt(project, "id"));
      } catch (error) {
        if (left === 0) throw error;
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
      const directory = folders.get(JSON.stringify(compaction)) ?? "";
      const project = await projectOf(directory);
      const number = sessions.length;
      const id = `ses_${String(number).padStart(12, "0")}${"c".repeat(14)}`;
      const session: StoredSession = { id, folder: directory, model: modelName(limits), events: 0, user: undefined };
      sessions.push(session);
      await replay(session, [createdEvent(session, project, firstMs + number * 1e4)]);
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
    stop: () => stopProgram(child),
  };
}

/** Events that one request stores. */
const batchEvents = 1_000;

/** What the program leaves alone: hosts, updates, editors, plugins, other agents' files. */
const quiet = [
  "DISABLE_MODELS_FETCH",
  "DISABLE_AUTOUPDATE",
  "DISABLE_SHARE",
  "DISABLE_LSP_DOWNLOAD",
  "DISABLE_DEFAULT_PLUGINS",
  "PURE",
  "DISABLE_CLAUDE_CODE",
  "DISABLE_EXTERNAL_SKILLS",
  "DISABLE_EMBEDDED_WEB_UI",
  "EXPERIMENTAL_DISABLE_FILEWATCHER",
  "DISABLE_TERMINAL_TITLE",
];

const modelName = ({ context, output, input }: ModelLimits): string => `m-${context}-${output}-${input ?? "none"}`;

function configOf(port: number, setups: readonly OpenCodeSetup[]): JsonObject {
  const models = Object.fromEntries(
    setups.map(({ limits }) => [
      modelName(limits),
      {
        name: "mock",
        limit: { ...limits },
        tool_call: true,
        temperature: true,
        attachment: true,
        reasoning: true,
        modalities: { input: ["text", "image"], output: ["text"] },
      },
    ]),
  );
  const model = `mock/${Object.keys(models)[0] ?? ""}`;
  return {
    model,
    small_model: model,
    enabled_providers: ["mock"],
    provider: {
      mock: {
        npm: "@ai-sdk/openai-compatible",
        name: "mock",
        options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "none" },
        models,
      },
    },
    autoupdate: false,
    share: "disabled",
    snapshot: false,
    lsp: false,
    formatter: false,
  };
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
