/** What a provider would refuse in a body, and where. Nothing here is shared with the encodings that are checked. */
import { textTokens } from "../../chain/tokens.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import { isObject } from "../session-shape.ts";

/** One reason for a refusal. */
export interface Finding {
  /** Where in the body, as in `messages[3].content`; "" for the body itself. */
  readonly path: string;
  readonly problem: string;
}

/** Notes a finding. */
export type Report = (path: string, problem: string) => void;

interface Size {
  /** Of the body on the wire. */
  readonly bytes: number;
  readonly windowTokens: number;
}

/** What is wrong with a body in its form. */
export type Validate = (body: JsonObject, size: Size) => readonly Finding[];

export const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** No character but white space, of any kind that a server strips. */
export const isBlank = (text: string): boolean => text.trim() === "" || /^[\s\u001c-\u001f\u0085]*$/.test(text);

/** A validator from one that reports; the same findings in the same order for equal bodies. */
export const collected =
  (look: (body: JsonObject, size: Size, report: Report) => void): Validate =>
  (body, size) => {
    const findings: Finding[] = [];
    look(body, size, (path, problem) => void findings.push({ path, problem }));
    return findings;
  };

/** What a parameter has to be. */
type Kind = "text" | "whole number" | "number" | "flag" | "object" | "list" | "text or list" | "text or object";
/** Parameters of an API by name. */
export type Parameters = { readonly [name: string]: Kind };

const isOfKind: { readonly [Name in Kind]: (value: JsonValue) => boolean } = {
  text: (value) => typeof value === "string",
  "whole number": (value) => Number.isSafeInteger(value) && Number(value) > 0,
  number: (value) => typeof value === "number" && Number.isFinite(value),
  flag: (value) => typeof value === "boolean",
  object: isObject,
  list: isList,
  "text or list": (value) => typeof value === "string" || isList(value),
  "text or object": (value) => typeof value === "string" || isObject(value),
};

/** Reports parameters that the API does not know, has of another kind, or misses. */
export function checkParameters(
  body: JsonObject,
  known: Parameters,
  required: readonly string[],
  report: Report,
): void {
  for (const [name, value] of Object.entries(body)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) report(name, "is no parameter of this API");
    else if (value !== null && !isOfKind[kind](value)) report(name, `is no ${kind}`);
  }
  for (const name of required) if (!(name in body)) report(name, "is missing");
}

/** Reports texts and keys that hold a lone surrogate, and texts longer than a limit. */
export function checkTexts(value: JsonValue, path: string, mostChars: number, report: Report): void {
  if (typeof value === "string") {
    if (!value.isWellFormed()) report(path, "holds a lone surrogate, which is no valid Unicode");
    if (value.length > mostChars) report(path, `has ${value.length} characters, and ${mostChars} are the most`);
  } else if (isList(value)) value.forEach((item, at) => checkTexts(item, `${path}[${at}]`, mostChars, report));
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) {
      if (!key.isWellFormed()) report(path, "has a key that is no valid Unicode");
      checkTexts(item, path === "" ? key : `${path}.${key}`, mostChars, report);
    }
}

/** Reports an input that does not fit the window beside the output that it asks for. `input`: everything a model reads. */
export function checkWindow(
  input: JsonValue,
  outputTokens: JsonValue | undefined,
  windowTokens: number,
  report: Report,
): void {
  const inputTokens = textsTokens(input);
  const output = typeof outputTokens === "number" ? outputTokens : 0;
  if (inputTokens + output > windowTokens)
    report("", `holds about ${inputTokens} tokens and asks for ${output}, and the window has ${windowTokens}`);
}

/** Estimated tokens of every text in a value. */
function textsTokens(value: JsonValue): number {
  if (typeof value === "string") return textTokens(value);
  if (value === null || typeof value !== "object") return 0;
  const items: readonly JsonValue[] = isList(value) ? value : Object.values(value);
  return items.reduce((sum: number, item) => sum + textsTokens(item), 0);
}
