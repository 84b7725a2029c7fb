/** A model's reply to a sheet, as the values it reports. Every kind of reply has a label, and none is counted silently as wrong. */
import type { ModelReply } from "../models/model.ts";
import { type ScannedObject, scanObjects } from "./objects.ts";

/** What can be odd about an answer that is read all the same. Where several apply, the first one in this order is the label. */
export const usableLabels = [
  /** Back-ticks or quotes around a reported value: it is not the value that was asked, so it misses. */
  "wrapped",
  /** `appeared` twice in the object: the last one counts. */
  "duplicate-keys",
  /** More than one code fence: the first object with `appeared` counts. */
  "two-fences",
  /** A code fence inside a JSON string, which is part of that string and of nothing else. */
  "fence-in-string",
  /** The object in a code fence. */
  "fenced",
  /** Text around the object. */
  "prose-around",
  /** White space around a reported value, which is trimmed. */
  "padded",
  "clean",
] as const;

/** Why a reply holds no answer: no targets are hit, and they stay in the denominator. */
export const unusableLabels = [
  /** The provider or the model refused. */
  "refusal",
  /** No text: the output limit was reached before there was any. */
  "cut-empty",
  /** No text: a tool was called instead. */
  "call-only",
  /** No text: the reply is all reasoning. */
  "reasoning-only",
  /** No text, and nothing that explains it. */
  "empty",
  /** An array of values instead of an object. */
  "array",
  /** The JSON ends too soon. */
  "truncated",
  /** A raw line break, or another raw control character, in a JSON string. */
  "raw-newline",
  /** Objects, but none whose `appeared` is an array. */
  "other-object",
  /** JSON that is broken in another way. */
  "malformed",
  /** Text without any JSON. */
  "prose-only",
] as const;

export type UsableLabel = (typeof usableLabels)[number];
export type UnusableLabel = (typeof unusableLabels)[number];

/** A parsed reply. Only a usable one reports anything. */
export type Answer =
  | { readonly label: UsableLabel; readonly reported: readonly string[] }
  | { readonly label: UnusableLabel };

/**
 * The answer in a reply: from each `{` on, left to right, one JSON value is decoded, trailing text allowed, and the first
 * that is an object whose `appeared` is an array counts. `reported` holds its items once each, trimmed; a number, boolean or
 * null reports its JSON text (42 reports "42"), a list "[…]" and an object "{…}". Never throws; linear in the text.
 *
 * Source: futuregene/future-os, answer parsing of the closed-book probe. The labels are this project's.
 */
export function parseAnswer(reply: ModelReply): Answer {
  const { text } = reply;
  if (reply.finish === "refusal") return { label: "refusal" };
  if (text.trim() === "") return { label: emptyLabel(reply) };
  const objects = scanObjects(text);
  for (const [start, object] of objects)
    if (object.kind === "object" && object.listsAppeared) return answerIn(text, start, object);
  const bare = text.replaceAll(/```\w*/g, "").trim();
  if (objects.size > 0 && !isArray(bare)) return { label: brokenLabel(objects) };
  return { label: bracelessLabel(bare) };
}

function emptyLabel({ finish, calls, reasoningChars }: ModelReply): UnusableLabel {
  if (finish === "length") return "cut-empty";
  if (calls.length > 0) return "call-only";
  return (reasoningChars ?? 0) > 0 ? "reasoning-only" : "empty";
}

function answerIn(text: string, start: number, object: Extract<ScannedObject, { kind: "object" }>): Answer {
  const json = text.slice(start, object.end);
  const { appeared } = JSON.parse(json) as { readonly appeared: readonly unknown[] };
  const items = appeared.map(stringForm);
  const reported = [...new Set(items.map((item) => item.trim()))];
  const around = text.slice(0, start) + text.slice(object.end);
  const fences = around.split("```").length - 1;
  const applies: Readonly<Record<UsableLabel, boolean>> = {
    wrapped: reported.some((item) => unwrapped(item) !== undefined),
    "duplicate-keys": object.appearedKeys > 1,
    "two-fences": fences > 2,
    "fence-in-string": json.includes("```"),
    fenced: fences > 0,
    "prose-around": around.trim() !== "",
    padded: items.some((item) => item !== item.trim()),
    clean: true,
  };
  return { label: usableLabels.find((label) => applies[label]) ?? "clean", reported };
}

function stringForm(item: unknown): string {
  if (typeof item === "object" && item !== null) return Array.isArray(item) ? "[…]" : "{…}";
  return String(item);
}

const wrappers = ["`", '"', "'", "“”", "‘’", "「」", "『』", "«»"];

/** What stands between the back-ticks or quotes around a reported value, or undefined where there are none. */
export function unwrapped(reported: string): string | undefined {
  const wrapper = wrappers.find((pair) => reported.startsWith(pair.charAt(0)) && reported.endsWith(pair.slice(-1)));
  if (wrapper === undefined || reported.length < 3) return undefined;
  let from = 0;
  let to = reported.length;
  while (to - from > 2 && reported[from] === wrapper.charAt(0) && reported[to - 1] === wrapper.slice(-1)) {
    from++;
    to--;
  }
  return reported.slice(from, to).trim();
}

/** The fault of the first object that is not merely a brace in prose; objects inside one that was read are passed over. */
function brokenLabel(objects: ReadonlyMap<number, ScannedObject>): UnusableLabel {
  let label: UnusableLabel = "malformed";
  let read = 0;
  for (const [start, object] of objects) {
    if (start < read) continue;
    read = object.end;
    if (object.kind === "object") label = "other-object";
    else if (object.fault === "cut") return "truncated";
    else if (object.fault === "control") return "raw-newline";
  }
  return label;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const isArray = (text: string): boolean => text.startsWith("[") && Array.isArray(parsed(text));

/** For text without an object. A reference such as [1] in prose is no answer, so an array has nothing around it or holds a string. */
function bracelessLabel(bare: string): UnusableLabel {
  const start = bare.indexOf("[");
  const items = start < 0 ? undefined : parsed(bare.slice(start, bare.lastIndexOf("]") + 1));
  if (Array.isArray(items) && (start === 0 || items.some((item) => typeof item === "string"))) return "array";
  if (start !== 0) return "prose-only";
  return bare.endsWith("]") ? "malformed" : "truncated";
}
