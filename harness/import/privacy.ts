/** What keeps imported sessions private: where they may lie, and what may be sent. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { UsageError } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";

/** The folder of imported chains and of runs on them: `given`, or `closed-book` in the XDG data home. */
export function dataFolder(given: string | undefined, environment: NodeJS.ProcessEnv = process.env): string {
  if (given !== undefined) return resolve(given);
  const dataHome = environment["XDG_DATA_HOME"] ?? "";
  return join(isAbsolute(dataHome) ? dataHome : join(homedir(), ".local", "share"), "closed-book");
}

/** Where a data folder keeps imported chains, and runs that include one. */
export const importsFolder = (data: string): string => join(data, "imports");
export const privateResultsFolder = (data: string): string => join(data, "results");

const othersBits = 0o077;

/**
 * Makes a folder that only its owner can read, with whatever is missing above it. Throws UsageError where it exists and
 * others can read it: what somebody else set up is not changed behind their back.
 */
export function privateFolder(path: string): void {
  makeFolder(path, 0o700);
  if (process.platform === "win32") return;
  const mode = statSync(path).mode & 0o777;
  if ((mode & othersBits) !== 0)
    throw new UsageError(
      `${path}: others can read this folder (mode ${mode.toString(8)}), but sessions are private. Give a folder that does not exist yet, or take their rights away (chmod 700).`,
    );
}

/** The git work tree that a path is in, or would be in once it exists; undefined outside of any. Links are followed. */
export function insideGitWorkTree(path: string): string | undefined {
  let folder = resolve(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  folder = realpathSync(folder);
  for (;;) {
    if (existsSync(join(folder, ".git"))) return folder;
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
}

/** Throws UsageError where private files would come to lie in a git work tree without the user's word for it. */
export function refuseWorkTree(path: string, what: string, allowRepo: boolean): void {
  const tree = allowRepo ? undefined : insideGitWorkTree(path);
  if (tree === undefined) return;
  throw new UsageError(
    `${path}: lies in the git work tree ${tree}, where ${what} could be committed. Give a folder outside of it, or --allow-repo if that is meant.`,
  );
}

/** A run as far as privacy is concerned. */
export interface PrivateRun {
  /** Names of its chains that were imported. */
  readonly imported: readonly string[];
  readonly resultsFolder: string;
  /** Whether the model is asked over a network. */
  readonly remoteModel: string | undefined;
  readonly allowRepo: boolean;
  readonly yesSend: boolean;
}

/**
 * Throws UsageError for a run that includes an imported chain and would write into a git work tree without --allow-repo,
 * or call a remote model without --yes-send. A run without imported chains may do both.
 */
export function refuseUnsafeRun({ imported, resultsFolder, remoteModel, allowRepo, yesSend }: PrivateRun): void {
  const [first] = imported;
  if (first === undefined) return;
  refuseWorkTree(resultsFolder, `a run on your session "${first}"`, allowRepo);
  refuseUnagreedSend(imported, remoteModel, yesSend);
}

/** Throws UsageError where imported sessions would be sent to a remote model without --yes-send. */
export function refuseUnagreedSend(
  imported: readonly string[],
  remoteModel: string | undefined,
  yesSend: boolean,
): void {
  const [first] = imported;
  if (first === undefined || remoteModel === undefined || yesSend) return;
  const others = imported.length === 1 ? "" : ` and ${imported.length - 1} more`;
  throw new UsageError(
    `Chain "${first}"${others} is your own session, and the model "${remoteModel}" is asked over a network. Give --yes-send to send it, redacted unless --no-redact; images are never sent.`,
  );
}
