/** The real programs that arms ask: each starts when it is first needed, lives through one thing at a time, and ends with this process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompactionRefusedError, ContextOverflowError } from "../../harness/errors.ts";
import { canonicalJson, type JsonObject } from "../../harness/json.ts";
import type { ModelReply } from "../../harness/models/model.ts";
import type { EndpointAnswer } from "./endpoint.ts";

/** Does one thing after the other. */
export function queue(): <Result>(thing: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (thing) => {
    const result = last.then(thing);
    last = result.catch(() => undefined);
    return result;
  };
}

/** A program that was started, with what it needs around it. */
interface Started {
  readonly program: { isRunning(): boolean };
}

/** Starts what a key stands for once, and again where it has ended by itself, in a temporary folder that goes when this process ends. */
export function startOnce<Running extends Started>(
  name: string,
  start: (key: string, folder: string) => Promise<Running>,
): (key: string) => Promise<Running> {
  const started = new Map<string, Promise<Running>>();
  const startIn = (key: string): Promise<Running> => {
    const running = start(key, temporaryFolder(name));
    started.set(key, running);
    running.catch(() => started.delete(key));
    return running;
  };
  return async (key) => {
    const known = await started.get(key);
    return known?.program.isRunning() ? known : await startIn(key);
  };
}

/** A folder outside every repository that goes when this process ends. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `closed-book-${name}-`));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/**
 * Hands a program's request for a summary to the run's model and its reply back. A request that a program sends again is
 * not asked again. What stops the run cannot be told to a program: it is kept, and `check` throws it once the program has
 * given up.
 */
export function relay(complete: (request: JsonObject) => Promise<ModelReply>): {
  answer(request: JsonObject): Promise<EndpointAnswer>;
  check(): void;
} {
  let stopped: { readonly by: unknown } | undefined;
  const asked = new Map<string, Promise<EndpointAnswer>>();
  const ask = async (request: JsonObject): Promise<EndpointAnswer> => {
    if (stopped !== undefined) return { kind: "refusal" };
    try {
      return { kind: "text", text: (await complete(request)).text };
    } catch (error) {
      if (error instanceof ContextOverflowError) return { kind: "overflow" };
      stopped = { by: error };
      return { kind: "refusal" };
    }
  };
  return {
    answer: (request) => {
      const key = canonicalJson(request);
      const answer = asked.get(key) ?? ask(request);
      asked.set(key, answer);
      return answer;
    },
    check: () => {
      if (stopped !== undefined) throw stopped.by;
    },
  };
}

/** A program compacts by itself by the usage of turns that it ran, and here it runs none. */
export function refuseAutomatic(trigger: "forced" | "automatic", id: string): void {
  if (trigger === "automatic")
    throw new CompactionRefusedError(
      `${id}: the real program compacts here when it is asked to. Run it without --trigger automatic.`,
    );
}
