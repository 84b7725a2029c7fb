/** Reading a request body: bytes to JSON to a checked shape, with refusals a provider would give. */
import { isUtf8 } from "node:buffer";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import * as z from "zod";
import type { JsonObject } from "../json.ts";
import { Refusal } from "./wire.ts";

/** The JSON of a body. Throws Refusal: 415 for an encoding that is not known, 400 for bytes that are no well-formed JSON. */
export function parseBody(bytes: Buffer, encoding: string | undefined): unknown {
  const plain = decompressed(bytes, encoding);
  if (!isUtf8(plain)) throw new Refusal(400, "The body is not valid UTF-8.");
  const text = plain.toString("utf8");
  const value = jsonIn(text);
  // Printing escapes exactly those surrogates that stand alone.
  if ((text.includes("\\ud") || text.includes("\\uD")) && loneSurrogate.test(JSON.stringify(value)))
    throw new Refusal(400, "The body holds a lone surrogate, which is no valid Unicode.");
  return value;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal(400, "The body is not valid JSON.");
  }
}

const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

function decompressed(bytes: Buffer, encoding = "identity"): Buffer {
  try {
    switch (encoding) {
      case "identity":
        return bytes;
      case "gzip":
        return gunzipSync(bytes);
      case "deflate":
        return inflateSync(bytes);
      case "br":
        return brotliDecompressSync(bytes);
    }
  } catch {
    throw new Refusal(400, `The body is not valid ${encoding}.`);
  }
  throw new Refusal(415, `Content encoding "${encoding}" is not known here. Send gzip, deflate, br or none.`);
}

/** A value as a schema has it, standing at `base` in the body. Throws Refusal (400) that names the first place where it is not. */
export function checked<Shape>(schema: z.ZodType<Shape>, body: unknown, base: readonly PropertyKey[] = []): Shape {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = deepest(parsed.error.issues);
  const param = pathText([...base, ...(issue?.path ?? [])]);
  const reason = (issue?.message ?? "invalid").replace(/^Invalid input: /, "");
  if (param === "") throw new Refusal(400, `The body is wrong: ${reason}.`);
  throw new Refusal(400, `${param}: ${reason}.`, { param });
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The issue that says most: within a union, the one of the branch that got furthest. */
function deepest(issues: readonly z.core.$ZodIssue[], base: readonly PropertyKey[] = []): Issue | undefined {
  const [issue] = issues;
  if (issue === undefined) return undefined;
  const path = [...base, ...issue.path];
  const inner = issue.code === "invalid_union" ? issue.errors.map((branch) => deepest(branch, path)) : [];
  return inner.reduce<Issue | undefined>(
    (best, one) => (one !== undefined && one.path.length > (best?.path.length ?? 0) ? one : best),
    { path, message: issue.message },
  );
}

/** `messages[3].role` */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.map((step, at) => (typeof step === "number" ? `[${step}]` : `${at > 0 ? "." : ""}${String(step)}`)).join("");

/** Any JSON object, not copied. */
export const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { error: "expected an object" },
);

/** A limit of output tokens. */
export const outputLimit = z.int().positive().nullish();
