/** What one tool call leaves: the call, its result, what it showed, and how to announce it. */
import type { JsonObject } from "../../../../json.ts";
import type { Bilingual } from "../story.ts";
import type { World } from "../world.ts";

export type FactKind =
  | "listed"
  | "read"
  | "absent"
  | "found"
  | "edited"
  | "missed"
  | "wrote"
  | "covered"
  | "passed"
  | "failed"
  | "mended"
  | "linted"
  | "clean"
  | "crashed"
  | "logged"
  | "measured"
  | "counted"
  | "built"
  | "committed"
  | "reviewed"
  | "history"
  | "diffed";

/** Something that a result showed; the values are slots of the sentences about it, those ending in `Zh` for Chinese ones. */
export interface Fact {
  readonly kind: FactKind;
  readonly values: { readonly [slot: string]: string };
}

export interface Act {
  readonly tool: "read" | "write" | "edit" | "shell";
  readonly args: JsonObject;
  readonly text: string;
  readonly error: boolean;
  readonly facts: readonly Fact[];
  /** Completes "next I …". */
  readonly aim: Bilingual;
}

/** Performs an act in the world; its result aims at `chars` characters where its kind can be stretched. */
export type Perform = (world: World, chars: number) => Act;

interface ShellRest {
  readonly facts: readonly Fact[];
  readonly aim: Bilingual;
  readonly error?: boolean;
  /** Slow commands carry one. */
  readonly timeoutMs?: number;
}

export function shell(command: string, text: string, { facts, aim, error = false, timeoutMs }: ShellRest): Act {
  const args = timeoutMs === undefined ? { command } : { command, timeout: timeoutMs };
  return { tool: "shell", args, text, error, facts, aim };
}

/** Lets time pass as a person and a machine at work would. */
export function wait(world: World, fromSeconds: number, toSeconds: number): void {
  world.clock.nowMs += world.random.range(fromSeconds * 1000, toSeconds * 1000);
}

/** Bytes the way tools print them, in a unit that the exam knows. */
export const bytesText = (bytes: number): string =>
  bytes >= 1_048_576 ? `${(bytes / 1_048_576).toFixed(1)} MiB` : `${(bytes / 1000).toFixed(1)} KB`;

/** A test's name as prose shows it. */
export const quoted = (name: string): string => (name.includes(" ") ? `"${name}"` : `\`${name}\``);

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
