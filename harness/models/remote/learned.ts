/**
 * Parameters that a model refuses, found out once. A refusal costs nothing; the provider changes the parameter, says so,
 * and the same request is sent again at once. What `encode` returns never changes: the lesson is applied while sending, so
 * that the digest of a request is the same before and after.
 */
import type { JsonObject, JsonValue } from "../../json.ts";

/** What becomes of a refused parameter. */
export type Change =
  | { readonly kind: "renamed"; readonly to: string }
  | { readonly kind: "set"; readonly to: JsonValue }
  | { readonly kind: "left out" };

/** By parameter: as JSON part of what a run records. */
export type Learned = { readonly [parameter: string]: Change };

/** One thing learnt. */
export interface Lesson {
  readonly parameter: string;
  readonly change: Change;
}

/** A body as it is sent: parameters renamed, set or left out where they stand. */
export function applied(body: JsonObject, learned: Learned): JsonObject {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]): [string, JsonValue][] => {
      const change = learned[name];
      if (change === undefined) return [[name, value]];
      if (change.kind === "left out") return [];
      return change.kind === "renamed" ? [[change.to, value]] : [[name, change.to]];
    }),
  );
}

export interface Memory {
  learned(): Learned;
  /**
   * The change after a refusal of `parameter` by a request that was sent under `used`: the next one of its ladder, or the
   * one that another request has brought about meanwhile. Undefined where nothing is left to try.
   */
  learn(parameter: string, used: Learned): Change | undefined;
}

/** A memory that starts with what is already known. `ladders`: what may be tried for each parameter, in order. */
export function createMemory(
  ladders: { readonly [parameter: string]: readonly Change[] },
  known: Learned,
  onLesson: (lesson: Lesson) => void,
): Memory {
  const learned = new Map(Object.entries(known));
  const same = (left: Change | undefined, right: Change | undefined): boolean =>
    JSON.stringify(left) === JSON.stringify(right);
  return {
    learned: () => Object.fromEntries(learned),
    learn: (parameter, used) => {
      const current = learned.get(parameter);
      if (current !== undefined && !same(current, used[parameter])) return current;
      const ladder = ladders[parameter] ?? [];
      const change = ladder[ladder.findIndex((step) => same(step, current)) + 1];
      if (change === undefined) return undefined;
      learned.set(parameter, change);
      onLesson({ parameter, change });
      return change;
    },
  };
}

/** A change in words, as in `"max_tokens" is sent as "max_completion_tokens"`. */
export function changeText({ parameter, change }: Lesson): string {
  if (change.kind === "left out") return `"${parameter}" is left out`;
  return change.kind === "renamed"
    ? `"${parameter}" is sent as "${change.to}"`
    : `"${parameter}" is sent as ${JSON.stringify(change.to)}`;
}
