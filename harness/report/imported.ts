/** What a report says of imported sessions: how far their own values went for the sheets, and what was redacted. */
import type { Chain } from "../chain/record.ts";
import { bySource, decoysOf, type Sheet, type TargetSource, targetsOf } from "../exam/question.ts";
import { cutFinder } from "../import/cuts.ts";
import type { RedactionCounts } from "../import/redact/redact.ts";
import type { PlannedChain } from "../run/plan.ts";
import type { Table } from "./tables.ts";

/** Targets of one source on a sheet. `wanted` and `found` are null on sheets from files, which draw nothing. */
interface SourceSeats {
  readonly asked: number;
  readonly wanted: number | null;
  /** Distinct values of the covered history. */
  readonly found: number | null;
}

export interface ImportedReport {
  readonly chain: string;
  readonly records: number;
  /** Whether its own scored boundaries, at 40, 70 and 100 %, are fewer than three because safe endpoints fall together. */
  readonly isShort: boolean;
  /** What was replaced by stand-ins; null where the session went into the run as it is. */
  readonly redaction: RedactionCounts | null;
  readonly sheets: readonly {
    readonly stage: number;
    readonly end: number;
    readonly targets: Readonly<Record<TargetSource, SourceSeats>>;
    readonly decoys: number;
  }[];
}

/** One for each imported chain of a run. */
export const importedReports = (chains: readonly PlannedChain[]): ImportedReport[] =>
  chains
    .filter(({ chain }) => chain.group === "imported")
    .map(({ chain, redaction, sheets }) => ({
      chain: chain.name,
      records: chain.records.length,
      isShort: isShort(chain, sheets),
      redaction: redaction ?? null,
      sheets: sheets.map((sheet) => ({
        stage: sheet.stage,
        end: sheet.end,
        targets: bySource((source) => seatsOf(sheet, source)),
        decoys: decoysOf(sheet).length,
      })),
    }));

/** Scored boundaries that a session long enough has. */
const usualSheets = 3;

function isShort({ records }: Chain, sheets: readonly Sheet[]): boolean {
  if (sheets.length >= usualSheets) return false;
  const finder = cutFinder();
  for (const record of records) finder.add(record);
  const own = finder.cuts();
  return own.length === sheets.length && own.every((end, stage) => end === sheets[stage]?.end);
}

function seatsOf(sheet: Sheet, source: TargetSource): SourceSeats {
  const drawnFrom = (target: ReturnType<typeof targetsOf>[number]) =>
    target.source === "given" ? target.place?.source : target.source;
  const supply = sheet.supply?.[source];
  return {
    asked: targetsOf(sheet).filter((target) => drawnFrom(target) === source).length,
    wanted: supply?.wanted ?? null,
    found: supply?.found ?? null,
  };
}

/** The sheets of imported sessions, by source: targets asked, of how many wanted, and distinct values found. */
export function importedTable(imported: readonly ImportedReport[]): Table {
  const seats = ({ asked, wanted, found }: SourceSeats): string =>
    wanted === null ? `${asked}` : `${asked} of ${wanted} (${found} found)`;
  return {
    title: "What is asked of imported sessions: targets of those wanted, and distinct values found, by source",
    head: ["session", "after record", "assistant", "user", "tool", "decoys"],
    rows: imported.flatMap(({ chain, records, sheets }) =>
      sheets.map(({ end, targets, decoys }) => [
        chain,
        `${end} of ${records}`,
        ...[targets.assistant, targets.user, targets.tool].map(seats),
        `${decoys}`,
      ]),
    ),
  };
}

/** What has to be known besides: sheets that shrank, boundaries that are missing, what was redacted. One line each. */
export const importedNotes = (imported: readonly ImportedReport[]): string[] =>
  imported.flatMap((one) => [shrunkNote(one), shortNote(one), redactionNote(one)].filter((note) => note !== undefined));

function shrunkNote({ chain, sheets }: ImportedReport): string | undefined {
  const sum = (seats: ImportedReport["sheets"][number], of: "asked" | "wanted"): number =>
    Object.values(seats.targets).reduce((total, source) => total + (source[of] ?? source.asked), 0);
  const shrunk = sheets.filter((sheet) => sum(sheet, "asked") < sum(sheet, "wanted"));
  if (shrunk.length === 0) return undefined;
  const counts = shrunk.map((sheet) => `${sum(sheet, "asked")} of ${sum(sheet, "wanted")} after record ${sheet.end}`);
  return `${chain}: too few distinct values, so ${shrunk.length} of ${sheets.length} sheets ask fewer targets than the exam wants: ${counts.join(", ")}.`;
}

function shortNote({ chain, records, sheets, isShort: short }: ImportedReport): string | undefined {
  if (!short) return undefined;
  const count = sheets.length === 1 ? "one scored boundary" : `${sheets.length} scored boundaries`;
  const ends = sheets.map(({ end }) => end).join(" and ");
  return `${chain}: ${count} in place of ${usualSheets}, after record ${ends} of ${records}: the session is short, and safe endpoints at 40, 70 and 100 % of it fall together.`;
}

function redactionNote({ chain, redaction }: ImportedReport): string | undefined {
  if (redaction === null) return undefined;
  return `${chain}: redacted, with stand-ins of the same length for ${redactionText(redaction)}.`;
}

/** Counts of a redaction in words. */
const redactionText = (redaction: RedactionCounts): string =>
  Object.entries(redaction)
    .map(([kind, { distinct, replaced }]) => `${kind} ${distinct} (${replaced} times)`)
    .join(", ");
