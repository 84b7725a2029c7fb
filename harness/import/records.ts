/** This project's own format: records as JSONL, or `{"records":[…],"cuts":[…]}`. They are taken as they are, ids too. */
import { type ChainRecord, recordSchema } from "../chain/record.ts";
import { ArtifactError } from "../errors.ts";
import { documentPieces } from "./document.ts";
import { type Entry, type History, skipped, stored } from "./entry.ts";
import type { Findings } from "./findings.ts";
import { callArguments, isObject, parseJson } from "./json-value.ts";
import { jsonLines } from "./jsonl.ts";
import type { Source } from "./source.ts";

/** One entry a line. */
export function* readRecordLines(source: Source, _history: History, findings: Findings): Generator<Entry> {
  const ids = new Set<string>();
  for (const line of jsonLines(source, findings))
    yield line.kind === "other" ? line.entry : recordEntry(`L${line.number}`, line.value, ids);
}

/** One entry a record. Cuts in the document are left out: an imported chain is cut at 40, 70 and 100 % of its records. */
export function* readRecordDocument(source: Source, _history: History, findings: Findings): Generator<Entry> {
  const ids = new Set<string>();
  for (const piece of documentPieces(source, ["records"])) {
    if (piece.kind === "field") {
      if (piece.key === "cuts")
        findings.notes.add("The file has cuts of its own; they are not used. Give it to run --chain to use them.");
      continue;
    }
    const parsed = parseJson(piece.text);
    if (!parsed.ok)
      throw new ArtifactError(source.path, `record ${piece.index + 1} is not JSON. Write the file again.`);
    yield recordEntry(`M${piece.index + 1}`, parsed.value, ids);
  }
}

function recordEntry(place: string, value: unknown, ids: Set<string>): Entry {
  const record = checkedRecord(value);
  if (record === undefined) return skipped("malformed record");
  if (ids.has(record.id)) return skipped("record with the id of an earlier one");
  ids.add(record.id);
  return stored(place, [{ kind: "record", record }]);
}

function checkedRecord(value: unknown): ChainRecord | undefined {
  // Arguments that are nested too deep would exhaust the stack of the schema.
  if (isObject(value) && isObject(value["args"]) && callArguments(value["args"]) !== value["args"]) return undefined;
  const parsed = recordSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
