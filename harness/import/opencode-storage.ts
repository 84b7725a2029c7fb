/**
 * OpenCode's storage folders: a session's messages in `message/<session>/<message>.json`, their parts in
 * `part/<message>/<part>.json`; older releases have `session/info`, `session/message` and `session/part/<session>/<message>`.
 *
 * Source: sst/opencode, storage of releases 0.3 to 1.1.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ArtifactError } from "../errors.ts";
import { parseJson } from "./json-value.ts";
import { maxTextBytes } from "./lines.ts";
import type { OpenCodeSession } from "./opencode.ts";
import { unreadable } from "./source.ts";

/** Where the files of one session are. */
interface Folders {
  readonly infoFile: string | undefined;
  readonly messages: string;
  /** The folder of a message's parts. */
  readonly parts: (message: string) => string;
}

const hint =
  "Give the file of one session, storage/session/<project>/<session>.json, or its folder storage/message/<session>";

/** The session whose info file or message folder this is, or the only one of a storage folder. Throws ArtifactError otherwise. */
export function storedSession(path: string): OpenCodeSession {
  const { infoFile, messages, parts } = foldersOf(path);
  const ids = jsonNames(messages);
  if (ids.length === 0) throw new ArtifactError(path, `holds no messages of an OpenCode session. ${hint}.`);
  return {
    info: () => (infoFile === undefined ? undefined : readJson(infoFile)),
    *messages() {
      for (const [index, id] of ids.entries()) {
        const folder = parts(id);
        const files = existsSync(folder) ? jsonNames(folder) : [];
        yield {
          place: `M${index + 1}`,
          info: readJson(join(messages, `${id}.json`)),
          parts: files.map((name) => readJson(join(folder, `${name}.json`))),
        };
      }
    },
  };
}

function foldersOf(path: string): Folders {
  const whole = resolve(path);
  if (!statSync(whole).isDirectory()) return byInfoFile(whole);
  const folder = basename(whole);
  if (basename(dirname(whole)) === "message") return byRoot(dirname(dirname(whole)), folder);
  const root = ["message", "session/message"].map((name) => join(whole, name)).find((name) => existsSync(name));
  if (root === undefined) throw new ArtifactError(path, `is a folder, but not one of OpenCode's storage. ${hint}.`);
  const sessions = readdirSync(root).filter((name) => statSync(join(root, name)).isDirectory());
  const [only] = sessions;
  if (sessions.length !== 1 || only === undefined)
    throw new ArtifactError(path, `is OpenCode's storage of ${sessions.length} sessions. ${hint}.`);
  return byRoot(dirname(root), only);
}

/** `storage/session/<project>/<session>.json`, or `session/info/<session>.json` of older releases. */
function byInfoFile(file: string): Folders {
  const session = basename(file, ".json");
  const above = dirname(dirname(file));
  const root = basename(dirname(file)) === "info" ? above : dirname(above);
  return { ...byRoot(root, session), infoFile: file };
}

/** A session under the folder that has `message` and `part` in it. */
function byRoot(root: string, session: string): Folders {
  const isOld = existsSync(join(root, "part", session));
  return {
    infoFile: infoFileOf(root, session),
    messages: join(root, "message", session),
    parts: (message) => (isOld ? join(root, "part", session, message) : join(root, "part", message)),
  };
}

function infoFileOf(root: string, session: string): string | undefined {
  const projects = existsSync(join(root, "session"))
    ? readdirSync(join(root, "session")).map((project) => join(root, "session", project))
    : [];
  return [join(root, "info"), ...projects]
    .map((folder) => join(folder, `${session}.json`))
    .find((file) => existsSync(file));
}

/** Names of a folder's JSON files without the extension; ids sort by time. */
function jsonNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .sort();
}

/** The JSON of a file; undefined where it is none, which its reader counts as malformed. */
function readJson(path: string): unknown {
  try {
    if (statSync(path).size > maxTextBytes)
      throw new ArtifactError(path, "is larger than 256 MiB, so it is no session's.");
    const parsed = parseJson(readFileSync(path, "utf8"));
    return parsed.ok ? parsed.value : undefined;
  } catch (cause) {
    throw cause instanceof ArtifactError ? cause : unreadable(path, cause);
  }
}
