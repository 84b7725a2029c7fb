/** A session file as a chain, with the report of what became of everything in it. */
import type { Chain, ChainRecord } from "../chain/record.ts";
import { ArtifactError } from "../errors.ts";
import { assemble } from "./assemble.ts";
import { cutFinder } from "./cuts.ts";
import type { History } from "./entry.ts";
import { emptyFindings } from "./findings.ts";
import { entriesOf, formats } from "./formats.ts";
import { recognise, withFormat } from "./recognise.ts";
import { type FormatName, importReport, type ImportReport } from "./report.ts";
import type { Source } from "./source.ts";
import { emptyTally } from "./tally.ts";

export interface ImportOptions {
  readonly format: FormatName | "auto";
  readonly history: History;
}

const importDefaults: ImportOptions = { format: "auto", history: "raw" };

/** What is known once all records have been read. */
interface ImportEnd {
  readonly report: ImportReport;
  /** Scored cuts at 40, 70 and 100 % of the records, moved back to safe endpoints; fewer where those coincide. */
  readonly cuts: readonly number[];
}

/** A session that is being read: its records come one at a time, then its end can be asked for. */
export interface SessionReading {
  readonly format: FormatName;
  records(): Iterable<ChainRecord>;
  /** Throws RangeError before all records were read. */
  end(): ImportEnd;
}

/**
 * Opens the session at a path; `source` is its bytes where they are not on the disk. Nothing but the ids of messages and
 * calls stays in memory. Throws ArtifactError, here or while records are read, for a file that is no session.
 */
export function readSession(path: string, options: ImportOptions = importDefaults, source?: Source): SessionReading {
  const { format, history } = options;
  const recognised = format === "auto" ? recognise(path, source) : withFormat(path, format, source);
  const { unit: usualUnit } = formats[recognised.format];
  const unit = recognised.format === "records" && recognised.layout === "document" ? "record" : usualUnit;
  const findings = emptyFindings();
  const tally = emptyTally();
  const finder = cutFinder();
  let end: ImportEnd | undefined;
  return {
    format: recognised.format,
    *records() {
      for (const record of assemble(entriesOf(recognised, path, source, history, findings), tally)) {
        finder.add(record);
        yield record;
      }
      if (tally.records === 0)
        throw new ArtifactError(
          path,
          `holds no text, call or result that can be imported as ${formats[recognised.format].title}. Choose another file or --format.`,
        );
      const cuts = finder.cuts();
      if (cuts.length < 3)
        findings.notes.add(
          `The session is too short for three scored cuts: it has ${cuts.length === 1 ? "one" : "two"}.`,
        );
      end = { report: importReport({ format: recognised.format, history, unit }, tally, findings), cuts };
    },
    end() {
      if (end === undefined) throw new RangeError("the session's records have not all been read");
      return end;
    },
  };
}

/** A whole session as a chain in memory. Throws ArtifactError for a file that is no session. */
export function importChain(
  path: string,
  options: ImportOptions & { readonly name: string },
  source?: Source,
): { chain: Chain; report: ImportReport } {
  const reading = readSession(path, options, source);
  const records = [...reading.records()];
  const { report, cuts } = reading.end();
  return { chain: { name: options.name, group: "imported", records, cuts: { kind: "moved", ends: cuts } }, report };
}
