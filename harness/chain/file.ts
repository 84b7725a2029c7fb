/**
 * Chains from files: JSON `{"records":[…],"cuts":[…]}` or JSONL, one record a line, with the cuts given apart. The
 * record format is the original experiment's (see the README, "Your own chains").
 */
import { basename, extname } from "node:path";
import * as z from "zod";
import { ArtifactError } from "../errors.ts";
import { readTextFile } from "../text-file.ts";
import { recordLine } from "./digest.ts";
import { type Chain, type ChainRecord, recordSchema } from "./record.ts";

/** Reads a chain from a file. `cuts` win over the file's own. Throws ArtifactError, naming file, record and next step. */
export function readChainFile(path: string, cuts?: readonly number[]): Chain {
  return parseChain(path, readTextFile(path, "a chain as JSON or JSONL"), cuts);
}

/** The records of a chain, one a line, as `readChainFile` reads them back. */
export const chainToJsonl = (chain: Chain): string => chain.records.map((record) => `${recordLine(record)}\n`).join("");

/**
 * A chain from the text of a file at `path`, named after it without its extension. Line ends may be CRLF, blank lines
 * and a byte order mark are skipped. Whether the cuts are safe is left to the schedule. Throws ArtifactError.
 */
export function parseChain(path: string, text: string, cuts?: readonly number[]): Chain {
  const entries = entriesOf(path, text.startsWith("\ufeff") ? text.slice(1) : text);
  const records = checkedRecords(path, entries.records);
  const ends = checkedCuts(path, cuts ?? entries.cuts);
  return { name: basename(path, extname(path)), group: "file", records, cuts: { kind: "exact", ends } };
}

/** A value that should become a record, and how a message about it calls its place in the file. */
interface Entry {
  readonly place: string;
  readonly value: unknown;
}

interface Entries {
  readonly records: readonly Entry[];
  readonly cuts: unknown;
}

const forms = 'Write {"records":[…],"cuts":[…]} or one record a line';

/** A text that is one JSON object is a chain, or the only record of one; any other is JSONL. */
function entriesOf(path: string, text: string): Entries {
  if (text.trim() === "") throw new ArtifactError(path, `is empty. ${forms}.`);
  const whole = parsed(text);
  if (whole.ok) {
    if (isObject(whole.value) && "records" in whole.value) return chainEntries(path, whole.value);
    if (isObject(whole.value) && "kind" in whole.value)
      return { records: [{ place: "record 1", value: whole.value }], cuts: undefined };
    throw new ArtifactError(path, `holds no records. ${forms}.`);
  }
  const records: Entry[] = [];
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "") return;
    const record = parsed(line);
    if (record.ok) records.push({ place: `line ${index + 1}`, value: record.value });
    else if (records.length > 0) throw notJson(path, index + 1, record.cause);
    else throw notJson(path, lineOfFailure(text, whole.cause) ?? index + 1, whole.cause);
  });
  return { records, cuts: undefined };
}

function chainEntries(path: string, chain: { readonly records?: unknown; readonly cuts?: unknown }): Entries {
  if (!Array.isArray(chain.records)) throw new ArtifactError(path, `"records" is not a list. ${forms}.`);
  const records = chain.records.map((value: unknown, index): Entry => ({ place: `record ${index + 1}`, value }));
  return { records, cuts: chain.cuts };
}

const notJson = (path: string, line: number, cause: unknown): ArtifactError =>
  new ArtifactError(path, `line ${line} is not JSON. ${forms}.`, { cause });

/** The line of a JSON error, where the engine says at which position it is. */
function lineOfFailure(text: string, cause: unknown): number | undefined {
  const position = /at position (\d+)/.exec(cause instanceof Error ? cause.message : "")?.[1];
  return position === undefined ? undefined : text.slice(0, Number(position)).split("\n").length;
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly cause: unknown };

function parsed(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (cause) {
    return { ok: false, cause };
  }
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const kinds = recordSchema.options.map(({ shape }) => shape.kind.value);

function checkedRecords(path: string, entries: readonly Entry[]): ChainRecord[] {
  if (entries.length === 0) throw new ArtifactError(path, `has no records. ${forms}.`);
  const places = new Map<string, string>();
  return entries.map(({ place, value }) => {
    const record = checkedRecord(path, place, value);
    const earlier = places.get(record.id);
    if (earlier !== undefined)
      throw new ArtifactError(
        path,
        `${place} has the id ${JSON.stringify(record.id)} of ${earlier}. Give every record an id of its own.`,
      );
    places.set(record.id, place);
    return record;
  });
}

function checkedRecord(path: string, place: string, value: unknown): ChainRecord {
  if (!isObject(value)) throw new ArtifactError(path, `${place} is not a record. ${forms}.`);
  const { id, kind } = value;
  if (typeof id !== "string" || id === "")
    throw new ArtifactError(path, `${place} has no id. Give every record an id, a text of its own.`);
  const at = `${place} (id ${JSON.stringify(id)})`;
  if (!kinds.some((known) => known === kind)) {
    const said = kind === undefined ? "has no kind" : `is of the unknown kind ${JSON.stringify(kind)}`;
    throw new ArtifactError(path, `${at} ${said}. Kinds: ${kinds.join(", ")}.`);
  }
  const result = recordSchema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  const reason = (issue?.message ?? "").replace(/^Invalid input: /, "").replaceAll(/\s+/g, " ");
  throw new ArtifactError(path, `${at} has a bad "${field}": ${reason}. Correct it.`);
}

function checkedCuts(path: string, cuts: unknown): number[] {
  const hint = "Give the record counts after which a sheet is asked, as in --cuts 28,112,224";
  if (cuts === undefined) throw new ArtifactError(path, `has no cuts. ${hint}.`);
  const result = z.array(z.int().positive()).min(1).safeParse(cuts);
  if (!result.success) {
    const given = Array.isArray(cuts) && cuts.length > 0 ? cuts.join(", ") : JSON.stringify(cuts);
    throw new ArtifactError(path, `cuts have to be whole numbers above 0, but they are ${given}. ${hint}.`);
  }
  if (result.data.some((cut, index) => cut <= (result.data[index - 1] ?? 0)))
    throw new ArtifactError(path, `cuts have to increase, but they are ${result.data.join(", ")}. ${hint}.`);
  return result.data;
}
