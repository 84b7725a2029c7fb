/** The digest and the length of a request body, without reading again what earlier bodies held. */
import { type JsonObject, type JsonValue, sha256 } from "../json.ts";

export interface BodyMeasure {
  /**
   * SHA-256, in hex, of `[body, digests]` as JSON: the body with its lists emptied, and by the name of each list the
   * SHA-256 of every item's JSON. Equal bodies, and no others, have equal ones.
   */
  readonly sha256: string;
  /** Of the body's JSON in UTF-8. */
  readonly bytes: number;
}

/** Measures a body. The items of its lists are kept measured for as long as they live: the requests of a session share most messages. */
export function measureBody(body: JsonObject): BodyMeasure {
  const fields = Object.entries(body);
  const lists = fields.flatMap(([name, value]) => (isList(value) ? [[name, value.map(measureItem)] as const] : []));
  const outline = JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, isList(value) ? [] : value])));
  const digests = Object.fromEntries(lists.map(([name, items]) => [name, items.map((item) => item.sha256)]));
  const listBytes = lists.map(([, items]) =>
    items.reduce((sum, item) => sum + item.bytes, Math.max(0, items.length - 1)),
  );
  return {
    sha256: sha256(`[${outline},${JSON.stringify(digests)}]`),
    bytes: listBytes.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(outline)),
  };
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

const known = new WeakMap<object, BodyMeasure>();

function measureItem(item: JsonValue): BodyMeasure {
  const kept = isObject(item) ? known.get(item) : undefined;
  if (kept !== undefined) return kept;
  const json = JSON.stringify(item);
  const measure = { sha256: sha256(json), bytes: Buffer.byteLength(json) };
  if (isObject(item)) known.set(item, measure);
  return measure;
}

const isObject = (value: JsonValue): value is Exclude<JsonValue, null | boolean | number | string> =>
  typeof value === "object" && value !== null;
