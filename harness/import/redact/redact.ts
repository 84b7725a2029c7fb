/** A chain with everything private replaced by stand-ins, so that it may be sent to a model that is not on this machine. */
import { chainDigest } from "../../chain/digest.ts";
import type { Chain, ChainRecord } from "../../chain/record.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import { isObject } from "../json-value.ts";
import { type PrivateKind, privateKinds, type PrivateValue, privateValuesIn } from "./private-values.ts";
import { type Replacement, replacer } from "./replacer.ts";
import { secretName, secretsIn } from "./secrets.ts";
import { type StandIns, standIns } from "./stand-in.ts";

/** For each kind how many different values were found, and how often one was replaced. */
export type RedactionCounts = Readonly<Record<PrivateKind, { readonly distinct: number; readonly replaced: number }>>;

/**
 * Secrets, home paths, e-mail addresses and host names in texts, results, arguments and paths replaced by stand-ins of
 * the same length, UTF-8 size and estimated tokens. A value gets the same stand-in wherever it stands, also where nothing
 * beside it tells that it is private. The salt is the chain's own digest: equal chains give equal results, and nobody
 * without the chain can guess a short value back. Ids and tool names stay.
 */
export async function redactChain(chain: Chain): Promise<{ chain: Chain; counts: RedactionCounts }> {
  const standIn = standIns(chainDigest(chain));
  const values = new Map<string, PrivateValue>();
  const add = (value: PrivateValue): void => {
    if (!values.has(value.value)) values.set(value.value, value);
  };
  for (const value of await secretsIn(privateTexts(chain.records))) add(value);
  for (const text of privateTexts(chain.records)) for (const value of privateValuesIn(text)) add(value);

  const replace = replacer([...values.values()].map((value) => replacementOf(value, standIn)));
  const replaced = new Map<PrivateKind, number>();
  const count = (kind: PrivateKind): void => void replaced.set(kind, (replaced.get(kind) ?? 0) + 1);
  const redaction: Redaction = { standIn, replace: (text) => replace(text, count), count };
  const records = chain.records.map((record) => redactRecord(record, redaction));
  const found = (kind: PrivateKind) => ({
    distinct: distinctTexts(values.values(), kind),
    replaced: replaced.get(kind) ?? 0,
  });
  const counts = Object.fromEntries(privateKinds.map((kind) => [kind, found(kind)])) as unknown as RedactionCounts;
  return { chain: { ...chain, records }, counts };
}

/** The same private text may be looked for in several forms. */
function distinctTexts(values: Iterable<PrivateValue>, kind: PrivateKind): number {
  const texts = new Set<string>();
  for (const value of values)
    if (value.kind === kind)
      texts.add(
        value.pieces
          .map(({ text, isPrivate }) => (isPrivate ? text : kind === "host name" && text === "." ? "." : ""))
          .join(""),
      );
  return texts.size;
}

function replacementOf({ kind, value, edges, pieces }: PrivateValue, standIn: StandIns): Replacement {
  const first = pieces.findIndex(({ isPrivate }) => isPrivate);
  const last = pieces.findLastIndex(({ isPrivate }) => isPrivate);
  const units = (some: PrivateValue["pieces"]): number => some.reduce((sum, { text }) => sum + text.length, 0);
  return {
    kind,
    value,
    edges,
    before: units(pieces.slice(0, first)),
    after: units(pieces.slice(last + 1)),
    standIn: pieces
      .slice(first, last + 1)
      .map(({ text, isPrivate }) => (isPrivate ? standIn(text) : text))
      .join(""),
  };
}

/** Every text of a chain that can hold something private; arguments as `name=value` lines, so that names tell. */
function* privateTexts(records: readonly ChainRecord[]): Generator<string> {
  for (const record of records) {
    if (record.kind !== "tool_call") yield record.text;
    else if (record.args !== undefined) yield argumentLines(record.args, "");
    if (record.kind !== "text" && typeof record.path === "string") yield record.path;
  }
}

function argumentLines(value: JsonValue, name: string): string {
  if (typeof value === "string") return name === "" ? value : `${name}=${value}`;
  if (Array.isArray(value)) return value.map((item: JsonValue) => argumentLines(item, "")).join("\n");
  if (!isObject(value)) return "";
  return Object.entries(value)
    .map(([key, item]) => argumentLines(item, key))
    .join("\n");
}

interface Redaction {
  readonly standIn: StandIns;
  readonly replace: (text: string) => string;
  readonly count: (kind: PrivateKind) => void;
}

function redactRecord(record: ChainRecord, redaction: Redaction): ChainRecord {
  if (record.kind === "text") return { ...record, text: redaction.replace(record.text) };
  const path = typeof record.path === "string" ? { path: redaction.replace(record.path) } : {};
  if (record.kind === "tool_result") return { ...record, ...path, text: redaction.replace(record.text) };
  const args = record.args === undefined ? {} : { args: redactArgs(record.args, redaction, false) as JsonObject };
  return { ...record, ...path, ...args };
}

/** A text under a telling name is a secret as a whole; keys are redacted too. */
function redactArgs(value: JsonValue, redaction: Redaction, isSecret: boolean): JsonValue {
  if (typeof value === "string") {
    const text = redaction.replace(value);
    if (!isSecret || text !== value || value.trim() === "") return text;
    redaction.count("secret");
    return redaction.standIn(value);
  }
  if (Array.isArray(value)) return value.map((item: JsonValue) => redactArgs(item, redaction, isSecret));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      redaction.replace(key),
      redactArgs(item, redaction, secretName.test(key)),
    ]),
  );
}
