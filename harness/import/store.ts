/** Imported chains on the disk: a private folder each, with the records as JSONL and the report. */
import { createHash, randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod";
import { recordLine } from "../chain/digest.ts";
import { parseChain } from "../chain/file.ts";
import type { Chain, ChainRecord } from "../chain/record.ts";
import { ArtifactError, UsageError } from "../errors.ts";
import { privateFolder } from "./privacy.ts";
import type { RedactionCounts } from "./redact/redact.ts";
import type { ImportReport } from "./report.ts";

const recordsFile = "records.jsonl";
const reportFile = "import.json";

/** What an import leaves beside its records. */
export interface ImportFile {
  readonly name: string;
  /** Of the chain: its records and its cuts. */
  readonly sha256: string;
  /** Scored cuts as record counts, at safe endpoints. */
  readonly cuts: readonly number[];
  /** What was replaced, where the stored chain is redacted. */
  readonly redaction: RedactionCounts | undefined;
  readonly report: ImportReport;
}

/** A chain to be stored; `end` is asked for after its last record. */
export interface StorableChain {
  readonly format: string;
  readonly records: Iterable<ChainRecord>;
  readonly end: () => Pick<ImportFile, "cuts" | "redaction" | "report">;
}

export interface StoredImport extends ImportFile {
  /** The import's own folder. */
  readonly path: string;
  /** Whether the same import was there before. */
  readonly existed: boolean;
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * Stores a chain under `folder`, as `name` or as its format and the beginning of its digest, so that a name tells nothing.
 * One record is in memory at a time. Whole or not at all: an import that fails leaves nothing. Throws UsageError for a name
 * that is no folder's, ArtifactError where another import has it.
 */
export function storeImport(folder: string, chain: StorableChain, name?: string): StoredImport {
  if (name !== undefined && !namePattern.test(name))
    throw new UsageError(
      `--name is "${name}", but it becomes a folder's name: letters, digits, dots, dashes and underscores.`,
    );
  privateFolder(folder);
  const partial = join(folder, `.partial-${randomUUID()}`);
  privateFolder(partial);
  try {
    const hash = createHash("sha256");
    writeRecords(join(partial, recordsFile), chain.records, (bytes) => hash.update(bytes));
    const { cuts, redaction, report } = chain.end();
    const sha256 = hash.update(`${JSON.stringify({ cuts })}\n`).digest("hex");
    const file: ImportFile = { name: name ?? `${chain.format}-${sha256.slice(0, 8)}`, sha256, cuts, redaction, report };
    const path = join(folder, file.name);
    if (existsSync(path)) {
      if (readImportFile(path).sha256 !== sha256)
        throw new ArtifactError(path, "holds another import. Choose another --name, or remove the folder.");
      return { ...file, path, existed: true };
    }
    writeFileSync(join(partial, reportFile), `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
    renameSync(partial, path);
    return { ...file, path, existed: false };
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

const bufferBytes = 1 << 18;

/** Writes records as lines. `written` is given their bytes in order. */
function writeRecords(path: string, records: Iterable<ChainRecord>, written: (bytes: Buffer) => void): void {
  const file = openSync(path, "wx", 0o600);
  try {
    const buffer = Buffer.allocUnsafeSlow(bufferBytes);
    let used = 0;
    const write = (bytes: Buffer): void => {
      written(bytes);
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    };
    const flush = (): void => {
      write(buffer.subarray(0, used));
      used = 0;
    };
    for (const record of records) {
      const line = `${recordLine(record)}\n`;
      const bytes = Buffer.byteLength(line);
      if (used + bytes > bufferBytes) flush();
      if (bytes > bufferBytes) write(Buffer.from(line));
      else used += buffer.write(line, used);
    }
    flush();
  } finally {
    closeSync(file);
  }
}

const importSchema = z.object({
  name: z.string(),
  sha256: z.string(),
  cuts: z.array(z.int().positive()).min(1),
  redaction: z.custom<RedactionCounts>().optional(),
  report: z.custom<ImportReport>((value) => typeof value === "object" && value !== null),
});

/** What is known of the import in a folder. Throws ArtifactError where there is none. */
function readImportFile(path: string): ImportFile {
  const file = join(path, reportFile);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new ArtifactError(path, "is no imported chain. Make one with closed-book import FILE.", { cause });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new ArtifactError(file, "is not JSON. Import the session again.", { cause });
  }
  const parsed = importSchema.safeParse(json);
  if (!parsed.success) throw new ArtifactError(file, "is not the report of an import. Import the session again.");
  const { redaction, ...rest } = parsed.data;
  return { ...rest, redaction };
}

/** The name that the import in a folder has as a chain. */
export const importName = (path: string): string => basename(resolve(path));

const isImport = (path: string): boolean => existsSync(join(path, reportFile)) && existsSync(join(path, recordsFile));

/** The import's folder that a path is, or whose records it is, or undefined: runs on imported chains are private. */
export function importFolder(path: string): string | undefined {
  const folder = basename(path) === recordsFile ? dirname(path) : path;
  return isImport(folder) ? folder : undefined;
}

/** The imported chain in a folder, with its report. Throws ArtifactError where it is none or damaged. */
export function readImport(path: string): { readonly chain: Chain; readonly file: ImportFile } {
  const file = readImportFile(path);
  const records = join(path, recordsFile);
  const { records: read } = parseChain(records, readFileSync(records, "utf8"), file.cuts);
  const name = importName(path);
  return { chain: { name, group: "imported", records: read, cuts: { kind: "moved", ends: file.cuts } }, file };
}
