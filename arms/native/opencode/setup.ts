/** What OpenCode starts with: a home of its own, a provider that is the endpoint, and a folder for every compaction setting. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../../harness/json.ts";

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

/** Where the program runs, with which environment, and the folder of every compaction setting, by `settingsKey`. */
export interface Home {
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
  readonly folders: ReadonlyMap<string, string>;
}

export const settingsKey = (compaction: JsonObject): string => JSON.stringify(compaction);

/** Writes it all below `folder`. `version` is the release's, `port` the endpoint's. */
export function writeHome(folder: string, version: string, port: number, setups: readonly OpenCodeSetup[]): Home {
  const home = join(folder, "home");
  const configFolder = join(home, ".config/opencode");
  mkdirSync(join(configFolder, "node_modules"), { recursive: true });
  // The program installs its plugin package there unless it seems to be there already.
  const dependencies = { "@opencode-ai/plugin": version };
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
    const key = settingsKey(compaction);
    if (folders.has(key)) continue;
    const own = join(work, String(folders.size));
    mkdirSync(own, { recursive: true });
    if (key !== "{}") writeFileSync(join(own, "opencode.json"), JSON.stringify({ compaction }));
    folders.set(key, own);
  }
  const env = {
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
  };
  return { work, env, folders };
}

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

export const modelName = ({ context, output, input }: ModelLimits): string =>
  `m-${context}-${output}-${input ?? "none"}`;

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
        options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "none", timeout: false },
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
