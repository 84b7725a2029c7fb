/** A running Codex: one app server for many threads, in a home of its own, that asks an endpoint. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../../harness/json.ts";
import { connect } from "./rpc.ts";
import { isRunning, startProgram, stopProgram } from "../process.ts";
import { objectAt, textAt } from "../json-text.ts";

/** What a thread starts with. Instructions left undefined are the product's own. */
interface ThreadSettings {
  readonly instructions?: string;
  readonly config: JsonObject;
}

export interface CodexProgram {
  startThread(settings: ThreadSettings): Promise<string>;
  inject(thread: string, items: readonly JsonObject[]): Promise<void>;
  /** Says something and waits for the turn's end. */
  turn(thread: string, text: string): Promise<TurnEnd>;
  /** Asks for a compaction and waits for its end. */
  compact(thread: string): Promise<TurnEnd>;
  /** Whether it can still be asked. */
  isRunning(): boolean;
  /** Forgets a thread. */
  leave(thread: string): Promise<void>;
  stop(): Promise<void>;
}

type TurnEnd = "completed" | "failed";

/** Starts the app server. `port` is the endpoint's; everything the program writes goes below `folder`. */
export async function startCodex(binary: string, folder: string, port: number): Promise<CodexProgram> {
  rmSync(folder, { recursive: true, force: true });
  const home = join(folder, "home");
  const work = join(folder, "work");
  mkdirSync(home, { recursive: true });
  mkdirSync(work, { recursive: true });
  writeFileSync(join(home, "config.toml"), configToml(port));
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: home,
    CODEX_HOME: home,
    MOCK_KEY: "none",
    NO_PROXY: "127.0.0.1,localhost",
    RUST_LOG: "error",
    TZ: "UTC",
    LANG: "C.UTF-8",
    SHELL: "/bin/sh",
  };
  const child = startProgram(binary, ["app-server", "--strict-config"], { folder, work, env });
  const rpc = connect(child);
  await rpc.request("initialize", {
    clientInfo: { name: "closed-book", title: "closed-book", version: "0" },
    capabilities: { experimentalApi: true },
  });
  rpc.notify("initialized", {});

  const untilTurnEnds = async (thread: string, method: string, params: JsonObject): Promise<TurnEnd> => {
    const end = rpc.notification("turn/completed", ({ threadId }) => threadId === thread);
    await Promise.race([rpc.request(method, { threadId: thread, ...params }), end]);
    const { turn } = await end;
    return textAt(turn as JsonObject, "status") === "completed" ? "completed" : "failed";
  };
  return {
    startThread: async ({ instructions, config }) => {
      const started = await rpc.request("thread/start", {
        cwd: work,
        ephemeral: true,
        environments: [],
        config,
        ...(instructions === undefined ? {} : { baseInstructions: instructions }),
      });
      return textAt(objectAt(started, "thread"), "id");
    },
    inject: async (thread, items) => {
      if (items.length > 0) await rpc.request("thread/inject_items", { threadId: thread, items });
    },
    turn: (thread, text) => untilTurnEnds(thread, "turn/start", { input: [{ type: "text", text, text_elements: [] }] }),
    compact: (thread) => untilTurnEnds(thread, "thread/compact/start", {}),
    leave: async (thread) => void (await rpc.request("thread/unsubscribe", { threadId: thread })),
    isRunning: () => isRunning(child),
    stop: () => stopProgram(child),
  };
}

/** A session with nothing in it but what it is told: no context messages, plugins, telemetry or updates. */
const configToml = (port: number): string => `model = "conformance-model"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false
web_search = "disabled"
tool_output_token_limit = 100000000
include_permissions_instructions = false
include_environment_context = false
include_apps_instructions = false
include_collaboration_mode_instructions = false
[analytics]
enabled = false
[feedback]
enabled = false
[otel]
exporter = "none"
trace_exporter = "none"
metrics_exporter = "none"
log_user_prompt = false
[history]
persistence = "none"
[skills]
include_instructions = false
[skills.bundled]
enabled = false
[features]
enable_request_compression = false
plugins = false
remote_plugin = false
apps = false
shell_snapshot = false
skill_search = false
memories = false
hooks = false
in_app_updates = false
goals = false
multi_agent = false
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0
stream_idle_timeout_ms = 3600000
supports_websockets = false
`;
